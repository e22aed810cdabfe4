/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.salesforce;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.ItemKey;
import io.github.batchresidue.bulkapi.JsonProblem;
import io.github.batchresidue.bulkapi.RawJson;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.camel.component.salesforce.api.dto.AbstractSObjectBase;

/** Makes records of what a caller may hand in: DTOs, maps, other objects, JSON; ids where records are deleted. */
final class RecordReader {

    private static final String ATTRIBUTES = "attributes";
    private static final String TYPE = "type";
    private static final Pattern ID = Pattern.compile("[0-9A-Za-z]{15}([0-9A-Za-z]{3})?");
    /** An id of 18 characters is one of 15 and a checksum for those who know no case. */
    private static final int ID_WITHOUT_CHECKSUM = 15;

    private static final int KEY_PREFIX = 3;
    /** What one id more adds to the query: the comma, encoded. */
    private static final int SEPARATOR_IN_QUERY = 3;

    private final Target target;
    private final ItemKey itemKey;
    private final ObjectReader json;

    RecordReader(Target target, ItemKey itemKey) {
        this.target = target;
        this.itemKey = itemKey;
        this.json = target.mapper()
                .reader()
                .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS, DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .without(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES);
    }

    SObjectRecord read(Object element) throws InvalidItemException {
        JsonNode tree = tree(element);
        return target.operation() == Operation.DELETE ? idToDelete(element, tree) : record(element, tree);
    }

    private JsonNode tree(Object element) throws InvalidItemException {
        try {
            if (element instanceof RawJson text) {
                return json.readTree(text.utf8());
            }
            if (element instanceof String text && target.operation() != Operation.DELETE) {
                return json.readTree(text);
            }
            return target.mapper().valueToTree(element);
        } catch (JsonProcessingException e) {
            throw new InvalidItemException("it is no JSON: " + JsonProblem.of(e));
        } catch (IOException | IllegalArgumentException e) {
            throw new InvalidItemException(
                    "it cannot be written as JSON: a " + element.getClass().getName() + ", " + JsonProblem.of(e));
        }
    }

    // ---- Ids

    private SObjectRecord idToDelete(Object element, JsonNode tree) throws InvalidItemException {
        String id = tree.isTextual() ? tree.asText() : idOf(tree);
        requireId(id);
        return new SObjectRecord(
                Operation.DELETE,
                id,
                RawJson.body(element),
                id.substring(0, KEY_PREFIX),
                id,
                key(element, tree, id),
                id.length() + SEPARATOR_IN_QUERY);
    }

    private static String idOf(JsonNode tree) {
        JsonNode id = tree.hasNonNull("Id") ? tree.get("Id") : tree.path("id");
        return id.asText("");
    }

    /** What is no id would shift or add records: ids stand in a list with commas. */
    private static void requireId(String id) throws InvalidItemException {
        if (!ID.matcher(id).matches()) {
            throw new InvalidItemException(
                    id.isEmpty()
                            ? "it has no Id: an update or delete names its record by it"
                            : "its Id is none: expected 15 or 18 letters and digits");
        }
    }

    // ---- Records

    private SObjectRecord record(Object element, JsonNode tree) throws InvalidItemException {
        if (!(tree instanceof ObjectNode fields)) {
            throw new InvalidItemException("a record must be an object of named fields");
        }
        String ownType = fields.path(ATTRIBUTES).path(TYPE).asText("");
        String type = ownType.isEmpty() ? target.sObjectName() : ownType;
        requireType(type);
        String id = id(fields);
        Object key = key(element, fields, id);
        ObjectNode typed = withType(fields, type);
        return new SObjectRecord(
                target.operation(),
                element instanceof AbstractSObjectBase && !ownType.isEmpty() ? element : typed,
                RawJson.body(element),
                type,
                id,
                key,
                typed.toString().getBytes(StandardCharsets.UTF_8).length + 1L);
    }

    private void requireType(String type) throws InvalidItemException {
        if (type == null) {
            throw new InvalidItemException("its object type is not known: set attributes.type in the record, or"
                    + " sObjectName for all records");
        }
        if (target.operation() == Operation.UPSERT && !type.equalsIgnoreCase(target.sObjectName())) {
            throw new InvalidItemException(
                    "its type is " + type + ", and the delegate upserts " + target.sObjectName() + " only");
        }
    }

    /** The record with its type, which goes first. The tree is used up: it is no part of what the caller handed in. */
    private static ObjectNode withType(ObjectNode fields, String type) {
        ObjectNode attributes = fields.remove(ATTRIBUTES) instanceof ObjectNode own ? own : fields.objectNode();
        ObjectNode typed = fields.objectNode();
        typed.set(ATTRIBUTES, attributes.put(TYPE, type));
        return typed.setAll(fields);
    }

    private String id(ObjectNode fields) throws InvalidItemException {
        return switch (target.operation()) {
            case UPDATE, DELETE -> {
                String id = idOf(fields);
                requireId(id);
                yield id;
            }
            case UPSERT -> {
                String externalId = externalId(fields.path(target.externalIdField()));
                if (externalId.isEmpty()) {
                    throw new InvalidItemException("it has no " + target.externalIdField()
                            + ", the external id by which the delegate upserts");
                }
                yield externalId;
            }
            case CREATE -> null;
        };
    }

    /** A number is the same whether it is written 7 or 7.0. */
    private static String externalId(JsonNode value) {
        return value.isNumber()
                ? new BigDecimal(value.asText()).stripTrailingZeros().toPlainString()
                : value.asText("");
    }

    // ---- Keys

    private Object key(Object element, JsonNode tree, String id) {
        return switch (itemKey.source()) {
            case NONE -> null;
            case API -> keyOf(id);
            case FIELDS -> itemKey.valuesIn(tree);
            case FUNCTION -> itemKey.function().apply(RawJson.body(element));
        };
    }

    /** External ids are compared without case, as the service does unless the field says otherwise. */
    private Object keyOf(String id) {
        return switch (target.operation()) {
            case UPDATE, DELETE -> id.substring(0, ID_WITHOUT_CHECKSUM);
            case UPSERT -> id.toLowerCase(Locale.ROOT);
            case CREATE -> null;
        };
    }
}
