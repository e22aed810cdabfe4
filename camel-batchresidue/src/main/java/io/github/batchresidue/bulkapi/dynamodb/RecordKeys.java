/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import io.github.batchresidue.bulkapi.ItemKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What makes two items the same record: their primary key in their table, unless the user says otherwise. */
final class RecordKeys {

    /** A key is one of its table. */
    private record RecordKey(String table, Object key) {}

    private final ItemKey itemKey;

    RecordKeys(ItemKey itemKey) {
        this.itemKey = itemKey;
    }

    /** Whether the primary key counts. */
    boolean isOfTable() {
        return itemKey.source() == ItemKey.Source.API;
    }

    /**
     * The key of an item; null if it has none.
     *
     * @param primaryKey names of the key attributes; empty if they are not known
     * @param body what the caller handed in
     */
    Object of(String table, Map<String, AttributeValue> attributes, List<String> primaryKey, Object body) {
        Object key =
                switch (itemKey.source()) {
                    case NONE -> null;
                    case API -> tuple(values(attributes, paths(primaryKey)));
                    case FIELDS -> tuple(values(attributes, itemKey.paths()));
                    case FUNCTION -> itemKey.function().apply(body);
                };
        return key == null ? null : new RecordKey(table, key);
    }

    /** The primary key in words; null if it is not known or cannot be said so. */
    static String id(Map<String, AttributeValue> attributes, List<String> primaryKey) {
        List<AttributeValue> values = values(attributes, paths(primaryKey));
        List<String> words = new ArrayList<>(values.size());
        for (AttributeValue value : values) {
            if (value.s() == null && value.n() == null) {
                return null;
            }
            words.add(value.s() != null ? value.s() : value.n());
        }
        return words.isEmpty() ? null : String.join("/", words);
    }

    private static List<List<String>> paths(List<String> names) {
        return names.stream().map(List::of).toList();
    }

    /** The values at these paths; none if one is missing. */
    private static List<AttributeValue> values(Map<String, AttributeValue> attributes, List<List<String>> paths) {
        List<AttributeValue> values = new ArrayList<>(paths.size());
        for (List<String> path : paths) {
            AttributeValue value = AttributeValue.fromM(attributes);
            for (String name : path) {
                value = value != null && value.hasM() ? value.m().get(name) : null;
            }
            if (value == null) {
                return List.of();
            }
            values.add(value);
        }
        return values;
    }

    private static Object tuple(List<AttributeValue> values) {
        return values.isEmpty() ? null : values.stream().map(Canonical::of).toList();
    }
}
