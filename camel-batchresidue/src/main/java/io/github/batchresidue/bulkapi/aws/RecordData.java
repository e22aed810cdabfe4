/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.ItemKey;
import io.github.batchresidue.bulkapi.JsonProblem;
import io.github.batchresidue.bulkapi.RawJson;
import io.github.batchresidue.bulkapi.Utf8;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.SdkPojo;

/**
 * The bytes of a record: of an element that is bytes or a text these, of an element of a JSON text its own, of anything
 * else its JSON in one line. Safe for use by many threads.
 */
public final class RecordData {

    private static final PrettyPrinter IN_ONE_LINE = null;

    private static final byte[] NULL = {'n', 'u', 'l', 'l'};

    private final ObjectMapper mapper;
    private final ObjectWriter writer;
    private final ObjectReader memberReader;
    private final Class<? extends SdkPojo> entryType;

    /**
     * @param mapper the user's, who may have told it to indent
     * @param entryType what the SDK has for an item; its other objects are none
     */
    public RecordData(ObjectMapper mapper, Class<? extends SdkPojo> entryType) {
        this.mapper = mapper;
        this.writer = mapper.writer(IN_ONE_LINE);
        // Decimals keep the digits they are written with.
        this.memberReader = mapper.readerFor(Map.class)
                .with(
                        DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS,
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
        this.entryType = entryType;
    }

    /** The bytes of an element. */
    public SdkBytes of(Object element) throws InvalidItemException {
        refuseNoItem(element);
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
            return SdkBytes.fromByteArrayUnsafe(Utf8.bytes(text.toString()));
        }
        try {
            return SdkBytes.fromByteArrayUnsafe(writer.writeValueAsBytes(element));
        } catch (JsonProcessingException e) {
            throw unwritable(element, e);
        }
    }

    /**
     * The members of an element that is a JSON object: a map, a tree, a text, bytes, an object of the user's.
     *
     * @return null if it is none
     */
    public Map<?, ?> members(Object element) throws InvalidItemException {
        refuseNoItem(element);
        if (element instanceof Map<?, ?> map) {
            return map;
        }
        try {
            if (element instanceof RawJson json) {
                return memberReader.readValue(json.utf8());
            } else if (element instanceof byte[] json) {
                return memberReader.readValue(json);
            } else if (element instanceof CharSequence text) {
                return memberReader.readValue(text.toString());
            }
        } catch (IOException e) {
            return null;
        }
        JsonNode tree = element instanceof JsonNode node ? node : treeOf(element);
        return tree.isObject() ? mapper.convertValue(tree, Map.class) : null;
    }

    private JsonNode treeOf(Object element) throws InvalidItemException {
        try {
            return mapper.valueToTree(element);
        } catch (IllegalArgumentException e) {
            if (e.getCause() instanceof JsonProcessingException problem) {
                throw unwritable(element, problem);
            }
            throw e;
        }
    }

    private static InvalidItemException unwritable(Object element, JsonProcessingException e) {
        return new InvalidItemException(
                "a " + element.getClass().getName() + " cannot be written as JSON: " + JsonProblem.of(e));
    }

    private void refuseNoItem(Object element) throws InvalidItemException {
        if (element instanceof RawJson json && Arrays.equals(json.utf8(), NULL)
                || element instanceof JsonNode node && node.isNull()) {
            throw new InvalidItemException("it is null");
        }
        if (element instanceof SdkPojo) {
            throw SdkObjects.foreign(element, entryType);
        }
        if (element instanceof InputStream || element instanceof Reader) {
            throw new InvalidItemException("a stream can be read only once, and a record may have to be sent again:"
                    + " give its bytes or its text");
        }
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
