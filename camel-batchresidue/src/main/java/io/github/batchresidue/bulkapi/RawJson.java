/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi;

import java.nio.charset.StandardCharsets;

/**
 * An element of a JSON text: its own bytes, UTF-8, as they stood there.
 *
 * @param utf8 not to be modified
 */
public record RawJson(byte[] utf8) {

    /** The element's own text. */
    public String text() {
        return new String(utf8, StandardCharsets.UTF_8);
    }

    /** What a caller is given back for an element: of a JSON text its own text, else what the caller put there. */
    public static Object body(Object element) {
        if (element instanceof RequestElement part) {
            return body(part.original());
        }
        return element instanceof RawJson json ? json.text() : element;
    }

    @Override
    public String toString() {
        return "RawJson[" + utf8.length + " bytes]";
    }
}
