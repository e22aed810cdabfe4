/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Looks for line ends eight bytes at a time: every byte of every document passes here. */
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

    /** Whether there is any line end, of either kind. */
    static boolean hasLineEnd(byte[] bytes, int from, int to) {
        int i = from;
        for (; i <= to - Long.BYTES; i += Long.BYTES) {
            long eight = (long) LONGS.get(bytes, i);
            if ((matches(eight, '\n') | matches(eight, '\r')) != 0) {
                return true;
            }
        }
        for (; i < to; i++) {
            if (bytes[i] == '\n' || bytes[i] == '\r') {
                return true;
            }
        }
        return false;
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
