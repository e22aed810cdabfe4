/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

/** What a JSON text is, as far as a request of lines has to know. */
enum ObjectForm {
    /** Not one JSON object, or one with something before or behind it that would go into the request with it. */
    NONE,
    /** One JSON object in one line. */
    LINE,
    /** One JSON object, with line ends in it or around it. */
    LINES;

    /**
     * Tells by brackets and strings alone. Whether the tokens inside are right is for the service to say.
     *
     * <p>Every byte of every document passes here: as long as eight of them hold nothing but plain text and quotes they
     * are taken together, and only the others one by one.
     */
    static ObjectForm of(byte[] json) {
        int i = 0;
        boolean hasLineEnd = false;
        for (; i < json.length && Bytes.isSpace(json[i]); i++) {
            hasLineEnd |= isLineEnd(json[i]);
        }
        if (i == json.length || json[i++] != '{') {
            return NONE;
        }
        int depth = 1;
        boolean isInString = false;
        boolean isEscaped = false;
        while (depth > 0 && i < json.length) {
            if (!isEscaped) {
                int at = endOfPlainText(json, i);
                isInString ^= at < 0;
                i = at < 0 ? ~at : at;
            }
            for (int to = Math.min(i + Long.BYTES, json.length); depth > 0 && i < to; i++) {
                byte b = json[i];
                hasLineEnd |= isLineEnd(b);
                if (isInString) {
                    isInString = isEscaped || b != '"';
                    isEscaped = !isEscaped && b == '\\';
                } else {
                    isInString = b == '"';
                    depth += change(b);
                }
            }
        }
        for (; i < json.length && Bytes.isSpace(json[i]); i++) {
            hasLineEnd |= isLineEnd(json[i]);
        }
        if (depth > 0 || i < json.length) {
            return NONE;
        }
        return hasLineEnd ? LINES : LINE;
    }

    /** Where something else stands than plain text and quotes; its complement if the quotes are odd in number. */
    private static int endOfPlainText(byte[] json, int from) {
        int i = from;
        long others = 0; // Of an even number of bytes, all but the quotes are odd in number exactly if the quotes are.
        for (; i <= json.length - 2 * Long.BYTES; i += 2 * Long.BYTES) {
            long first = Bytes.eightAt(json, i);
            long second = Bytes.eightAt(json, i + Long.BYTES);
            if (Bytes.hasHighBits(Bytes.structure(first) | Bytes.structure(second))) {
                break;
            }
            others ^= Bytes.allButQuotes(first) ^ Bytes.allButQuotes(second);
        }
        if (i <= json.length - Long.BYTES) {
            long last = Bytes.eightAt(json, i);
            if (!Bytes.hasHighBits(Bytes.structure(last))) {
                others ^= Bytes.allButQuotes(last);
                i += Long.BYTES;
            }
        }
        return Bytes.hasOddHighBits(others) ? ~i : i;
    }

    private static boolean isLineEnd(byte b) {
        return b == '\n' || b == '\r';
    }

    private static int change(byte b) {
        return switch (b) {
            case '{', '[' -> 1;
            case '}', ']' -> -1;
            default -> 0;
        };
    }
}
