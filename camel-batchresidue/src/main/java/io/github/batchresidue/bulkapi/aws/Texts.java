/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

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
}
