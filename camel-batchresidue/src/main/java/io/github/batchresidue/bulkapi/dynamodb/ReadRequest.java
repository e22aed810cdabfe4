/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.aws.SdkObjects;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

/**
 * Takes a whole BatchGetItem request apart: of any number of keys, in its own order. What it says of a table stands beside
 * the keys and may stand behind them, so a text is read to its end first. A table has to ask for the attributes of the
 * key, for by these a found item is told from others.
 */
final class ReadRequest {

    private static final String REQUEST_ITEMS = "RequestItems";
    private static final String KEYS = "Keys";
    private static final Set<String> ENVELOPE = Set.of("ReturnConsumedCapacity");

    private ReadRequest() {}

    /** The keys of a body; null if it is no whole request. */
    static Iterator<TableKey> of(Object body, ObjectMapper mapper) {
        if (body instanceof BatchGetItemRequest request) {
            return ofTables(
                    request.requestItems(),
                    request.toBuilder()
                            .requestItems((Map<String, KeysAndAttributes>) null)
                            .build());
        }
        if (body instanceof Map<?, ?> map) {
            return ofMap(map);
        }
        if (body instanceof JsonNode node && node.isObject()) {
            return ofMap(mapper.convertValue(node, new TypeReference<Map<String, Object>>() {}));
        }
        return body instanceof InputStream stream ? ofStream(stream, mapper) : null;
    }

    private static Iterator<TableKey> ofMap(Map<?, ?> map) {
        boolean isEnvelope = map.get(REQUEST_ITEMS) instanceof Map
                && map.keySet().stream().allMatch(name -> name.equals(REQUEST_ITEMS) || ENVELOPE.contains(name));
        Map<?, ?> tables = isEnvelope ? (Map<?, ?>) map.get(REQUEST_ITEMS) : map;
        boolean isTables = !tables.isEmpty() && tables.values().stream().allMatch(ReadRequest::isTable);
        return isEnvelope || isTables ? ofTables(tables, null) : null;
    }

    private static boolean isTable(Object value) {
        return value instanceof KeysAndAttributes
                || value instanceof Map<?, ?> members && members.get(KEYS) instanceof Collection;
    }

    private static Iterator<TableKey> ofStream(InputStream stream, ObjectMapper mapper) {
        try {
            return RequestItems.begins(stream, mapper.getFactory(), ENVELOPE, JsonToken.START_OBJECT)
                    ? ofMap(mapper.readerFor(Map.class)
                            .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                            .readValue(stream))
                    : null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Iterator<TableKey> ofTables(Map<?, ?> tables, BatchGetItemRequest envelope) {
        List<TableKey> keys = new ArrayList<>();
        tables.forEach((name, value) -> {
            String table = String.valueOf(name);
            KeysAndAttributes attributes = attributes(table, value);
            Collection<?> ofTable = value instanceof KeysAndAttributes given
                    ? given.keys()
                    : (Collection<?>) ((Map<?, ?>) value).get(KEYS);
            Set<String> asked = asked(attributes);
            for (Object key : ofTable) {
                if (!(key instanceof Map<?, ?> members)) {
                    throw new IllegalArgumentException("table " + table + ": a key must be an object of attributes");
                }
                requireAsked(table, members, asked);
                keys.add(new TableKey(table, members, attributes, envelope));
            }
        });
        return keys.iterator();
    }

    /** What is said of a table beside its keys. */
    private static KeysAndAttributes attributes(String table, Object value) {
        if (value instanceof KeysAndAttributes given) {
            return given.toBuilder()
                    .keys((Collection<? extends Map<String, AttributeValue>>) null)
                    .build();
        }
        if (!isTable(value)) {
            throw new IllegalArgumentException("table " + table + ": expected an object with Keys");
        }
        Map<Object, Object> beside = new HashMap<>((Map<?, ?>) value);
        beside.remove(KEYS); // Each goes by itself.
        try {
            return SdkObjects.fill(KeysAndAttributes.builder(), beside).build();
        } catch (InvalidItemException e) {
            throw new IllegalArgumentException("table " + table + ": " + e.getMessage());
        }
    }

    /** The attributes that a table asks for, of those that are asked for as a whole; null for all. */
    private static Set<String> asked(KeysAndAttributes attributes) {
        if (attributes.hasAttributesToGet()) {
            return new HashSet<>(attributes.attributesToGet());
        }
        if (attributes.projectionExpression() == null) {
            return null;
        }
        Set<String> names = new HashSet<>();
        for (String part : attributes.projectionExpression().split(",")) {
            String name = part.strip();
            names.add(attributes.expressionAttributeNames().getOrDefault(name, name));
        }
        return names;
    }

    private static void requireAsked(String table, Map<?, ?> key, Set<String> asked) {
        for (Object name : key.keySet()) {
            if (asked != null && !asked.contains(String.valueOf(name))) {
                throw new IllegalArgumentException("table " + table + ": its projection must name the key attribute "
                        + name + ", for by it a found item is told from others");
            }
        }
    }
}
