/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import com.fasterxml.jackson.core.SerializableString;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Bytes for a generator of Jackson to write as they are: as a text they would lose what is no UTF-8, which is for the
 * service to judge. A generator that writes bytes asks for no more than that.
 */
record RawLines(byte[] bytes) implements SerializableString {

    @Override
    public byte[] asUnquotedUTF8() {
        return bytes;
    }

    @Override
    public int appendUnquotedUTF8(byte[] buffer, int offset) {
        if (bytes.length > buffer.length - offset) {
            return -1;
        }
        System.arraycopy(bytes, 0, buffer, offset, bytes.length);
        return bytes.length;
    }

    @Override
    public int writeUnquotedUTF8(OutputStream out) throws IOException {
        out.write(bytes);
        return bytes.length;
    }

    @Override
    public int putUnquotedUTF8(ByteBuffer out) {
        if (bytes.length > out.remaining()) {
            return -1;
        }
        out.put(bytes);
        return bytes.length;
    }

    @Override
    public String getValue() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public int charLength() {
        return getValue().length();
    }

    @Override
    public int appendUnquoted(char[] buffer, int offset) {
        String text = getValue();
        if (text.length() > buffer.length - offset) {
            return -1;
        }
        text.getChars(0, text.length(), buffer, offset);
        return text.length();
    }

    @Override
    public char[] asQuotedChars() {
        throw notQuoted();
    }

    @Override
    public byte[] asQuotedUTF8() {
        throw notQuoted();
    }

    @Override
    public int appendQuotedUTF8(byte[] buffer, int offset) {
        throw notQuoted();
    }

    @Override
    public int appendQuoted(char[] buffer, int offset) {
        throw notQuoted();
    }

    @Override
    public int writeQuotedUTF8(OutputStream out) {
        throw notQuoted();
    }

    @Override
    public int putQuotedUTF8(ByteBuffer out) {
        throw notQuoted();
    }

    private static UnsupportedOperationException notQuoted() {
        return new UnsupportedOperationException("the lines are JSON already");
    }
}
