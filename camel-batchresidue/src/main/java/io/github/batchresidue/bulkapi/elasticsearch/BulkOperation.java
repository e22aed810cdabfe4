/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.RawJson;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;

/**
 * One operation, in the bytes that go over the wire: {@code head}, then {@code source}, then a newline if that has none
 * at its end. Of a raw text the source holds both lines and there is no head.
 */
final class BulkOperation implements BulkItem {

    private static final byte[] NO_HEAD = {};
    private static final VarHandle SOURCE;

    static {
        try {
            SOURCE = MethodHandles.lookup().findVarHandle(BulkOperation.class, "source", Slice.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Object body;
    private final ActionLine line;
    private final byte[] head;
    private final boolean isSafeToResend;
    private final Object key;
    /** What the source was read from, with many others; null if it gives nothing back to it. */
    private Chunk chunk;
    // Race: it may be set apart while a request is still being written; each use reads it once, and both are the same
    // bytes. Null once it is discarded: who has copied its bytes then looks again, for a request that a circuit breaker
    // has given up may still be under way when another one, with the same body, has been answered.
    private volatile Slice source;

    /**
     * @param body as the caller gave it; null if it is the operation's own text
     * @param line what the action line says
     * @param head the action line with its newline; null if the source has it
     * @param chunk what the source is a part of; null if nobody waits for its memory
     */
    BulkOperation(Object body, ActionLine line, byte[] head, Slice source, Chunk chunk, OperationKeys keys) {
        this.body = body;
        this.line = line;
        this.head = head == null ? NO_HEAD : head;
        SOURCE.set(this, source); // A volatile write would cost each operation a fence, and nobody else has it yet.
        this.chunk = chunk;
        this.isSafeToResend = isSafe();
        this.key = keys.keyOf(this);
    }

    /** A named document is put, or deleted, again with the same result, unless the first time is what bars the second. */
    private boolean isSafe() {
        return line.hasId()
                && !line.isConditional()
                && (action() != Action.UPDATE || !UpdateSource.mayChangeAgain(document()));
    }

    Action action() {
        return line.action();
    }

    /** What the action line says. */
    ActionLine line() {
        return line;
    }

    /** The source line of an operation that has one. */
    Slice document() {
        Slice now = source();
        return head.length > 0 ? now : now.after(Bytes.newline(now.bytes(), now.from(), now.to()) + 1);
    }

    @Override
    public Object body() {
        return body != null ? RawJson.body(body) : new String(toBytes(), StandardCharsets.UTF_8);
    }

    @Override
    public long bytes() {
        Slice now = source();
        return head.length + now.length() + (lacksNewline(now) ? 1 : 0);
    }

    /** A head without a source has its newline. */
    static boolean lacksNewline(Slice source) {
        return source.length() > 0 && !source.endsWithNewline();
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

    /** Lets go of the chunk of text that it came in with many others, and that then is not filled again. */
    @Override
    public void detach() {
        source = source().apart();
        chunk = null;
    }

    /** Gives back its part of the chunk, which then may hold another text. */
    @Override
    public void discard() {
        if (chunk != null) {
            source = null;
            chunk.giveBack();
        }
    }

    byte[] head() {
        return head;
    }

    /** @throws IllegalStateException if it was discarded: what stands there now is not its own any more */
    Slice source() {
        Slice now = source;
        if (now == null) {
            throw new IllegalStateException("the operation has landed and its memory is used for others");
        }
        return now;
    }

    /**
     * To be called between copying its bytes and using the copy.
     *
     * @throws IllegalStateException if it was discarded, so that the copy may hold other bytes
     */
    void requireKept() {
        VarHandle.loadLoadFence();
        source();
    }

    /** Its lines, the last one with its newline. */
    byte[] toBytes() {
        Slice now = source();
        byte[] bytes = new byte[head.length + now.length() + (lacksNewline(now) ? 1 : 0)];
        System.arraycopy(head, 0, bytes, 0, head.length);
        System.arraycopy(now.bytes(), now.from(), bytes, head.length, now.length());
        if (lacksNewline(now)) {
            bytes[bytes.length - 1] = '\n';
        }
        requireKept();
        return bytes;
    }
}
