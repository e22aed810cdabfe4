/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.benchmarks;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/** HTTP answers. Those without an error are made once for each number of operations. Not thread-safe. */
final class BulkAnswers {

    private final Map<AnswerText, Map<Integer, ByteBuffer>> clean = new EnumMap<>(AnswerText.class);

    ByteBuffer answer(AnswerText text, int operations, BitSet rejected) {
        if (!rejected.isEmpty()) {
            return make(text, operations, rejected);
        }
        return clean.computeIfAbsent(text, t -> new HashMap<>())
                .computeIfAbsent(operations, n -> make(text, n, rejected))
                .duplicate();
    }

    private static ByteBuffer make(AnswerText text, int operations, BitSet rejected) {
        byte[] body = text.of(operations, rejected);
        String head = "HTTP/1.1 200 OK\r\nX-Elastic-Product: Elasticsearch\r\nContent-Type: application/json\r\n"
                + "Content-Length: " + body.length + "\r\n\r\n";
        return ByteBuffer.allocateDirect(head.length() + body.length)
                .put(head.getBytes(StandardCharsets.ISO_8859_1))
                .put(body)
                .flip();
    }
}
