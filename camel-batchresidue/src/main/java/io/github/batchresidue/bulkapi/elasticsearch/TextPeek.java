/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import java.io.IOException;
import java.io.InputStream;

/** Tells a {@code _bulk} text from a text of documents by how it begins. */
final class TextPeek {

    private static final int ENOUGH = 4096;
    private static final int BYTE_ORDER_MARK = 3;

    private TextPeek() {}

    /** Whether the text begins with an action; leaves the stream where that begins, or where it was. */
    static boolean isBulkRequest(InputStream text) throws IOException {
        text.mark(ENOUGH);
        byte[] start = text.readNBytes(ENOUGH);
        int from = start.length >= BYTE_ORDER_MARK && (start[0] & 0xff) == 0xef ? BYTE_ORDER_MARK : 0;
        text.reset();
        if (!isAction(start, from)) {
            return false;
        }
        text.skipNBytes(from);
        return true;
    }

    /** An object whose first member is one of the four words with an object as its value. */
    private static boolean isAction(byte[] bytes, int from) {
        int at = skip(bytes, from, '{');
        at = skip(bytes, at, '"');
        for (Action action : Action.values()) {
            int behind = skipWord(bytes, at, action.word());
            if (behind >= 0) {
                return skip(bytes, skip(bytes, behind, ':'), '{') >= 0;
            }
        }
        return false;
    }

    private static int skip(byte[] bytes, int from, char wanted) {
        int at = from;
        while (at >= 0 && at < bytes.length && Bytes.isSpace(bytes[at])) {
            at++;
        }
        return at >= 0 && at < bytes.length && bytes[at] == wanted ? at + 1 : -1;
    }

    private static int skipWord(byte[] bytes, int from, String word) {
        if (from < 0 || bytes.length < from + word.length() + 1) {
            return -1;
        }
        for (int i = 0; i < word.length(); i++) {
            if (bytes[from + i] != word.charAt(i)) {
                return -1;
            }
        }
        return bytes[from + word.length()] == '"' ? from + word.length() + 1 : -1;
    }
}
