/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads action lines one after the other. Most lines of a text are plain and many are equal, so what an equal line gave
 * is given again, and a line without escapes and nesting is read without a parser. Not thread-safe.
 */
final class ActionLineReader {

    private byte[] previousBytes = {};
    private ActionLine previous;
    private String lastIndex = "";

    private byte[] bytes;
    private int at;
    private int end;

    /**
     * @param from the first byte of the line
     * @param to behind its last byte, without the line end
     * @throws IOException saying what is wrong if it is no action line
     */
    ActionLine read(byte[] line, int from, int to) throws IOException {
        if (previous != null && Arrays.equals(line, from, to, previousBytes, 0, previousBytes.length)) {
            return previous;
        }
        bytes = line;
        at = from;
        end = to;
        ActionLine read = plain();
        if (read == null) {
            read = ActionLine.parse(line, from, to);
        }
        if (!read.hasId()) {
            previousBytes = Arrays.copyOfRange(line, from, to);
            previous = read;
        }
        return read;
    }

    /** The line if it is plain: strings without escapes and single values; null if a parser has to look at it. */
    private ActionLine plain() {
        if (!skip('{')) {
            return null;
        }
        Action action = actionWord();
        if (action == null || !skip(':') || !skip('{')) {
            return null;
        }
        String index = null;
        String id = null;
        boolean isVersioned = false;
        boolean hasMore = !skip('}');
        while (hasMore) {
            int nameFrom = string();
            int nameTo = at - 1;
            if (nameFrom < 0 || !skip(':')) {
                return null;
            }
            skipSpace();
            boolean isString = at < end && bytes[at] == '"';
            int valueFrom = isString ? string() : single();
            int valueTo = isString ? at - 1 : at;
            if (valueFrom < 0) {
                return null;
            }
            if (is("_index", nameFrom, nameTo)) {
                index = isString ? index(valueFrom, valueTo) : text(valueFrom, valueTo);
            } else if (is("_id", nameFrom, nameTo)) {
                id = text(valueFrom, valueTo);
            } else if (is("version_type", nameFrom, nameTo)) {
                isVersioned = text(valueFrom, valueTo).startsWith("external");
            }
            hasMore = skip(',');
            if (!hasMore && !skip('}')) {
                return null;
            }
        }
        return skip('}') && isAtEnd() ? new ActionLine(action, index, id, isVersioned) : null;
    }

    private Action actionWord() {
        int from = string();
        if (from < 0) {
            return null;
        }
        for (Action action : Action.values()) {
            if (is(action.word(), from, at - 1)) {
                return action;
            }
        }
        return null;
    }

    /** Where the string begins that stands here, and goes behind its closing quote; -1 if it is none or not plain. */
    private int string() {
        if (!skip('"')) {
            return -1;
        }
        int from = at;
        while (at < end) {
            byte b = bytes[at++];
            if (b == '"') {
                return from;
            }
            if (b == '\\' || b >= 0 && b < ' ') {
                return -1;
            }
        }
        return -1;
    }

    /** Where the number or word begins that stands here, and goes behind it; -1 if it is something else, or null. */
    private int single() {
        int from = at;
        while (at < end && isPartOfSingle(bytes[at])) {
            at++;
        }
        return at == from || is("null", from, at) ? -1 : from;
    }

    private static boolean isPartOfSingle(byte b) {
        return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b == '-' || b == '+' || b == '.' || b == 'E';
    }

    private boolean skip(char wanted) {
        skipSpace();
        if (at < end && bytes[at] == wanted) {
            at++;
            return true;
        }
        return false;
    }

    private void skipSpace() {
        while (at < end && Bytes.isSpace(bytes[at])) {
            at++;
        }
    }

    private boolean isAtEnd() {
        skipSpace();
        return at == end;
    }

    private boolean is(String text, int from, int to) {
        if (text.length() != to - from) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) != bytes[from + i]) {
                return false;
            }
        }
        return true;
    }

    private String index(int from, int to) {
        if (!is(lastIndex, from, to)) {
            lastIndex = text(from, to);
        }
        return lastIndex;
    }

    private String text(int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }
}
