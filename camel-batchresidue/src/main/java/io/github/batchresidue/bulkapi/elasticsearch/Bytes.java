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

    /**
     * Whether the text is one JSON object and nothing else, by its brackets and strings: what stands behind the object
     * would go into the request with it. Whether the tokens inside are right is for the service to say.
     */
    static boolean isOneObject(byte[] json) {
        int i = 0;
        while (i < json.length && isSpace(json[i])) {
            i++;
        }
        if (i == json.length || json[i] != '{') {
            return false;
        }
        int depth = 0;
        for (; i < json.length; i++) {
            switch (json[i]) {
                case '"' -> i = endOfString(json, i + 1);
                case '{', '[' -> depth++;
                case '}', ']' -> {
                    depth--;
                    if (depth == 0) {
                        return isBlank(json, i + 1);
                    }
                }
                default -> {}
            }
        }
        return false;
    }

    /** Where the closing quote is of a string that begins here; the length if there is none. */
    private static int endOfString(byte[] json, int from) {
        int i = from;
        while (i < json.length) {
            if (i <= json.length - Long.BYTES) {
                long eight = (long) LONGS.get(json, i);
                long found = matches(eight, '"') | matches(eight, '\\');
                if (found == 0) {
                    i += Long.BYTES;
                    continue;
                }
                i += Long.numberOfTrailingZeros(found) / Byte.SIZE;
            }
            if (json[i] == '"') {
                return i;
            }
            i += json[i] == '\\' ? 2 : 1;
        }
        return json.length;
    }

    private static boolean isBlank(byte[] json, int from) {
        for (int i = from; i < json.length; i++) {
            if (!isSpace(json[i])) {
                return false;
            }
        }
        return true;
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
