/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import io.github.batchresidue.bulkapi.InvalidItemException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * One operation as the lines of a {@code _bulk} text: what an operation of such a text has for its body, and what therefore
 * comes again in lists of bodies.
 */
final class OperationText {

    private OperationText() {}

    /** Whether the text begins with what can only be an action line. Of most documents the first few bytes say no. */
    static boolean is(byte[] text) {
        try {
            return TextPeek.isAction(text, 0, text.length) && ActionLine.isCertain(text, 0, endOfLine(text));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // Bytes in memory can be read.
        }
    }

    /** @param body the text as the caller gave it */
    static BulkOperation read(Object body, byte[] text, OperationKeys keys, boolean isGeneratingIds)
            throws InvalidItemException {
        int end = endOfLine(text);
        try {
            ActionLine line = ActionLine.parse(text, 0, end);
            byte[] source = source(line.action(), text, Math.min(end + 1, text.length));
            if (isGeneratingIds && line.canBeGivenId()) {
                String id = GeneratedIds.next();
                byte[] head = GeneratedIds.insert(id, text, 0, end);
                return new BulkOperation(body, line.withId(id), head, Slice.of(source), null, keys);
            }
            byte[] head = Arrays.copyOf(text, end + 1);
            head[end] = '\n';
            return new BulkOperation(body, line, head, Slice.of(source), null, keys);
        } catch (IOException e) {
            throw new InvalidItemException(e.getMessage());
        }
    }

    private static byte[] source(Action action, byte[] text, int from) throws InvalidItemException {
        int to = text.length;
        while (to > from && Bytes.isSpace(text[to - 1])) {
            to--;
        }
        byte[] source = Arrays.copyOfRange(text, from, to);
        boolean fits = action.hasSource() ? ObjectForm.of(source) == ObjectForm.LINE : source.length == 0;
        if (!fits) {
            throw new InvalidItemException("behind its action line " + action.word() + " expected "
                    + (action.hasSource() ? "one JSON object in one line, and " : "")
                    + "nothing more: several operations are one text and no element of a list");
        }
        // With the line end that it came with, as far as it is one.
        return action.hasSource() && to < text.length && text[to] == '\r'
                ? Arrays.copyOfRange(text, from, to + 1)
                : source;
    }

    private static int endOfLine(byte[] text) {
        int newline = Bytes.newline(text, 0, text.length);
        return newline < 0 ? text.length : newline;
    }
}
