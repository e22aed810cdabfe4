/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/** The characters of a reader as UTF-8, encoded piece by piece as they are read. */
final class Utf8InputStream extends InputStream {

    private static final int PIECE = 8 * 1024;

    private final Reader reader;
    private final CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
    private final CharBuffer chars = CharBuffer.allocate(PIECE).limit(0);
    private final ByteBuffer bytes = ByteBuffer.allocate(3 * PIECE).limit(0);
    private boolean readAll;

    Utf8InputStream(Reader reader) {
        this.reader = reader;
    }

    @Override
    public int read() throws IOException {
        return encode() ? bytes.get() & 0xFF : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!encode()) {
            return -1;
        }
        int count = Math.min(length, bytes.remaining());
        bytes.get(target, offset, count);
        return count;
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }

    /** Sees to it that there are bytes; false at the end. */
    private boolean encode() throws IOException {
        while (!bytes.hasRemaining()) {
            if (readAll && !chars.hasRemaining()) {
                return false;
            }
            encodePiece();
        }
        return true;
    }

    private void encodePiece() throws IOException {
        chars.compact();
        int count = reader.read(chars.array(), chars.position(), chars.remaining());
        readAll = count < 0;
        chars.position(chars.position() + Math.max(count, 0)).flip();
        bytes.clear();
        CoderResult result = encoder.encode(chars, bytes, readAll);
        bytes.flip();
        if (result.isError() && !bytes.hasRemaining()) {
            // Not before what stands in front of it has been handed out.
            throw new IOException("the text has half a surrogate pair, which UTF-8 cannot hold");
        }
    }
}
