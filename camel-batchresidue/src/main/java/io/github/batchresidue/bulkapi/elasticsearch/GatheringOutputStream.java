/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import java.io.IOException;
import java.io.OutputStream;

/** Makes large writes of small ones, which all go through its buffer; without the lock that the JDK's buffered stream takes each time. */
final class GatheringOutputStream extends OutputStream {

    static final int SIZE = 64 * 1024;
    private static final SpareBuffer SPARE = new SpareBuffer(SIZE);

    private final OutputStream out;
    /** Null when closed. */
    private byte[] buffer;

    private int filled;

    /** @param out gets what is written here, and is not closed */
    GatheringOutputStream(OutputStream out) {
        this.out = out;
        this.buffer = SPARE.take();
    }

    @Override
    public void write(int b) throws IOException {
        if (filled == buffer.length) {
            flushBuffer();
        }
        buffer[filled++] = (byte) b;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        if (length > buffer.length - filled) {
            flushBuffer();
            if (length > buffer.length) {
                out.write(bytes, from, length);
                return;
            }
        }
        System.arraycopy(bytes, from, buffer, filled, length);
        filled += length;
    }

    private void flushBuffer() throws IOException {
        out.write(buffer, 0, filled);
        filled = 0;
    }

    /** Passes on what was gathered; nothing can be written after it. */
    @Override
    public void close() throws IOException {
        if (buffer != null) {
            flushBuffer();
            byte[] spare = buffer;
            buffer = null;
            SPARE.giveBack(spare);
        }
    }
}
