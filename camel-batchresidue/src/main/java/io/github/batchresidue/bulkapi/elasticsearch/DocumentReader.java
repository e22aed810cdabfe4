/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.RawJson;
import io.github.batchresidue.bulkapi.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;

/**
 * Makes operations of documents, and of operations written as maps. The bytes of a document that came as JSON are taken
 * as they are. Safe for use by many threads.
 */
final class DocumentReader {

    private static final byte[] NOTHING = {};
    private static final byte[] DOC = "{\"doc\":".getBytes(StandardCharsets.UTF_8);

    private final BulkApiOptions options;
    private final OperationKeys keys;
    private final Json json;
    private final OperationMaps operations;
    private final Action action;
    private final ActionLine plainLine;
    private final byte[] plainHead;

    DocumentReader(BulkApiOptions options, ObjectMapper mapper, OperationKeys keys) {
        this.options = options;
        this.keys = keys;
        this.json = new Json(mapper);
        this.operations = new OperationMaps(options, json, keys);
        this.action = options.action() == null ? Action.INDEX : options.action();
        this.plainLine = new ActionLine(action, options.index(), null, false, false);
        try {
            this.plainHead = operations.head(action, metadata(null, null));
        } catch (InvalidItemException e) {
            throw new IllegalStateException(e);
        }
    }

    BulkOperation read(Object element) throws InvalidItemException {
        if (element instanceof RawJson text) {
            return ofText(text, text.utf8());
        }
        if (element instanceof byte[] bytes) {
            return ofTextOrLines(bytes, bytes);
        }
        if (element instanceof String text) {
            return ofTextOrLines(text, Utf8.bytes(text));
        }
        if (element instanceof Map<?, ?> map) {
            return mayBeOperation() && OperationMaps.isAction(map.get(OperationMaps.ACTION))
                    ? operations.read(map, json.tree(map))
                    : document(map, field(map, options.idField()), field(map, options.routingField()), json.bytes(map));
        }
        ObjectNode tree = json.tree(element);
        return mayBeOperation()
                        && OperationMaps.isAction(
                                tree.path(OperationMaps.ACTION).textValue())
                ? operations.read(element, tree)
                : document(
                        element, field(tree, options.idField()), field(tree, options.routingField()), json.bytes(tree));
    }

    private boolean mayBeOperation() {
        return options.action() == null;
    }

    private BulkOperation ofTextOrLines(Object body, byte[] text) throws InvalidItemException {
        return mayBeOperation() && OperationText.is(text)
                ? OperationText.read(body, text, keys, options.isGeneratingIds())
                : ofText(body, text);
    }

    /** A document as JSON text: only what is asked for is read of it. */
    private BulkOperation ofText(Object body, byte[] text) throws InvalidItemException {
        ObjectForm form = ObjectForm.of(text);
        if (form == ObjectForm.NONE) {
            throw new InvalidItemException("expected a JSON object, complete and with nothing behind it");
        }
        String actionMember = mayBeOperation() ? OperationMaps.ACTION : null;
        if (actionMember != null
                && OperationMaps.isAction(
                        Json.topLevel(text, actionMember, null).get(actionMember))) {
            return operations.read(body, Json.treeOf(text));
        }
        byte[] line = form == ObjectForm.LINE ? text : Json.inOneLine(text);
        if (options.idField() == null && options.routingField() == null) {
            return document(body, null, null, line);
        }
        Map<String, String> fields = Json.topLevel(line, options.idField(), options.routingField());
        return document(body, fields.get(options.idField()), fields.get(options.routingField()), line);
    }

    private BulkOperation document(Object body, String id, String routing, byte[] document)
            throws InvalidItemException {
        refuseActionLine(document);
        String name = id;
        if (name == null && options.isGeneratingIds() && plainLine.canBeGivenId()) {
            name = GeneratedIds.next();
        }
        if (name == null && (action == Action.UPDATE || action == Action.DELETE)) {
            throw new InvalidItemException("it has no field " + options.idField() + " to take the id from");
        }
        boolean isPlain = name == null && routing == null;
        byte[] head = isPlain ? plainHead : operations.head(action, metadata(name, routing));
        byte[] source =
                switch (action) {
                    case INDEX, CREATE -> document;
                    case UPDATE -> update(document);
                    case DELETE -> NOTHING;
                };
        return new BulkOperation(body, plainLine.withId(name), head, Slice.of(source), null, keys);
    }

    /** Of a text whose beginning is broken the action lines would land as documents. */
    private void refuseActionLine(byte[] document) throws InvalidItemException {
        if (mayBeOperation() && OperationText.is(document)) {
            throw new InvalidItemException(
                    "it is an action line of a _bulk text and no document: hand such a text in as a"
                            + " whole; if such documents are meant, set bulkApi.action");
        }
    }

    private static byte[] update(byte[] document) {
        byte[] source = new byte[DOC.length + document.length + 1];
        System.arraycopy(DOC, 0, source, 0, DOC.length);
        System.arraycopy(document, 0, source, DOC.length, document.length);
        source[source.length - 1] = '}';
        return source;
    }

    private ObjectNode metadata(String id, String routing) {
        ObjectNode metadata = json.newObject();
        if (options.index() != null) {
            metadata.put(ActionLine.INDEX, options.index());
        }
        if (id != null) {
            metadata.put(ActionLine.ID, id);
        }
        if (routing != null) {
            metadata.put(ActionLine.ROUTING, routing);
        }
        return metadata;
    }

    /** A single value at the top of a document; null if there is none. */
    private static String field(Map<?, ?> document, String name) {
        Object value = name == null ? null : document.get(name);
        boolean isSingle = value instanceof CharSequence
                || value instanceof Number
                || value instanceof Boolean
                || value instanceof Character
                || value instanceof Enum
                || value instanceof UUID;
        return isSingle ? value.toString() : null;
    }

    private static String field(ObjectNode document, String name) {
        JsonNode value = name == null ? null : document.get(name);
        return value != null && value.isValueNode() && !value.isNull() ? value.asText() : null;
    }
}
