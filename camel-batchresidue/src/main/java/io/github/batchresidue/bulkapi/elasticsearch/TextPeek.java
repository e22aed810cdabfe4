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

    private TextPeek() {}

    /**
     * Whether the text begins with an action, or has what can only be an action line soon after a beginning that is broken;
     * the stream is left where it was.
     */
    static boolean isBulkRequest(InputStream text) throws IOException {
        text.mark(ENOUGH);
        byte[] start = text.readNBytes(ENOUGH);
        text.reset();
        return isAction(start, 0, start.length) || skip(start, 0, start.length, '[') < 0 && hasActionLine(start);
    }

    private static boolean hasActionLine(byte[] start) throws IOException {
        int from = 0;
        for (int to = Bytes.newline(start, 0, start.length); to >= 0; to = Bytes.newline(start, from, start.length)) {
            if (isActionLine(start, from, to)) {
                return true;
            }
            from = to + 1;
        }
        return false;
    }

    /** Whether the bytes can hardly be anything but an action line. */
    static boolean isActionLine(byte[] bytes, int from, int to) throws IOException {
        return isAction(bytes, from, to) && ActionLine.isCertain(bytes, from, to);
    }

    /** Whether there is an object whose first member is one of the four words, with an object as its value. */
    static boolean isAction(byte[] bytes, int from, int to) {
        int at = skip(bytes, skip(bytes, from, to, '{'), to, '"');
        for (Action action : Action.ALL) {
            int behind = skipWord(bytes, at, to, action.word());
            if (behind >= 0) {
                return skip(bytes, skip(bytes, behind, to, ':'), to, '{') >= 0;
            }
        }
        return false;
    }

    private static int skip(byte[] bytes, int from, int to, char wanted) {
        int at = from;
        while (at >= 0 && at < to && Bytes.isSpace(bytes[at])) {
            at++;
        }
        return at >= 0 && at < to && bytes[at] == wanted ? at + 1 : -1;
    }

    private static int skipWord(byte[] bytes, int from, int to, String word) {
        if (from < 0 || to < from + word.length() + 1) {
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
