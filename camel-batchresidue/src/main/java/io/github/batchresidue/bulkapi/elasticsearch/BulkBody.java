/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import io.github.batchresidue.bulkapi.BulkItem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.StreamCache;
import org.apache.camel.converter.stream.InputStreamCache;

/**
 * The body of a request: its operations one after the other, written from the bytes they are made of. Can be read as
 * often as wanted. Not thread-safe.
 */
class BulkBody extends InputStream implements StreamCache {

    private final List<BulkItem> items;
    private final long length;

    private int next;
    private byte[] current = {};
    private int at;
    private long position;

    BulkBody(List<BulkItem> items) {
        this.items = items;
        long bytes = 0;
        for (BulkItem item : items) {
            bytes += item.bytes();
        }
        this.length = bytes;
    }

    /**
     * Writes at once what stands in one piece of text, and gathers what is small, for an HTTP client sends each write on
     * its own, or in buffers of few kilobytes.
     */
    @Override
    public final void writeTo(OutputStream out) throws IOException {
        GatheringOutputStream gathered = new GatheringOutputStream(out);
        Slice first = null;
        Slice last = null;
        int gatheredItems = 0;
        for (int i = 0; i < items.size(); i++) {
            BulkOperation operation = (BulkOperation) items.get(i);
            Slice source = operation.source();
            boolean isAdjacent =
                    last != null && operation.head().length == 0 && last.endsWithNewline() && last.isFollowedBy(source);
            if (!isAdjacent) {
                write(first, last, gathered);
                requireKept(gatheredItems, i);
                gatheredItems = i;
                gathered.write(operation.head());
                first = source;
            }
            last = source;
        }
        write(first, last, gathered);
        requireKept(gatheredItems, items.size());
        gathered.close();
    }

    /** What has been gathered goes out only if it is theirs: the memory that it came from may be used again by now. */
    private void requireKept(int from, int to) {
        for (int i = from; i < to; i++) {
            ((BulkOperation) items.get(i)).requireKept();
        }
    }

    private static void write(Slice first, Slice last, OutputStream out) throws IOException {
        if (first != null) {
            first.upTo(last).writeTo(out);
            if (BulkOperation.lacksNewline(last)) {
                out.write('\n');
            }
        }
    }

    @Override
    public final int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public final int read(byte[] into, int from, int most) throws IOException {
        if (most == 0) {
            return 0;
        }
        while (at == current.length) {
            if (next == items.size()) {
                return -1;
            }
            current = ((BulkOperation) items.get(next++)).toBytes();
            at = 0;
        }
        int read = Math.min(most, current.length - at);
        System.arraycopy(current, at, into, from, read);
        at += read;
        position += read;
        return read;
    }

    @Override
    public final int available() {
        return (int) Math.min(length - position, Integer.MAX_VALUE);
    }

    @Override
    public final void reset() {
        next = 0;
        current = new byte[0];
        at = 0;
        position = 0;
    }

    /** In bytes of its own: who asks for a copy may read it after the request has been answered. */
    @Override
    public StreamCache copy(Exchange exchange) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream((int) Math.min(length, Integer.MAX_VALUE - 8));
        writeTo(bytes);
        return new InputStreamCache(bytes.toByteArray());
    }

    @Override
    public final boolean inMemory() {
        return true;
    }

    @Override
    public final long length() {
        return length;
    }

    @Override
    public final long position() {
        return position;
    }
}
