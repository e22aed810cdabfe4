/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.RawJson;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * One operation, in the bytes that go over the wire: {@code head}, then a slice of {@code source}, then a newline if the
 * slice has none at its end. Of a raw text the slice holds both lines and there is no head.
 */
final class BulkOperation implements BulkItem {

    private static final byte[] NO_HEAD = {};

    private final Object body;
    private final ActionLine line;
    private final byte[] head;
    private final byte[] source;
    private final int from;
    private final int to;
    private final boolean isSafeToResend;
    private final Object key;

    /**
     * @param body as the caller gave it; null if it is the operation's own text
     * @param line what the action line says
     * @param head the action line with its newline; null if the slice has it
     */
    BulkOperation(Object body, ActionLine line, byte[] head, byte[] source, int from, int to, OperationKeys keys) {
        this.body = body;
        this.line = line;
        this.head = head == null ? NO_HEAD : head;
        this.source = source;
        this.from = from;
        this.to = to;
        this.isSafeToResend = isSafe();
        this.key = keys.keyOf(this);
    }

    /** A named document is put, or deleted, again with the same result; a script may count. */
    private boolean isSafe() {
        return line.hasId() && (action() != Action.UPDATE || !UpdateSource.hasScript(source, documentFrom(), to));
    }

    private int documentFrom() {
        return head.length > 0 ? from : Bytes.newline(source, from, to) + 1;
    }

    Action action() {
        return line.action();
    }

    /** What the action line says. */
    ActionLine line() {
        return line;
    }

    /** The source line, or an empty one if there is none. */
    byte[] document() {
        int start = action().hasSource() ? documentFrom() : to;
        byte[] document = new byte[to - start];
        System.arraycopy(source, start, document, 0, document.length);
        return document;
    }

    @Override
    public Object body() {
        return body != null ? RawJson.body(body) : new String(toBytes(), StandardCharsets.UTF_8);
    }

    @Override
    public long bytes() {
        return head.length + (to - from) + (endsWithNewline() ? 0 : 1);
    }

    private boolean endsWithNewline() {
        return to == from ? head.length > 0 : source[to - 1] == '\n';
    }

    @Override
    public Object key() {
        return key;
    }

    @Override
    public boolean safeToResend() {
        return isSafeToResend;
    }

    @Override
    public String operation() {
        return line.action().word();
    }

    @Override
    public String id() {
        return line.id();
    }

    /** Its lines, the last one with its newline. */
    byte[] toBytes() {
        byte[] bytes = new byte[(int) bytes()];
        System.arraycopy(head, 0, bytes, 0, head.length);
        System.arraycopy(source, from, bytes, head.length, to - from);
        if (!endsWithNewline()) {
            bytes[bytes.length - 1] = '\n';
        }
        return bytes;
    }

    /** Whether this one begins in the same array where the other ends, so that both can be written at once. */
    boolean follows(BulkOperation other) {
        return head.length == 0 && source == other.source && from == other.to && other.endsWithNewline();
    }

    void writeHead(OutputStream out) throws IOException {
        if (head.length > 0) {
            out.write(head);
        }
    }

    /** Writes the slices of this one and of all up to {@code last}, each of which {@link #follows} the one before it. */
    void writeSourceTo(OutputStream out, BulkOperation last) throws IOException {
        out.write(source, from, last.to - from);
        if (!last.endsWithNewline()) {
            out.write('\n');
        }
    }
}
