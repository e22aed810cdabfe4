/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Cuts a {@code _bulk} text into its operations, one at a time, each a slice of the bytes that were read. Blank lines
 * between operations are passed over; the last line may lack its newline. Not thread-safe.
 */
final class OperationReader implements Iterator<BulkOperation>, AutoCloseable {

    private static final int CHUNK = 64 * 1024;

    private final InputStream in;
    private final boolean isGeneratingIds;
    private final ActionLineReader actionLines = new ActionLineReader();

    private byte[] chunk = new byte[CHUNK];
    private int at;
    private int filled;
    private boolean isAtEnd;
    private long chunkOffset;
    private long count;

    OperationReader(InputStream in, boolean isGeneratingIds) {
        this.in = in;
        this.isGeneratingIds = isGeneratingIds;
    }

    /** @throws UncheckedIOException if the text cannot be read any further */
    @Override
    public boolean hasNext() {
        try {
            while (at < filled || readMore()) {
                if (!Bytes.isSpace(chunk[at])) {
                    return true;
                }
                at++;
            }
            return false;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** @throws UncheckedIOException naming operation and byte offset if what stands here is no operation */
    @Override
    public BulkOperation next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        try {
            BulkOperation operation = read();
            count++;
            return operation;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private UncheckedIOException failed(IOException e) {
        String where = "operation " + count + " at byte " + (chunkOffset + at) + ": ";
        return new UncheckedIOException(new IOException(where + e.getMessage(), e));
    }

    private BulkOperation read() throws IOException {
        int actionLength = lineLength(0);
        ActionLine line = actionLines.read(chunk, at, at + actionLength);
        int length = withNewline(actionLength);
        if (line.action().hasSource()) {
            int sourceLength = lineLength(length);
            requireObject(length, sourceLength);
            length = withNewline(length + sourceLength);
        }
        int from = at;
        at += length;
        if (isGeneratingIds && line.canBeGivenId()) {
            int sourceFrom = from + withNewline(actionLength, from);
            ActionLine named = line.withId(GeneratedIds.next());
            return BulkOperation.of(
                    null,
                    named,
                    GeneratedIds.insert(named.id(), chunk, from, from + actionLength),
                    chunk,
                    sourceFrom,
                    at);
        }
        return BulkOperation.of(null, line, null, chunk, from, at);
    }

    /** A missing source line would make a document of the next action. */
    private void requireObject(int start, int length) throws IOException {
        for (int i = at + start; i < at + start + length; i++) {
            if (!Bytes.isSpace(chunk[i])) {
                if (chunk[i] == '{') {
                    return;
                }
                break;
            }
        }
        throw new IOException("expected a JSON object in one line after the action line");
    }

    /** Length, without its newline, of the line that begins {@code start} bytes from here. */
    private int lineLength(int start) throws IOException {
        int searched = start;
        while (true) {
            int newline = Bytes.newline(chunk, at + searched, filled);
            if (newline >= 0) {
                return newline - at - start;
            }
            searched = filled - at;
            if (!readMore()) {
                return searched - start;
            }
        }
    }

    private int withNewline(int length) {
        return withNewline(length, at);
    }

    private int withNewline(int length, int from) {
        return from + length < filled ? length + 1 : length;
    }

    /** Reads on; operations that were handed out keep the chunk they are in, so a full one is left and not reused. */
    private boolean readMore() throws IOException {
        if (isAtEnd) {
            return false;
        }
        if (filled == chunk.length) {
            int rest = filled - at;
            byte[] next = new byte[Math.max(CHUNK, Math.multiplyExact(rest, 2))];
            System.arraycopy(chunk, at, next, 0, rest);
            chunk = next;
            chunkOffset += at;
            at = 0;
            filled = rest;
        }
        int read = in.read(chunk, filled, chunk.length - filled);
        isAtEnd = read < 0;
        filled += Math.max(read, 0);
        return !isAtEnd;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
