/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.RawJson;
import io.github.batchresidue.bulkapi.aws.SdkObjects;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import software.amazon.awssdk.core.SdkPojo;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteRequest;
import software.amazon.awssdk.services.dynamodb.model.PutRequest;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * Makes a put or a delete of one element of a body: an SDK {@link WriteRequest}; an operation in DynamoDB JSON, which is
 * an object with the one member {@code PutRequest} that holds only {@code Item}, or {@code DeleteRequest} that holds
 * only {@code Key}; or a plain record. Each may be a text, a Jackson tree or a map, the record any object as well.
 */
final class OperationReader {

    private static final Map<String, String> ATTRIBUTES_OF = Map.of("PutRequest", "Item", "DeleteRequest", "Key");

    /** What a record that is no operation means. */
    enum Plain {
        /** The item of a put. */
        ITEM,
        /** The key of a delete. */
        KEY,
        /** Nothing: it is refused. */
        NOTHING
    }

    /** What opens the parser of an element; called twice for an operation. */
    @FunctionalInterface
    private interface Json {
        JsonParser open() throws IOException;
    }

    private final ObjectMapper mapper;
    private final AttributeValues values;
    private final Plain plain;

    OperationReader(ObjectMapper mapper, Plain plain) {
        this.mapper = mapper;
        this.values = new AttributeValues(mapper);
        this.plain = plain;
    }

    WriteRequest read(Object element) throws InvalidItemException {
        if (element instanceof WriteRequest request) {
            if ((request.putRequest() == null) == (request.deleteRequest() == null)) {
                throw new InvalidItemException("a WriteRequest must have a put request or a delete request");
            }
            return request;
        }
        if (element instanceof RawJson json) {
            return readText(json.utf8());
        }
        if (element instanceof byte[] utf8) {
            return readText(utf8);
        }
        if (element instanceof CharSequence text) {
            String json = text.toString();
            return readJson(() -> mapper.getFactory().createParser(json));
        }
        if (element instanceof Map<?, ?> map) {
            return readMap(map);
        }
        if (element == null) {
            throw notAnObject();
        }
        if (element instanceof SdkPojo) {
            throw SdkObjects.foreign(element, WriteRequest.class);
        }
        return readJson(() -> values.tokens(element));
    }

    private WriteRequest readText(byte[] utf8) throws InvalidItemException {
        return readJson(() -> mapper.getFactory().createParser(utf8));
    }

    private WriteRequest readJson(Json json) throws InvalidItemException {
        try {
            String kind;
            try (JsonParser parser = json.open()) {
                kind = operationIn(parser);
            }
            try (JsonParser parser = json.open()) {
                if (parser.nextToken() != JsonToken.START_OBJECT) {
                    throw notAnObject();
                }
                if (kind == null) {
                    WriteRequest request = plain(values.readPlainObject(parser));
                    if (parser.nextToken() != null) {
                        throw new InvalidItemException("the JSON object is followed by something else");
                    }
                    return request;
                }
                for (int token = 1; token < 5; token++) {
                    parser.nextToken();
                }
                return request(kind, AttributeValues.readTypedObject(parser));
            }
        } catch (IOException e) {
            throw AttributeValues.notJson(e);
        }
    }

    /** Which operation the JSON is and nothing else; null if it is none. */
    private static String operationIn(JsonParser parser) throws IOException {
        if (parser.nextToken() != JsonToken.START_OBJECT || parser.nextToken() != JsonToken.FIELD_NAME) {
            return null;
        }
        String kind = parser.currentName();
        String attributes = ATTRIBUTES_OF.get(kind);
        if (attributes == null
                || parser.nextToken() != JsonToken.START_OBJECT
                || !attributes.equals(parser.nextFieldName())
                || parser.nextToken() != JsonToken.START_OBJECT) {
            return null;
        }
        parser.skipChildren();
        boolean alone = parser.nextToken() == JsonToken.END_OBJECT
                && parser.nextToken() == JsonToken.END_OBJECT
                && parser.nextToken() == null;
        return alone ? kind : null;
    }

    private WriteRequest readMap(Map<?, ?> map) throws InvalidItemException {
        if (map.size() == 1) {
            Map.Entry<?, ?> entry = map.entrySet().iterator().next();
            String attributes = entry.getKey() instanceof String kind ? ATTRIBUTES_OF.get(kind) : null;
            if (attributes != null
                    && entry.getValue() instanceof Map<?, ?> inside
                    && inside.size() == 1
                    && inside.get(attributes) instanceof Map<?, ?> typed) {
                return request((String) entry.getKey(), readTyped(typed));
            }
        }
        return plain(values.ofPlainMap(map));
    }

    private Map<String, AttributeValue> readTyped(Map<?, ?> map) throws InvalidItemException {
        if (map.values().stream().allMatch(AttributeValue.class::isInstance)) {
            Map<String, AttributeValue> attributes = new LinkedHashMap<>();
            map.forEach((name, value) -> attributes.put(String.valueOf(name), (AttributeValue) value));
            return attributes;
        }
        try (JsonParser parser = values.tokens(map)) {
            parser.nextToken();
            return AttributeValues.readTypedObject(parser);
        } catch (IOException e) {
            throw AttributeValues.notJson(e);
        }
    }

    private WriteRequest plain(Map<String, AttributeValue> attributes) throws InvalidItemException {
        return switch (plain) {
            case ITEM -> request("PutRequest", attributes);
            case KEY -> request("DeleteRequest", attributes);
            case NOTHING ->
                throw new InvalidItemException(
                        "expected {\"PutRequest\":{\"Item\":…}} or {\"DeleteRequest\":{\"Key\":…}}");
        };
    }

    private static WriteRequest request(String kind, Map<String, AttributeValue> attributes) {
        return kind.equals("PutRequest")
                ? WriteRequest.builder()
                        .putRequest(PutRequest.builder().item(attributes).build())
                        .build()
                : WriteRequest.builder()
                        .deleteRequest(DeleteRequest.builder().key(attributes).build())
                        .build();
    }

    private static InvalidItemException notAnObject() {
        return new InvalidItemException("an item must be an object of named attributes");
    }
}
