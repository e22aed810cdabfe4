/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.bulkapi.RawJson;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Cuts a JSON text in UTF-8 into its elements, each with its own bytes: the items of an array, or else the values that
 * stand on lines of their own (NDJSON), over several lines, or one object after the other. Reads as far as the next
 * element needs and keeps nothing of those before it.
 *
 * <p>Nothing is passed over. A broken array ends the reading with an {@link UncheckedIOException} that names the byte,
 * after the elements before it. A broken line is an element with a {@link Element#problem()}, and the lines after it are
 * read as if it were not there; only an object that begins with a line of its own takes its inner lines with it, for
 * these are parts of an item and must not be taken for items.
 */
final class JsonElements implements Iterator<JsonElements.Element>, Closeable {

    /**
     * One element.
     *
     * @param json its bytes
     * @param problem why they are no JSON; null if they are
     */
    record Element(RawJson json, String problem) {}

    private enum Layout {
        NOT_SEEN,
        LINES,
        ARRAY_START,
        ARRAY_NEXT,
        ARRAY_END
    }

    private static final int BUFFER_SIZE = 64 * 1024;
    private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;
    private static final int END = -1;

    private final InputStream in;

    private byte[] buffer = new byte[BUFFER_SIZE];
    /** The first byte that belongs to no element yet. */
    private int position;

    private int limit;
    /** Where in the text the buffer begins. */
    private long bufferAt;
    /** Blanks between the start of the line and the {@link #position}. */
    private int indent;

    private Layout layout = Layout.NOT_SEEN;
    private JsonScanner scanner;
    private Element ahead;
    private IOException failure;

    /** @param in UTF-8 without a byte order mark */
    JsonElements(InputStream in) {
        this.in = in;
    }

    /** Reads up to the end of the next element. */
    @Override
    public boolean hasNext() {
        if (ahead == null && failure == null) {
            try {
                ahead = read();
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw new UncheckedIOException(failure);
        }
        return ahead != null;
    }

    @Override
    public Element next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        Element element = ahead;
        ahead = null;
        return element;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private Element read() throws IOException {
        if (layout == Layout.NOT_SEEN) {
            int first = skipBlanks();
            if (first == END) {
                return null;
            }
            layout = first == '[' ? Layout.ARRAY_START : Layout.LINES;
            scanner = new JsonScanner(layout == Layout.LINES);
            if (first == '[') {
                position++;
            }
        }
        return layout == Layout.LINES ? readLine() : readArray();
    }

    // ---- Arrays

    private Element readArray() throws IOException {
        int b = skipBlanks();
        if (layout != Layout.ARRAY_END && b == ']') {
            position++;
            layout = Layout.ARRAY_END;
            b = skipBlanks();
        }
        if (layout == Layout.ARRAY_END) {
            if (b == END) {
                return null;
            }
            throw brokenArray("text after its end", position);
        }
        if (layout == Layout.ARRAY_NEXT) {
            if (b == ',') {
                position++;
                b = skipBlanks();
            } else if (b != END) {
                throw brokenArray("expected ',' or ']'", position);
            }
        }
        if (b == END) {
            throw brokenArray("the text ends before it", position);
        }
        layout = Layout.ARRAY_NEXT;
        int length = scan();
        if (length == JsonScanner.BROKEN) {
            throw brokenArray(scanner.problem(), position + scanner.problemAt());
        }
        return take(length, valueProblem());
    }

    private IOException brokenArray(String problem, int at) {
        return new IOException("broken JSON array: " + problem + ", at byte " + (bufferAt + at));
    }

    // ---- Lines

    private Element readLine() throws IOException {
        if (skipBlanks() == END) {
            return null;
        }
        int length = scan();
        if (length == JsonScanner.BROKEN) {
            return takeBroken(scanner.problem(), scanner.problemAt());
        }
        int next = skipBlanksOfLine(length);
        int b = peek(next);
        if (b == '\n' || b == '{' || b == END) {
            return take(length, valueProblem());
        }
        return takeBroken("text after the value", next);
    }

    private Element takeBroken(String what, int at) throws IOException {
        int end = endOfLine(0);
        if (peek(0) == '{' && skipBlanksOfLine(1) == end && at > skipBlanks(end)) {
            end = endOfInnerLines(end);
        }
        while (isBlank(buffer[position + end - 1])) {
            end--;
        }
        return take(end, at > end ? problem("the line ends inside a value", end) : problem(what, at));
    }

    /** The end of the lines that are indented deeper, or of the line that closes the object. */
    private int endOfInnerLines(int endOfFirst) throws IOException {
        int end = endOfFirst;
        while (peek(end) != END) {
            int line = end + 1;
            int first = skipBlanksOfLine(line);
            int b = peek(first);
            boolean deeper = first - line > indent;
            boolean closes = b == '}' || b == ']';
            if (b != '\n' && !deeper && !closes) {
                break;
            }
            end = endOfLine(first);
            if (closes && !deeper) {
                break;
            }
        }
        return end;
    }

    private int endOfLine(int from) throws IOException {
        int end = from;
        for (int b = peek(end); b != '\n' && b != END; b = peek(end)) {
            end++;
        }
        return end;
    }

    private int skipBlanksOfLine(int from) throws IOException {
        int end = from;
        for (int b = peek(end); b != '\n' && isBlank(b); b = peek(end)) {
            end++;
        }
        return end;
    }

    private int skipBlanks(int from) throws IOException {
        int end = from;
        while (isBlank(peek(end))) {
            end++;
        }
        return end;
    }

    // ---- Bytes; lengths and places are counted from the position, for the buffer moves

    private int scan() throws IOException {
        scanner.begin();
        int end = scanner.scan(buffer, position, limit);
        while (end == JsonScanner.MORE) {
            end = fill() ? scanner.scan(buffer, position, limit) : scanner.end(buffer, position, limit);
        }
        return end == JsonScanner.BROKEN ? end : end - position;
    }

    private Element take(int length, String problem) {
        byte[] bytes = Arrays.copyOfRange(buffer, position, position + length);
        position += length;
        indent = 0;
        return new Element(new RawJson(bytes), problem);
    }

    private String valueProblem() {
        return scanner.problem() == null ? null : problem(scanner.problem(), scanner.problemAt());
    }

    private String problem(String what, int at) {
        return "no JSON: " + what + ", at byte " + (bufferAt + position + at);
    }

    /** The next byte that is no blank, and the position there. */
    private int skipBlanks() throws IOException {
        do {
            while (position < limit) {
                byte b = buffer[position];
                if (!isBlank(b)) {
                    return b & 0xFF;
                }
                indent = b == '\n' ? 0 : indent + 1;
                position++;
            }
        } while (fill());
        return END;
    }

    private int peek(int at) throws IOException {
        while (position + at >= limit) {
            if (!fill()) {
                return END;
            }
        }
        return buffer[position + at] & 0xFF;
    }

    private boolean fill() throws IOException {
        if (position == limit) {
            bufferAt += position;
            position = 0;
            limit = 0;
        } else if (limit == buffer.length) {
            makeRoom();
        }
        int count = in.read(buffer, limit, buffer.length - limit);
        if (count < 0) {
            return false;
        }
        limit += count;
        return true;
    }

    private void makeRoom() throws IOException {
        int kept = limit - position;
        byte[] target = buffer;
        if (kept > buffer.length / 2) {
            if (buffer.length == LARGEST_ARRAY) {
                throw new IOException("an element of more than 2 GiB begins at byte " + (bufferAt + position));
            }
            target = new byte[(int) Math.min(2L * buffer.length, LARGEST_ARRAY)];
        }
        System.arraycopy(buffer, position, target, 0, kept);
        buffer = target;
        bufferAt += position;
        position = 0;
        limit = kept;
    }

    private static boolean isBlank(int b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }
}
