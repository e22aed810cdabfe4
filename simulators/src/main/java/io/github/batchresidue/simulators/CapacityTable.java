/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.simulators;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * One table of {@link CapacityTables}: what it takes, and what landed in it. A new table has the partition key
 * {@code pk} of type {@code S}, no sort key, and takes everything. One write costs one unit of capacity whatever its
 * size. Thread-safe; keys are named by the text of their values ({@code "o-17"}, {@code "42"}).
 */
public final class CapacityTable {

    /** 400 KB of names and values, as the developer guide counts them. */
    private static final int LARGEST_ITEM = 400 * 1024;

    private record KeyAttribute(String name, String type, int largestBytes) {}

    private final String name;
    private final CapacityTables tables;
    private final List<KeyAttribute> keyAttributes = new ArrayList<>();
    private final Set<String> starved = new HashSet<>();
    private final Map<List<String>, JsonNode> items = new LinkedHashMap<>();
    private final Map<List<String>, Integer> writes = new LinkedHashMap<>();

    // Capacity: a token bucket, or a count granted to each request.
    private boolean unlimited = true;
    private int perSecond;
    private int burst;
    private long milliTokens;
    private long filledAt;
    private final List<Integer> grants = new ArrayList<>();

    CapacityTable(String name, CapacityTables tables) {
        this.name = name;
        this.tables = tables;
        keyAttributes.add(new KeyAttribute("pk", "S", 2048));
    }

    /** Names the partition key; the type is {@code S}, {@code N} or {@code B}. */
    public synchronized CapacityTable partitionKey(String attribute, String type) {
        keyAttributes.set(0, new KeyAttribute(attribute, type, 2048));
        return this;
    }

    /** Adds a sort key; the type is {@code S}, {@code N} or {@code B}. */
    public synchronized CapacityTable sortKey(String attribute, String type) {
        keyAttributes.add(new KeyAttribute(attribute, type, 1024));
        return this;
    }

    /**
     * Limits the table to a token bucket that is full now.
     *
     * @param writesPerSecond how fast it fills, from 0
     * @param writesAtOnce how much it holds, from 0
     */
    public synchronized CapacityTable capacity(int writesPerSecond, int writesAtOnce) {
        unlimited = false;
        perSecond = writesPerSecond;
        burst = writesAtOnce;
        milliTokens = writesAtOnce * 1000L;
        filledAt = tables.millis();
        return this;
    }

    /**
     * Grants the next requests this many writes each, whatever the time; then the table is as it was. With
     * {@code grants(2, 1, 2, 1)} six items land as two, one, two and one.
     */
    public synchronized CapacityTable grants(int... writesOfRequest) {
        for (int count : writesOfRequest) {
            grants.add(count);
        }
        return this;
    }

    /** Partition keys for which there never is any capacity. */
    public synchronized CapacityTable starve(String... partitionKeys) {
        starved.addAll(List.of(partitionKeys));
        return this;
    }

    /** There is capacity for all partition keys again. */
    public synchronized CapacityTable feedAll() {
        starved.clear();
        return this;
    }

    /** The item of this key (partition key, then sort key if the table has one) in DynamoDB JSON; null if none. */
    public synchronized JsonNode item(String... key) {
        return items.get(List.of(key));
    }

    /** What the table holds, in DynamoDB JSON. */
    public synchronized Collection<JsonNode> items() {
        return List.copyOf(items.values());
    }

    /** How often this key was written: puts and deletes that landed. */
    public synchronized int writes(String... key) {
        return writes.getOrDefault(List.of(key), 0);
    }

    /** How often each key was written, deletes included; a key is its partition key and its sort key. */
    public synchronized Map<List<String>, Integer> writes() {
        return new LinkedHashMap<>(writes);
    }

    // ---- What the server asks

    /** The key of an operation; refuses what the service refuses about a single one. */
    synchronized List<String> keyOf(BatchWrite.Operation operation) {
        JsonNode attributes = operation.attributes();
        if (!attributes.isObject()) {
            throw ServiceError.validation(
                    "Supplied AttributeValue is empty, must contain exactly one of the" + " supported datatypes");
        }
        List<String> key = new ArrayList<>(2);
        for (KeyAttribute attribute : keyAttributes) {
            key.add(keyValue(operation, attribute, attributes.path(attribute.name())));
        }
        if (operation.isDelete() && attributes.size() != keyAttributes.size()) {
            throw noSuchKey();
        }
        if (storedBytes(attributes) > LARGEST_ITEM) {
            throw ServiceError.validation("Item size has exceeded the maximum allowed size");
        }
        return key;
    }

    private String keyValue(BatchWrite.Operation operation, KeyAttribute attribute, JsonNode value) {
        if (value.isMissingNode()) {
            throw operation.isDelete()
                    ? noSuchKey()
                    : ServiceError.validation("One or more parameter values were invalid: Missing the key "
                            + attribute.name() + " in the item");
        }
        if (!value.has(attribute.type())) {
            throw operation.isDelete()
                    ? noSuchKey()
                    : ServiceError.validation("One or more parameter values were invalid: Type mismatch for key "
                            + attribute.name() + " expected: " + attribute.type() + " actual: "
                            + value.fieldNames().next());
        }
        String text = value.get(attribute.type()).asText();
        if (text.isEmpty()) {
            throw ServiceError.validation("One or more parameter values are not valid. The AttributeValue for a key"
                    + " attribute cannot contain an empty " + (attribute.type().equals("B") ? "binary" : "string")
                    + " value. Key: " + attribute.name());
        }
        if (text.getBytes(StandardCharsets.UTF_8).length > attribute.largestBytes()) {
            throw ServiceError.validation("One or more parameter values were invalid: Size of "
                    + (attribute.largestBytes() == 2048 ? "hashkey" : "rangekey")
                    + " has exceeded the maximum size limit of " + attribute.largestBytes() + " bytes");
        }
        return attribute.type().equals("N")
                ? new BigDecimal(text).stripTrailingZeros().toPlainString()
                : text;
    }

    private static ServiceError noSuchKey() {
        return ServiceError.validation("The provided key element does not match the schema");
    }

    /** Begins a request: what it may use is what there is now. */
    synchronized void requestArrives() {
        if (!grants.isEmpty()) {
            return;
        }
        long now = tables.millis();
        milliTokens = Math.min(burst * 1000L, milliTokens + (now - filledAt) * perSecond);
        filledAt = now;
    }

    synchronized void requestEnds() {
        if (!grants.isEmpty()) {
            grants.remove(0);
        }
    }

    /** Why there is no capacity for a write, as the service names it; null if the write has landed. */
    synchronized String write(List<String> key, BatchWrite.Operation operation) {
        if (starved.contains(key.get(0))) {
            return "TableWriteKeyRangeThroughputExceeded";
        }
        if (!takeUnit()) {
            return "TableWriteProvisionedThroughputExceeded";
        }
        writes.merge(key, 1, Integer::sum);
        if (operation.isDelete()) {
            items.remove(key);
        } else {
            items.put(key, operation.attributes());
        }
        return null;
    }

    private boolean takeUnit() {
        if (!grants.isEmpty()) {
            int left = grants.get(0);
            grants.set(0, Math.max(0, left - 1));
            return left > 0;
        }
        if (unlimited) {
            return true;
        }
        if (milliTokens < 1000) {
            return false;
        }
        milliTokens -= 1000;
        return true;
    }

    /** The answer to DescribeTable. */
    synchronized Map<String, Object> description() {
        List<Map<String, String>> schema = new ArrayList<>();
        List<Map<String, String>> definitions = new ArrayList<>();
        for (KeyAttribute attribute : keyAttributes) {
            schema.add(Map.of("AttributeName", attribute.name(), "KeyType", schema.isEmpty() ? "HASH" : "RANGE"));
            definitions.add(Map.of("AttributeName", attribute.name(), "AttributeType", attribute.type()));
        }
        return Map.of(
                "Table",
                Map.of(
                        "TableName", name,
                        "TableStatus", "ACTIVE",
                        "KeySchema", schema,
                        "AttributeDefinitions", definitions));
    }

    // ---- Size

    /** Names and values as DynamoDB's guide counts them: text in UTF-8, numbers by digit pairs, 3 bytes a collection. */
    private static long storedBytes(JsonNode attributes) {
        long bytes = 0;
        for (Map.Entry<String, JsonNode> attribute : attributes.properties()) {
            bytes += utf8(attribute.getKey()) + storedBytesOf(attribute.getValue());
        }
        return bytes;
    }

    private static long storedBytesOf(JsonNode value) {
        Map.Entry<String, JsonNode> typed = value.properties().iterator().next();
        JsonNode content = typed.getValue();
        return switch (typed.getKey()) {
            case "S" -> utf8(content.asText());
            case "N" -> numberBytes(content.asText());
            case "B" -> binaryBytes(content.asText());
            case "SS" -> sum(content, text -> utf8(text.asText()));
            case "NS" -> sum(content, number -> numberBytes(number.asText()));
            case "BS" -> sum(content, binary -> binaryBytes(binary.asText()));
            case "L" -> 3 + content.size() + sum(content, CapacityTable::storedBytesOf);
            case "M" -> 3 + content.size() + storedBytes(content);
            default -> 1;
        };
    }

    private static long sum(JsonNode array, ToLongFunction<JsonNode> bytes) {
        long sum = 0;
        for (JsonNode element : array) {
            sum += bytes.applyAsLong(element);
        }
        return sum;
    }

    private static long utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static long numberBytes(String number) {
        BigDecimal value = new BigDecimal(number).stripTrailingZeros();
        return (value.precision() + 1) / 2 + 1 + (value.signum() < 0 ? 1 : 0);
    }

    private static long binaryBytes(String base64) {
        return Base64.getDecoder().decode(base64).length;
    }

    @Override
    public String toString() {
        return "CapacityTable[" + name + "]";
    }
}
