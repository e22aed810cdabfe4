/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.benchmarks;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** HTTP answers. Each is made once: the same items are rejected in all full requests. Not thread-safe. */
final class BulkAnswers {

    private record Key(AnswerText text, int operations, BitSet rejected) {}

    private final Map<Key, ByteBuffer> made = new HashMap<>();

    ByteBuffer answer(AnswerText text, int operations, BitSet rejected) {
        ByteBuffer answer = made.get(new Key(text, operations, rejected));
        if (answer == null) {
            answer = make(text, operations, rejected);
            made.put(new Key(text, operations, (BitSet) rejected.clone()), answer);
        }
        return answer.duplicate();
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
