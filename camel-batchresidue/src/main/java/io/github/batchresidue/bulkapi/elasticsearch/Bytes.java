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
        int start = 0;
        while (start < json.length && isSpace(json[start])) {
            start++;
        }
        return start < json.length && json[start] == '{' && endsOnce(json, start + 1);
    }

    /**
     * Whether the object whose first member begins here ends, and the text with it. Eight bytes at a time as long as it is
     * clear that they do not end it: neither short strings nor brackets cost a branch then. The rest, and what comes with
     * an escape, goes byte by byte.
     */
    private static boolean endsOnce(byte[] json, int from) {
        int depth = 1;
        int i = from;
        long inString = 0; // All bits set within a string.
        for (; i <= json.length - Long.BYTES; i += Long.BYTES) {
            long eight = (long) LONGS.get(json, i);
            if (matches(eight, '\\') != 0) {
                break;
            }
            long quotes = exactMatches(eight, '"');
            if (inString != 0 && quotes == 0) {
                continue;
            }
            // Each byte's bit is that of all quotes up to it together.
            long inside = quotes ^ quotes << 8;
            inside ^= inside << 16;
            inside ^= inside << 32;
            inside ^= inString & HIGH_BITS;
            long folded = eight | ONES * ('[' ^ '{'); // Square brackets look like braces.
            int opened = Long.bitCount(exactMatches(folded, '{') & ~inside);
            int closed = Long.bitCount(exactMatches(folded, '}') & ~inside);
            if (closed >= depth) {
                break;
            }
            depth += opened - closed;
            inString = inside >> Long.SIZE - 1;
        }
        return endsOnce(json, i, depth, inString != 0);
    }

    private static boolean endsOnce(byte[] json, int from, int depthThere, boolean isInString) {
        int depth = depthThere;
        for (int i = isInString ? endOfString(json, from) + 1 : from; i < json.length; i++) {
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

    /** The high bit of each byte that is {@code wanted}, and of no other. */
    private static long exactMatches(long eight, char wanted) {
        long differs = eight ^ ONES * wanted;
        return ~((differs & ~HIGH_BITS) + ~HIGH_BITS | differs) & HIGH_BITS;
    }

    static boolean isSpace(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }
}
