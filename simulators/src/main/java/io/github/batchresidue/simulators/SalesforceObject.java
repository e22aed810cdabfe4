/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.simulators;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One object type of {@link SalesforceOrg}: which records it takes, and what landed in it. A new one takes everything.
 * Thread-safe.
 */
public final class SalesforceObject {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private record Value(String field, String value) {}

    private final String name;
    private final String keyPrefix;
    private final List<String> required = new ArrayList<>();
    private final List<String> unique = new ArrayList<>();
    private final Map<Value, Integer> locks = new HashMap<>();
    private final Map<String, ObjectNode> records = new LinkedHashMap<>();
    private int lastNumber;
    private int lockedOut;

    SalesforceObject(String name, String keyPrefix) {
        this.name = name;
        this.keyPrefix = keyPrefix;
    }

    /** Records without this field are refused when they are inserted. */
    public synchronized SalesforceObject requires(String field) {
        required.add(field);
        return this;
    }

    /** No two records may have the same value in this field. */
    public synchronized SalesforceObject unique(String field) {
        unique.add(field);
        return this;
    }

    /**
     * Records with this value in this field find their row locked by somebody else.
     *
     * @param times how often
     */
    public synchronized SalesforceObject lock(String field, String value, int times) {
        locks.put(new Value(field, value), times);
        return this;
    }

    /** Puts a record there without a request; gives its id. */
    public synchronized String insert(Map<String, String> fields) {
        ObjectNode record = NODES.objectNode();
        fields.forEach(record::put);
        return store(record);
    }

    /** The record of this id, without {@code attributes}; null if there is none. */
    public synchronized JsonNode record(String id) {
        return records.get(id);
    }

    /** All records, without {@code attributes}, in the order in which they came. */
    public synchronized Collection<JsonNode> records() {
        return List.copyOf(records.values());
    }

    /** How often a record was refused for a locked row. */
    public synchronized int lockedOut() {
        return lockedOut;
    }

    // ---- What the server asks

    /** Inserts a record; gives its result. */
    synchronized ObjectNode create(JsonNode record) {
        ObjectNode fields = fields(record);
        ObjectNode refusal = refusal(fields, null);
        return refusal != null ? refusal : success(store(fields));
    }

    /** Changes the record that has the id; gives its result. */
    synchronized ObjectNode update(JsonNode record) {
        String id = idOf(record);
        if (id == null) {
            return error("MISSING_ARGUMENT", "Id not specified in an update call", "Id");
        }
        return change(id, fields(record));
    }

    private ObjectNode change(String id, ObjectNode fields) {
        if (!records.containsKey(id)) {
            return error("ENTITY_IS_DELETED", "entity is deleted");
        }
        ObjectNode refusal = refusal(records.get(id).deepCopy().setAll(fields), id);
        if (refusal != null) {
            return refusal;
        }
        records.get(id).setAll(fields);
        return success(id);
    }

    /** Inserts a record or changes the one that has the same external id; gives its result. */
    synchronized ObjectNode upsert(JsonNode record, String externalIdField) {
        String externalId = record.path(externalIdField).asText("");
        if (externalId.isEmpty()) {
            return error("MISSING_ARGUMENT", externalIdField + " not specified", externalIdField);
        }
        String id = idWith(externalIdField, externalId, null);
        ObjectNode result = id == null ? create(record) : change(id, fields(record));
        return result.path("success").asBoolean() ? result.put("created", id == null) : result;
    }

    /** Removes a record; gives its result. */
    synchronized ObjectNode delete(String id) {
        ObjectNode record = records.get(id);
        if (record == null) {
            return error("ENTITY_IS_DELETED", "entity is deleted");
        }
        if (isLocked(record)) {
            return lockedRow();
        }
        records.remove(id);
        return success(id);
    }

    synchronized boolean hasIdLike(String id) {
        return id.startsWith(keyPrefix);
    }

    private ObjectNode refusal(ObjectNode fields, String ownId) {
        for (String field : required) {
            if (fields.path(field).asText("").isEmpty()) {
                return error("REQUIRED_FIELD_MISSING", "Required fields are missing: [" + field + "]", field);
            }
        }
        for (String field : unique) {
            String other = idWith(field, fields.path(field).asText(""), ownId);
            if (other != null) {
                return error(
                        "DUPLICATE_VALUE",
                        "duplicate value found: " + field + " duplicates value on record with id: " + other);
            }
        }
        return isLocked(fields) ? lockedRow() : null;
    }

    /** Whose field has the value; unique fields know no case unless they are set up so. */
    private String idWith(String field, String value, String ownId) {
        return records.entrySet().stream()
                .filter(entry -> !value.isEmpty()
                        && entry.getValue().path(field).asText("").equalsIgnoreCase(value))
                .map(Map.Entry::getKey)
                .filter(id -> !id.equals(ownId))
                .findFirst()
                .orElse(null);
    }

    private boolean isLocked(ObjectNode fields) {
        for (Map.Entry<String, JsonNode> field : fields.properties()) {
            Value value = new Value(field.getKey(), field.getValue().asText());
            Integer times = locks.get(value);
            if (times != null && times > 0) {
                locks.put(value, times - 1);
                lockedOut++;
                return true;
            }
        }
        return false;
    }

    private static ObjectNode lockedRow() {
        return error("UNABLE_TO_LOCK_ROW", "unable to obtain exclusive access to this record or 1 records");
    }

    private String store(ObjectNode fields) {
        lastNumber++;
        String id = keyPrefix + String.format(Locale.ROOT, "Sim%09dAAA", lastNumber);
        records.put(id, fields);
        return id;
    }

    private static ObjectNode fields(JsonNode record) {
        ObjectNode fields = record.deepCopy();
        fields.remove(List.of("attributes", "id", "Id"));
        return fields;
    }

    private static String idOf(JsonNode record) {
        return record.hasNonNull("id")
                ? record.get("id").asText()
                : record.path("Id").asText(null);
    }

    private static ObjectNode success(String id) {
        ObjectNode result = NODES.objectNode().put("id", id).put("success", true);
        result.putArray("errors");
        return result;
    }

    /** A result that tells why its record did not land. */
    static ObjectNode error(String statusCode, String message, String... fields) {
        ObjectNode result = NODES.objectNode().put("success", false);
        ObjectNode error = result.putArray("errors")
                .addObject()
                .put("statusCode", statusCode)
                .put("message", message);
        for (String field : fields) {
            error.withArrayProperty("fields").add(field);
        }
        return result;
    }

    @Override
    public String toString() {
        return "SalesforceObject[" + name + "]";
    }
}
