/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Looks at eight bytes at a time: every byte of every document passes here. */
final class Bytes {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;

    private Bytes() {}

    /** Where the next newline is; -1 if there is none. */
    static int newline(byte[] bytes, int from, int to) {
        int i = from;
        for (; i <= to - Long.BYTES; i += Long.BYTES) {
            long found = matches((long) LONGS.get(bytes, i), '\n');
            if (found != 0) {
                return i + Long.numberOfTrailingZeros(found) / Byte.SIZE;
            }
        }
        for (; i < to; i++) {
            if (bytes[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    /** The eight bytes from there on, the first one lowest. */
    static long eightAt(byte[] bytes, int at) {
        return (long) LONGS.get(bytes, at);
    }

    /**
     * The high bit of each byte that is a bracket, a backslash or a control character; other bytes may have theirs set
     * too, and bits that are no high bits mean nothing.
     */
    static long structure(long eight) {
        long folded = (eight | ONES * 0x20) & ~HIGH_BITS; // Brackets and backslash are now 0x7b to 0x7d.
        long brackets = folded + ONES * (0x80 - '{') & ~(folded + ONES * (0x7f - '}'));
        long control = eight - ONES * ' ' & ~eight;
        return brackets | control;
    }

    /** The high bit of each byte that is no quote; bits that are no high bits mean nothing. */
    static long allButQuotes(long eight) {
        long differs = eight ^ ONES * '"';
        return (differs & ~HIGH_BITS) + ~HIGH_BITS | differs;
    }

    static boolean hasHighBits(long eight) {
        return (eight & HIGH_BITS) != 0;
    }

    static boolean hasOddHighBits(long eight) {
        return (Long.bitCount(eight & HIGH_BITS) & 1) != 0;
    }

    /** The high bit of each byte that is {@code wanted}; above the first match others may be set too. */
    private static long matches(long eight, char wanted) {
        long differs = eight ^ ONES * wanted;
        return (differs - ONES) & ~differs & HIGH_BITS;
    }

    static boolean isSpace(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }
}
