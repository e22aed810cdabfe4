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
 * The bytes of an answer and their parser, which need not see a result again whose bytes it has seen: most results of an
 * answer are alike. A parser that stands where the same bytes have led it from, and meets them again, would say the
 * same of them and stand there again. Not thread-safe.
 */
final class AnswerText implements AutoCloseable {

    private static final JsonFactory JSON = new JsonFactory();
    private static final OutputStream NOWHERE = OutputStream.nullOutputStream();
    private static final SpareBuffer SPARE = new SpareBuffer(16 * 1024);
    /** What the parser is given at a time: it has to be given anew what stands behind results that were left out. */
    private static final int MOST = 1024;

    /**
     * A result that the parser has read behind another one.
     *
     * @param from where in the answer the one before ended: what separates them belongs to it
     */
    private record Known(long from, int length, Result result) {}

    private final InputStream in;
    private final JsonParser parser;
    /** The last ones that the parser has read: what landed, and errors of a shard or two. */
    private final Known[] known = new Known[4];

    private int oldest;
    /** The part of the answer that is looked at. */
    private byte[] window;
    /** Where the window begins in the answer. */
    private long offset;

    private int filled;
    /** What the parser has not been given. */
    private int next;
    /** How far the parser is behind for what was left out. */
    private long leftOut;
    /** Where in the answer the last result ended; negative before the first, which follows no other. */
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
     * To be called when the parser is behind a result: takes those that follow for what they are as long as their bytes are
     * known. The parser goes on behind them.
     *
     * @param last the result that the parser has read
     * @throws IOException if a result does not fit
     */
    void readKnown(Result last, Results results) throws IOException {
        long end = parser.currentLocation().getByteOffset() + leftOut;
        if (endOfLast >= offset && end > endOfLast) { // Else the parser reads no UTF-8 and counts no bytes.
            known[oldest++ % known.length] = new Known(endOfLast, (int) (end - endOfLast), last);
        }
        int from = (int) (end - offset);
        int to = from;
        for (Known again = knownAt(to); again != null; again = knownAt(to)) {
            results.add(again.result);
            to += again.length;
        }
        if (to > from) {
            parser.releaseBuffered(NOWHERE);
            leftOut += to - next;
            next = to;
        }
        endOfLast = offset + to;
    }

    private Known knownAt(int to) {
        for (Known result : known) {
            if (result != null && result.from >= offset && to + result.length <= filled) {
                int from = (int) (result.from - offset);
                if (Arrays.equals(window, from, from + result.length, window, to, to + result.length)) {
                    return result;
                }
            }
        }
        return null;
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
