/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import software.amazon.awssdk.core.SdkBytes;

/** How large texts are. */
public final class Texts {

    private Texts() {}

    /** Bytes in UTF-8; 0 of null. */
    public static long utf8(String text) {
        long bytes = 0;
        for (int i = 0; text != null && i < text.length(); i++) {
            char c = text.charAt(i);
            // Each half of a surrogate pair stands for two of the four bytes.
            bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return bytes;
    }

    /** Bytes of a message's attribute: its name, its type and its value, which is a text or bytes. */
    public static long attribute(String name, String type, String text, SdkBytes bytes) {
        return utf8(name) + utf8(type) + utf8(text) + (bytes == null ? 0 : bytes.asByteArrayUnsafe().length);
    }
}
