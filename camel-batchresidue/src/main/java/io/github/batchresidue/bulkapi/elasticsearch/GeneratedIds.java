/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.UUID;

/** Ids for documents that came without one, so that sending them again after an unknown outcome does no harm. */
final class GeneratedIds {

    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private GeneratedIds() {}

    /** An id that no other document has: 22 characters that need no escape. */
    static String next() {
        UUID id = UUID.randomUUID();
        byte[] bytes = ByteBuffer.allocate(Long.BYTES * 2)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
        return BASE64.encodeToString(bytes);
    }

    /** The action line with the id as the first of its metadata, and a newline. */
    static byte[] insert(String id, byte[] bytes, int from, int to) {
        String line = new String(bytes, from, to - from, StandardCharsets.UTF_8).stripTrailing();
        int metadata = line.indexOf('{', line.indexOf('{') + 1) + 1;
        boolean isEmpty = line.substring(metadata).stripLeading().startsWith("}");
        String named = line.substring(0, metadata) + "\"_id\":\"" + id + '"' + (isEmpty ? "" : ",")
                + line.substring(metadata) + '\n';
        return named.getBytes(StandardCharsets.UTF_8);
    }
}
