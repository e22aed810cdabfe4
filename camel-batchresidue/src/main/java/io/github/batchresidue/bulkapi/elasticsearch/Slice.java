/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * A part of an array that others share. Immutable.
 *
 * @param from its first byte
 * @param to behind its last byte
 */
record Slice(byte[] bytes, int from, int to) {

    static Slice of(byte[] bytes) {
        return new Slice(bytes, 0, bytes.length);
    }

    int length() {
        return to - from;
    }

    boolean endsWithNewline() {
        return to > from && bytes[to - 1] == '\n';
    }

    /** What begins at {@code start}. */
    Slice after(int start) {
        return new Slice(bytes, start, to);
    }

    /** Whether the other begins in the same array where this one ends. */
    boolean isFollowedBy(Slice next) {
        return bytes == next.bytes && to == next.from;
    }

    /** This one with those that follow it, up to {@code last}. */
    Slice upTo(Slice last) {
        return new Slice(bytes, from, last.to);
    }

    /** The same bytes in an array of their own, if the one they are in holds many others. */
    Slice apart() {
        return length() < bytes.length / 2 ? of(toBytes()) : this;
    }

    byte[] toBytes() {
        return Arrays.copyOfRange(bytes, from, to);
    }

    void writeTo(OutputStream out) throws IOException {
        out.write(bytes, from, length());
    }
}
