/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Cuts a {@code _bulk} text into its operations, one at a time, each a slice of the bytes that were read. Blank lines
 * between operations are passed over; the last line may lack its newline. Memory is used again once operations that came
 * before have been {@link BulkOperation#discard discarded}. Not thread-safe.
 */
final class OperationReader implements Iterator<BulkOperation>, AutoCloseable {

    private static final JsonFactory JSON = new JsonFactory();
    private static final int CHUNK = GatheringOutputStream.SIZE;
    private static final int LARGEST = 1 << 29;

    private final InputStream in;
    private final OperationKeys keys;
    private final boolean isGeneratingIds;
    private final ActionLineReader actionLines = new ActionLineReader();

    private final Chunk.Pool chunks = new Chunk.Pool(CHUNK);

    private Chunk current = chunks.take(CHUNK);
    private byte[] chunk = current.bytes;
    private int operationsInChunk;
    private int at;
    private int filled;
    private boolean isAtEnd;
    private long chunkOffset;
    private long count;

    OperationReader(InputStream in, OperationKeys keys, boolean isGeneratingIds) {
        this.in = in;
        this.keys = keys;
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
        int sourceStart = withNewline(actionLength);
        int length = sourceStart;
        if (line.action().hasSource()) {
            int sourceLength = lineLength(sourceStart);
            requireSource(at + sourceStart, at + sourceStart + sourceLength);
            length = withNewline(sourceStart + sourceLength);
        }
        int from = at;
        at += length;
        operationsInChunk++;
        if (isGeneratingIds && line.canBeGivenId()) {
            String id = GeneratedIds.next();
            byte[] head = GeneratedIds.insert(id, chunk, from, from + actionLength);
            return new BulkOperation(
                    null, line.withId(id), head, new Slice(chunk, from + sourceStart, at), current, keys);
        }
        return new BulkOperation(null, line, null, new Slice(chunk, from, at), current, keys);
    }

    /**
     * A missing source line would make a document of the next action; and of a text that was cut off, the last document
     * is no document.
     */
    private void requireSource(int from, int to) throws IOException {
        int start = from;
        while (start < to && Bytes.isSpace(chunk[start])) {
            start++;
        }
        if (start == to) {
            throw new IOException("its source line is missing");
        }
        if (chunk[start] != '{') {
            throw new IOException("expected a JSON object in one line after the action line");
        }
        if (TextPeek.isActionLine(chunk, start, to)) {
            throw new IOException("its source line is missing, for another action line follows;"
                    + " a document that looks like one can be sent as an element of a list");
        }
        if (to == filled && !isWhole(start, to)) {
            throw new IOException("the text ends within its source line");
        }
    }

    private boolean isWhole(int from, int to) throws IOException {
        try (JsonParser parser = JSON.createParser(chunk, from, to - from)) {
            parser.nextToken();
            parser.skipChildren();
            return parser.currentToken().isStructEnd();
        } catch (JsonProcessingException e) {
            return false;
        }
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
        return at + length < filled ? length + 1 : length;
    }

    /** Reads on; operations that were handed out keep the chunk they are in, so a full one is left. */
    private boolean readMore() throws IOException {
        if (isAtEnd) {
            return false;
        }
        if (filled == chunk.length) {
            leaveChunk();
        }
        int read = in.read(chunk, filled, chunk.length - filled);
        isAtEnd = read < 0;
        filled += Math.max(read, 0);
        return !isAtEnd;
    }

    private void leaveChunk() throws IOException {
        int rest = filled - at;
        if (rest >= LARGEST) {
            throw new IOException("it is longer than " + LARGEST + " bytes");
        }
        Chunk next = chunks.take(Math.max(CHUNK, rest * 2));
        System.arraycopy(chunk, at, next.bytes, 0, rest);
        current.leave(operationsInChunk);
        operationsInChunk = 0;
        current = next;
        chunk = next.bytes;
        chunkOffset += at;
        at = 0;
        filled = rest;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
