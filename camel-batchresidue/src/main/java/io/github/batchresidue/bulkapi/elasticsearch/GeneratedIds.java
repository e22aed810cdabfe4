/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.UUID;

/** Ids for documents that came without one, so that sending them again after an unknown outcome does no harm. */
final class GeneratedIds {

    private static final JsonFactory JSON = new JsonFactory();
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

    /** The action line with the id as the first of its metadata, in place of an empty one, and a newline. */
    static byte[] insert(String id, byte[] line, int from, int to) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream(to - from + id.length() + 16);
        try (JsonParser parser = JSON.createParser(line, from, to - from);
                JsonGenerator generator = JSON.createGenerator(out)) {
            parser.nextToken();
            generator.writeStartObject();
            generator.writeFieldName(parser.nextFieldName());
            parser.nextToken();
            generator.writeStartObject();
            generator.writeStringField(ActionLine.ID, id);
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                parser.nextToken();
                if (!name.equals(ActionLine.ID)) {
                    generator.writeFieldName(name);
                    copyValue(parser, generator);
                }
            }
            generator.writeEndObject();
            generator.writeEndObject();
        }
        out.write('\n');
        return out.toByteArray();
    }

    /** With numbers as they are written. */
    private static void copyValue(JsonParser parser, JsonGenerator generator) throws IOException {
        generator.copyCurrentEventExact(parser);
        for (int depth = change(parser); depth > 0; depth += change(parser)) {
            parser.nextToken();
            generator.copyCurrentEventExact(parser);
        }
    }

    private static int change(JsonParser parser) {
        return parser.currentToken().isStructStart() ? 1 : parser.currentToken().isStructEnd() ? -1 : 0;
    }
}
