/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.benchmarks;

import java.nio.ByteBuffer;
import java.util.BitSet;

/** Counts the operations of a body as it arrives, by its line ends, eight bytes at a time. */
final class OperationCounter {

    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;

    private final BitSet rejected = new BitSet();
    private Delivery delivery;
    private boolean isReadingNumbers;
    private int operations;
    private long documentBytes;
    private boolean isInDocument;
    /** How far the number is read at the head of the document. */
    private int headRead;

    private int number;

    void begin(Delivery into) {
        delivery = into;
        isReadingNumbers = into.isReadingNumbers();
        rejected.clear();
        operations = 0;
        documentBytes = 0;
        isInDocument = false;
        headRead = 0;
    }

    /** @param bytes in little-endian order */
    void count(ByteBuffer bytes, int from, int to) {
        int at = from;
        while (at < to) {
            if (isInDocument && isReadingNumbers && headRead < Documents.NUMBER_AT + Documents.NUMBER_DIGITS) {
                documentBytes++;
                readHead(bytes.get(at++));
                continue;
            }
            int newline = newline(bytes, at, to);
            int lineEnd = newline < 0 ? to : newline;
            if (isInDocument) {
                documentBytes += lineEnd - at;
            }
            if (newline >= 0) {
                lineEnded();
            }
            at = lineEnd + 1;
        }
    }

    private void readHead(byte b) {
        if (headRead == 0) {
            number = 0;
        }
        if (headRead++ >= Documents.NUMBER_AT) {
            number = 10 * number + b - '0';
        }
    }

    private void lineEnded() {
        if (isInDocument) {
            if (isReadingNumbers && !delivery.take(number)) {
                rejected.set(operations);
            }
            operations++;
            headRead = 0;
        }
        isInDocument = !isInDocument;
    }

    private static int newline(ByteBuffer bytes, int from, int to) {
        int i = from;
        for (; i <= to - Long.BYTES; i += Long.BYTES) {
            long differs = bytes.getLong(i) ^ ONES * '\n';
            long found = (differs - ONES) & ~differs & HIGH_BITS;
            if (found != 0) {
                return i + Long.numberOfTrailingZeros(found) / Byte.SIZE;
            }
        }
        for (; i < to; i++) {
            if (bytes.get(i) == '\n') {
                return i;
            }
        }
        return -1;
    }

    /** To be called when the body is complete. */
    void end() {
        if (isInDocument) {
            throw new IllegalStateException("the body ends within operation " + operations);
        }
    }

    int operations() {
        return operations;
    }

    long documentBytes() {
        return documentBytes;
    }

    BitSet rejected() {
        return rejected;
    }
}
