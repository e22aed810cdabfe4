/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import java.io.IOException;
import java.io.OutputStream;

/** Makes large writes of small ones; without the lock that the JDK's buffered stream takes each time. */
final class GatheringOutputStream extends OutputStream {

    private final OutputStream out;
    private final byte[] buffer;
    private int filled;

    GatheringOutputStream(OutputStream out, int size) {
        this.out = out;
        this.buffer = new byte[size];
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
            if (length >= buffer.length) {
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

    /** Passes on what was gathered. */
    @Override
    public void flush() throws IOException {
        flushBuffer();
        out.flush();
    }
}
