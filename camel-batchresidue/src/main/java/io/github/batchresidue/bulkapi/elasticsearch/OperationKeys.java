/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.bulkapi.ItemKey;
import java.io.IOException;
import java.util.List;

/** What makes two operations the same record: index and explicit id, unless the user says otherwise. */
final class OperationKeys {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final ItemKey itemKey;
    private final String defaultIndex;

    /** @param defaultIndex where an operation goes that names no index; null if it is not known */
    OperationKeys(ItemKey itemKey, String defaultIndex) {
        this.itemKey = itemKey;
        this.defaultIndex = defaultIndex;
    }

    /** The key; null if the operation has none. */
    Object keyOf(BulkOperation operation) {
        return switch (itemKey.source()) {
            case API -> documentOf(operation.line());
            case NONE -> null;
            case FIELDS -> fieldsOf(operation);
            case FUNCTION -> itemKey.function().apply(operation.body());
        };
    }

    private record Document(String index, String id) {}

    private Document documentOf(ActionLine line) {
        return line.hasId() ? new Document(line.index() == null ? defaultIndex : line.index(), line.id()) : null;
    }

    /** The fields of the document, of an update those of its {@code doc}. */
    private List<Object> fieldsOf(BulkOperation operation) {
        if (!operation.action().hasSource()) {
            return null;
        }
        JsonNode document = treeOf(operation.document());
        JsonNode root = operation.action() == Action.UPDATE ? document.path("doc") : document;
        return itemKey.valuesIn(root);
    }

    private static JsonNode treeOf(Slice json) {
        try {
            return JSON.readTree(json.bytes(), json.from(), json.length());
        } catch (IOException e) {
            return JSON.missingNode(); // The service will judge it.
        }
    }
}
