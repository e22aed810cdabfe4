/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import java.util.Arrays;

/**
 * Finds where one JSON value ends in bytes that come piece by piece, without building anything of it.
 *
 * <p>The brackets, commas and colons have to be right, for without them nobody knows where the value ends. A token that
 * is wrong in itself (a bad escape, {@code NaN}) is noted and passed over: its value is {@link #problem() no JSON}, and
 * yet the values after it can be found.
 */
final class JsonScanner {

    /** The value goes on after the bytes at hand. */
    static final int MORE = -1;
    /** Nobody knows where the value ends. */
    static final int BROKEN = -2;

    /** As deep as Jackson reads by default; no item is deeper. */
    static final int MAX_DEPTH = 1000;

    private static final int VALUE = 0;
    private static final int VALUE_OR_END = 1;
    private static final int NAME = 2;
    private static final int NAME_OR_END = 3;
    private static final int COLON = 4;
    private static final int NEXT_OR_END = 5;
    private static final int STRING = 6;
    private static final int ESCAPE = 7;
    private static final int HEX = 8;
    private static final int WORD = 9;

    /** Bytes at which a string ends or needs a closer look. */
    private static final boolean[] ENDS_STRING = new boolean[256];
    /** Bytes at which a number or a literal ends. */
    private static final boolean[] ENDS_WORD = new boolean[256];

    static {
        Arrays.fill(ENDS_STRING, 0, ' ', true);
        ENDS_STRING['"'] = true;
        ENDS_STRING['\\'] = true;
        for (char c : " \t\r\n,:[]{}\"".toCharArray()) {
            ENDS_WORD[c] = true;
        }
    }

    private final boolean lines;

    private int state;
    /** Open brackets; of each whether it is that of an object. */
    private final boolean[] objects = new boolean[MAX_DEPTH];

    private int depth;
    private boolean inName;
    private int hexDigits;
    private int wordAt;
    /** How far the value has been read, from its start. */
    private int scanned;

    private String problem;
    private int problemAt;

    /** @param lines whether a line end or the end ends a value, else only a comma or bracket after it does */
    JsonScanner(boolean lines) {
        this.lines = lines;
    }

    private static boolean isBlank(int b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    /** Makes ready for another value. */
    void begin() {
        state = VALUE;
        depth = 0;
        inName = false;
        scanned = 0;
        problem = null;
    }

    /** Why the value is broken, or no JSON; null if all is well. */
    String problem() {
        return problem;
    }

    /** Where the {@link #problem()} is, from the start of the value. */
    int problemAt() {
        return problemAt;
    }

    /**
     * Goes on with the value, whose first byte, no blank, is at {@code start}.
     *
     * @return the index after its last byte, {@link #MORE} or {@link #BROKEN}
     */
    int scan(byte[] bytes, int start, int limit) {
        int i = start + scanned;
        while (i < limit) {
            int b = bytes[i] & 0xFF;
            switch (state) {
                case STRING -> {
                    while (!ENDS_STRING[b]) {
                        if (++i == limit) {
                            return more(i - start);
                        }
                        b = bytes[i] & 0xFF;
                    }
                    if (b == '"') {
                        if (inName) {
                            inName = false;
                            state = COLON;
                        } else if (depth == 0) {
                            return i + 1;
                        } else {
                            state = NEXT_OR_END;
                        }
                    } else if (b == '\\') {
                        state = ESCAPE;
                    } else if (b == '\n' && lines) {
                        return broken("the line ends inside a string", i - start);
                    } else {
                        note("control character in a string", i - start);
                    }
                }
                case ESCAPE -> {
                    if (b == 'u') {
                        hexDigits = 0;
                        state = HEX;
                    } else {
                        if ("\"\\/bfnrt".indexOf(b) < 0) {
                            note("bad escape in a string", i - start);
                        }
                        state = STRING;
                        if (b < ' ') {
                            continue;
                        }
                    }
                }
                case HEX -> {
                    if (Character.digit(b, 16) < 0) {
                        note("bad escape in a string", i - start);
                        state = STRING;
                        continue;
                    }
                    if (++hexDigits == 4) {
                        state = STRING;
                    }
                }
                case WORD -> {
                    while (!ENDS_WORD[b]) {
                        if (++i == limit) {
                            return more(i - start);
                        }
                        b = bytes[i] & 0xFF;
                    }
                    endWord(bytes, start, i);
                    if (depth == 0) {
                        return i;
                    }
                    state = NEXT_OR_END;
                    continue;
                }
                default -> {
                    if (!isBlank(b)) {
                        if (!structure(b, i - start)) {
                            return BROKEN;
                        }
                        if (state == NEXT_OR_END && depth == 0) {
                            return i + 1;
                        }
                    }
                }
            }
            i++;
        }
        return more(i - start);
    }

    /**
     * Says that no byte comes after those at hand.
     *
     * @return the index after the value's last byte, or {@link #BROKEN}
     */
    int end(byte[] bytes, int start, int limit) {
        if (state == WORD && depth == 0 && lines) { // In an array the rest of the word may be missing.
            endWord(bytes, start, limit);
            return limit;
        }
        return broken("the text ends inside a value", limit - start);
    }

    /** Takes a byte between the tokens; false if it is out of place. */
    private boolean structure(int b, int at) {
        boolean inObject = depth > 0 && objects[depth - 1];
        switch (state) {
            case NEXT_OR_END:
                if (b == ',') {
                    state = inObject ? NAME : VALUE;
                    return true;
                }
                return close(b, inObject) || expected(inObject ? "',' or '}'" : "',' or ']'", at);
            case COLON:
                state = VALUE;
                return b == ':' || expected("':'", at);
            case NAME:
            case NAME_OR_END:
                if (b == '"') {
                    inName = true;
                    state = STRING;
                    return true;
                }
                return state == NAME_OR_END && close(b, true) || expected("a member name", at);
            default:
                return state == VALUE_OR_END && close(b, false) || value(b, at);
        }
    }

    private boolean value(int b, int at) {
        if (b == '"') {
            state = STRING;
        } else if (b == '{' || b == '[') {
            if (depth == MAX_DEPTH) {
                broken("nested deeper than " + MAX_DEPTH, at);
                return false;
            }
            objects[depth] = b == '{';
            depth++;
            state = b == '{' ? NAME_OR_END : VALUE_OR_END;
        } else if (ENDS_WORD[b]) {
            return expected("a value", at);
        } else {
            wordAt = at;
            state = WORD;
        }
        return true;
    }

    private boolean close(int b, boolean object) {
        if (b != (object ? '}' : ']')) {
            return false;
        }
        depth--;
        state = NEXT_OR_END;
        return true;
    }

    private void endWord(byte[] bytes, int start, int end) {
        int from = start + wordAt;
        if (!isLiteral(bytes, from, end) && !isNumber(bytes, from, end)) {
            note("neither a number nor true, false or null", wordAt);
        }
    }

    private static boolean isLiteral(byte[] bytes, int from, int to) {
        return switch (bytes[from]) {
            case 't' -> is("true", bytes, from, to);
            case 'f' -> is("false", bytes, from, to);
            case 'n' -> is("null", bytes, from, to);
            default -> false;
        };
    }

    private static boolean is(String literal, byte[] bytes, int from, int to) {
        if (to - from != literal.length()) {
            return false;
        }
        for (int i = 0; i < literal.length(); i++) {
            if (bytes[from + i] != literal.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isNumber(byte[] bytes, int from, int to) {
        int i = from;
        if (bytes[i] == '-') {
            i++;
        }
        int digits = i;
        i = skipDigits(bytes, i, to);
        if (i == digits || i > digits + 1 && bytes[digits] == '0') {
            return false;
        }
        if (i < to && bytes[i] == '.') {
            digits = i + 1;
            i = skipDigits(bytes, digits, to);
            if (i == digits) {
                return false;
            }
        }
        if (i < to && (bytes[i] | 0x20) == 'e') {
            i++;
            if (i < to && (bytes[i] == '+' || bytes[i] == '-')) {
                i++;
            }
            digits = i;
            i = skipDigits(bytes, digits, to);
            if (i == digits) {
                return false;
            }
        }
        return i == to;
    }

    private static int skipDigits(byte[] bytes, int from, int to) {
        int i = from;
        while (i < to && bytes[i] >= '0' && bytes[i] <= '9') {
            i++;
        }
        return i;
    }

    private int more(int length) {
        scanned = length;
        return MORE;
    }

    private boolean expected(String what, int at) {
        broken("expected " + what, at);
        return false;
    }

    private int broken(String what, int at) {
        problem = what;
        problemAt = at;
        return BROKEN;
    }

    private void note(String what, int at) {
        if (problem == null) {
            problem = what;
            problemAt = at;
        }
    }
}
