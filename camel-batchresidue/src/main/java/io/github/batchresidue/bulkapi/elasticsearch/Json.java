/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.JsonProblem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Reads and writes the JSON of single lines. Its exceptions do not quote it. Safe for use by many threads. */
final class Json {

    /** A request has its limit in bytes; a text within it may be one long string. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    /** Numbers keep the digits they are written with. */
    private static final ObjectReader TREES = new ObjectMapper(FACTORY)
            .readerFor(JsonNode.class)
            .with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .without(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES);

    private static final PrettyPrinter IN_ONE_LINE = null;

    private final ObjectMapper mapper;
    private final ObjectWriter writer;

    /** @param mapper the user's, who may have told it to indent */
    Json(ObjectMapper mapper) {
        this.mapper = mapper;
        this.writer = mapper.writer(IN_ONE_LINE);
    }

    ObjectNode newObject() {
        return mapper.createObjectNode();
    }

    /** The JSON of a map, a tree or an object of the user's, in one line. */
    byte[] bytes(Object value) throws InvalidItemException {
        try {
            return writer.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new InvalidItemException(
                    "a " + value.getClass().getName() + " cannot be written as JSON: " + JsonProblem.of(e));
        }
    }

    /** The same as a tree. */
    ObjectNode tree(Object value) throws InvalidItemException {
        try {
            if (mapper.valueToTree(value) instanceof ObjectNode object) {
                return object;
            }
        } catch (IllegalArgumentException e) {
            throw new InvalidItemException(
                    "a " + value.getClass().getName() + " cannot be written as JSON: " + JsonProblem.of(e));
        }
        throw new InvalidItemException(
                "expected a JSON object, found " + value.getClass().getName());
    }

    /** The tree of a JSON text that is known to be an object. */
    static ObjectNode treeOf(byte[] json) throws InvalidItemException {
        try {
            return (ObjectNode) TREES.readTree(json);
        } catch (IOException e) {
            throw new InvalidItemException("it is not valid JSON: " + JsonProblem.of(e));
        }
    }

    /**
     * The single values of two members at the top of an object, by name; the rest of it is passed over.
     *
     * @param first may be null, as {@code second} may
     */
    static Map<String, String> topLevel(byte[] json, String first, String second) throws InvalidItemException {
        Map<String, String> found = new HashMap<>(4);
        try (JsonParser parser = FACTORY.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new InvalidItemException("expected a JSON object");
            }
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                JsonToken value = parser.nextToken();
                if ((name.equals(first) || name.equals(second))
                        && value.isScalarValue()
                        && value != JsonToken.VALUE_NULL) {
                    found.put(name, parser.getText());
                }
                parser.skipChildren();
            }
            return found;
        } catch (IOException e) {
            throw new InvalidItemException("it is not valid JSON: " + JsonProblem.of(e));
        }
    }

    /** The text without its line ends. */
    static byte[] inOneLine(byte[] json) throws InvalidItemException {
        ByteArrayOutputStream out = new ByteArrayOutputStream(json.length);
        try (JsonParser parser = FACTORY.createParser(json);
                JsonGenerator generator = FACTORY.createGenerator(out)) {
            while (parser.nextToken() != null) {
                generator.copyCurrentEventExact(parser);
            }
        } catch (IOException e) {
            throw new InvalidItemException("it is not valid JSON: " + JsonProblem.of(e));
        }
        return out.toByteArray();
    }
}
