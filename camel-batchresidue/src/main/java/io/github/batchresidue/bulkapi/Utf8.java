/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi;

import java.nio.charset.StandardCharsets;

/** Text as UTF-8. */
public final class Utf8 {

    private Utf8() {}

    /**
     * The bytes of a text.
     *
     * @throws InvalidItemException if it holds half a surrogate pair, which UTF-8 has no bytes for: Java would put a
     *     question mark there, and another text would be sent than was given
     */
    public static byte[] bytes(String text) throws InvalidItemException {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                boolean isPair = Character.isHighSurrogate(c)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!isPair) {
                    throw new InvalidItemException(
                            "its text has half a surrogate pair at character " + i + ", which UTF-8 cannot hold");
                }
                i++;
            }
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
