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

    /** The line if it is plain: strings of ASCII without escapes, and digits; null if a parser has to look at it. */
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
        boolean isConditional = false;
        boolean hasMore = !skip('}');
        while (hasMore) {
            int nameFrom = string();
            int nameTo = at - 1;
            if (nameFrom < 0 || !skip(':')) {
                return null;
            }
            skipSpace();
            boolean isString = at < end && bytes[at] == '"';
            int valueFrom = isString ? string() : digits();
            int valueTo = isString ? at - 1 : at;
            if (valueFrom < 0) {
                return null;
            }
            if (is(ActionLine.INDEX, nameFrom, nameTo)) {
                index = index(valueFrom, valueTo);
            } else if (is(ActionLine.ID, nameFrom, nameTo)) {
                id = text(valueFrom, valueTo);
            } else if (is(ActionLine.VERSION_TYPE, nameFrom, nameTo)) {
                isVersioned = ActionLine.isExternal(text(valueFrom, valueTo));
            } else if (is(ActionLine.OP_TYPE, nameFrom, nameTo)) {
                action = action.withOpType(text(valueFrom, valueTo));
            } else {
                isConditional |=
                        is(ActionLine.IF_SEQ_NO, nameFrom, nameTo) || is(ActionLine.IF_PRIMARY_TERM, nameFrom, nameTo);
            }
            hasMore = skip(',');
            if (!hasMore && !skip('}')) {
                return null;
            }
        }
        return skip('}') && isAtEnd() ? new ActionLine(action, index, id, isVersioned, isConditional) : null;
    }

    private Action actionWord() {
        int from = string();
        if (from < 0) {
            return null;
        }
        for (Action action : Action.ALL) {
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
            if (b == '\\' || b < ' ') { // An escape, a control character, or beyond ASCII.
                return -1;
            }
        }
        return -1;
    }

    /** Where the digits begin that stand here, and goes behind them; -1 if there are none, or not plain ones. */
    private int digits() {
        int from = at;
        while (at < end && bytes[at] >= '0' && bytes[at] <= '9') {
            at++;
        }
        boolean isPlain = at > from && (bytes[from] != '0' || at == from + 1);
        return isPlain ? from : -1;
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
