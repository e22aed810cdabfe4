/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.ItemKey;
import io.github.batchresidue.bulkapi.RawJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import software.amazon.awssdk.core.SdkBytes;

/**
 * The bytes of a record: of an element that is bytes or a text these, of an element of a JSON text its own, of anything
 * else its JSON in one line. Safe for use by many threads.
 */
public final class RecordData {

    private static final PrettyPrinter IN_ONE_LINE = null;

    private final ObjectMapper mapper;
    private final ObjectWriter writer;

    /** @param mapper the user's, who may have told it to indent */
    public RecordData(ObjectMapper mapper) {
        this.mapper = mapper;
        this.writer = mapper.writer(IN_ONE_LINE);
    }

    /** The bytes of an element. */
    public SdkBytes of(Object element) throws InvalidItemException {
        if (element instanceof SdkBytes bytes) {
            return bytes;
        }
        if (element instanceof RawJson json) {
            return SdkBytes.fromByteArrayUnsafe(json.utf8());
        }
        if (element instanceof byte[] bytes) {
            return SdkBytes.fromByteArrayUnsafe(bytes);
        }
        if (element instanceof ByteBuffer buffer) {
            return SdkBytes.fromByteBuffer(buffer);
        }
        if (element instanceof CharSequence text) {
            return SdkBytes.fromByteArrayUnsafe(text.toString().getBytes(StandardCharsets.UTF_8));
        }
        if (element instanceof InputStream || element instanceof Reader) {
            throw new InvalidItemException("a stream can be read only once, and a record may have to be sent again:"
                    + " give its bytes or its text");
        }
        try {
            return SdkBytes.fromByteArrayUnsafe(writer.writeValueAsBytes(element));
        } catch (JsonProcessingException e) {
            throw new InvalidItemException(
                    "a " + element.getClass().getName() + " cannot be written as JSON: " + e.getOriginalMessage(), e);
        }
    }

    /** An element that has to be a JSON object: a text, a tree, a map or an object of the user's. */
    public ObjectNode object(Object element) throws InvalidItemException {
        JsonNode tree;
        try {
            if (element instanceof RawJson json) {
                tree = mapper.readTree(json.utf8());
            } else if (element instanceof CharSequence text) {
                tree = mapper.readTree(text.toString());
            } else {
                tree = mapper.valueToTree(element);
            }
        } catch (IOException | IllegalArgumentException e) {
            // Without the cause: its message may quote the text.
            throw new InvalidItemException(
                    "cannot be read as JSON: " + e.getClass().getSimpleName());
        }
        if (tree instanceof ObjectNode object) {
            return object;
        }
        throw new InvalidItemException("expected a JSON object");
    }

    /** The bytes as JSON; a missing node if they are none. */
    public JsonNode tree(SdkBytes data) {
        try {
            return mapper.readTree(data.asByteArrayUnsafe());
        } catch (IOException e) {
            return mapper.missingNode(); // Not every record is JSON: it lacks every field then.
        }
    }

    /**
     * The key of a record that has none of its own: what the user's option says.
     *
     * @param body what the caller handed in
     * @return null if it has no key
     */
    public Object key(ItemKey itemKey, SdkBytes data, Object body) {
        return switch (itemKey.source()) {
            case API, NONE -> null;
            case FIELDS -> itemKey.valuesIn(tree(data));
            case FUNCTION -> itemKey.function().apply(body);
        };
    }
}
