/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * The bytes of an answer and their parser, which need not see a result again whose bytes it has just seen: most results
 * of an answer are alike. A parser that stands where the same bytes have led it from, and meets them again, would say the
 * same of them and stand there again. Not thread-safe.
 */
final class AnswerText implements AutoCloseable {

    private static final JsonFactory JSON = new JsonFactory();
    private static final OutputStream NOWHERE = OutputStream.nullOutputStream();
    private static final SpareBuffer SPARE = new SpareBuffer(16 * 1024);
    /** What the parser is given at a time: it has to be given anew what stands behind results that were left out. */
    private static final int MOST = 1024;

    private final InputStream in;
    private final JsonParser parser;
    /** The part of the answer that is looked at. */
    private byte[] window;
    /** Where the window begins in the answer. */
    private long offset;

    private int filled;
    /** What the parser has not been given. */
    private int next;
    /** How far the parser is behind for what was left out. */
    private long leftOut;
    /** Where in the answer the last result ended; negative before the first, which begins where no other does. */
    private long endOfLast = -1;

    AnswerText(InputStream in) throws IOException {
        this.in = in;
        this.window = SPARE.take();
        try {
            this.parser = JSON.createParser(new Given());
        } catch (IOException e) {
            free();
            throw e;
        }
    }

    JsonParser parser() {
        return parser;
    }

    /**
     * To be called when the parser is behind a result: how often the same bytes follow that have come since the last
     * call. The parser goes on behind them.
     */
    int leaveOutRepeats() throws IOException {
        long end = parser.currentLocation().getByteOffset() + leftOut;
        int length = (int) (end - endOfLast);
        int from = (int) (endOfLast - offset);
        endOfLast = end;
        if (from < 0 || length <= 0) {
            return 0; // It is the first, or began in an earlier window, or the parser reads no UTF-8 and counts no
            // bytes.
        }
        int to = from + length;
        int repeats = 0;
        while (to + length <= filled && Arrays.equals(window, from, from + length, window, to, to + length)) {
            to += length;
            repeats++;
        }
        if (repeats > 0) {
            parser.releaseBuffered(NOWHERE);
            leftOut += to - next;
            next = to;
            endOfLast = offset + to;
        }
        return repeats;
    }

    @Override
    public void close() throws IOException {
        try {
            parser.close();
        } finally {
            free();
        }
    }

    private void free() throws IOException {
        byte[] spare = window;
        window = null;
        SPARE.giveBack(spare);
        in.close();
    }

    private final class Given extends InputStream {

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int from, int most) throws IOException {
            if (next == filled) {
                offset += filled;
                filled = in.readNBytes(window, 0, window.length);
                next = 0;
                if (filled == 0) {
                    return -1;
                }
            }
            int given = Math.min(Math.min(most, MOST), filled - next);
            System.arraycopy(window, next, into, from, given);
            next += given;
            return given;
        }
    }
}
