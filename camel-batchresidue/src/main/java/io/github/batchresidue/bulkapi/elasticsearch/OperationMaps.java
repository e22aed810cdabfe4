/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.batchresidue.bulkapi.InvalidItemException;
import java.util.Map;

/**
 * Operations written as maps: {@code {"action":"index","_index":…,"_id":…,"doc":{…}}}. Of an update all that is not
 * metadata is its source. Safe for use by many threads.
 */
final class OperationMaps {

    static final String ACTION = "action";
    private static final String DOC = "doc";

    private final BulkApiOptions options;
    private final Json json;
    private final OperationKeys keys;

    OperationMaps(BulkApiOptions options, Json json, OperationKeys keys) {
        this.options = options;
        this.json = json;
        this.keys = keys;
    }

    /** Whether this value of the member {@code action} makes a map an operation. */
    static boolean isAction(Object value) {
        return value instanceof String word && Action.of(word) != null;
    }

    /** @param body the operation as the caller gave it */
    BulkOperation read(Object body, ObjectNode operation) throws InvalidItemException {
        Action action = Action.of(operation.get(ACTION).textValue());
        ObjectNode metadata = json.newObject();
        ObjectNode rest = json.newObject();
        operation.properties().forEach(member -> {
            String name = member.getKey();
            if (!name.equals(ACTION)) {
                boolean isMetadata = action == Action.UPDATE ? ActionLine.isMetadata(name) : !name.equals(DOC);
                (isMetadata ? metadata : rest).set(name, member.getValue());
            }
        });
        if (!metadata.has(ActionLine.INDEX) && options.index() != null) {
            metadata.put(ActionLine.INDEX, options.index());
        }
        ActionLine line = line(action, metadata);
        if (options.isGeneratingIds() && line.canBeGivenId()) {
            line = line.withId(GeneratedIds.next());
            metadata.put(ActionLine.ID, line.id());
        }
        byte[] source = source(action, rest);
        return new BulkOperation(body, line, head(action, metadata), Slice.of(source), null, keys);
    }

    private static ActionLine line(Action action, ObjectNode metadata) {
        return new ActionLine(
                action.withOpType(metadata.path(ActionLine.OP_TYPE).textValue()),
                metadata.path(ActionLine.INDEX).asText(null),
                metadata.path(ActionLine.ID).asText(null),
                ActionLine.isExternal(metadata.path(ActionLine.VERSION_TYPE).textValue()),
                metadata.has(ActionLine.IF_SEQ_NO) || metadata.has(ActionLine.IF_PRIMARY_TERM));
    }

    private byte[] source(Action action, ObjectNode rest) throws InvalidItemException {
        if (!action.hasSource()) {
            return new byte[0];
        }
        JsonNode source = action == Action.UPDATE ? rest : rest.get(DOC);
        boolean isMissing = action == Action.UPDATE ? rest.isEmpty() : source == null || !source.isObject();
        if (isMissing) {
            throw new InvalidItemException("the operation " + action.word() + " needs "
                    + (action == Action.UPDATE ? "doc or script" : "an object doc"));
        }
        return json.bytes(source);
    }

    /** An action line with its newline. */
    byte[] head(Action action, ObjectNode metadata) throws InvalidItemException {
        byte[] object = json.bytes(Map.of(action.word(), metadata));
        byte[] line = new byte[object.length + 1];
        System.arraycopy(object, 0, line, 0, object.length);
        line[object.length] = '\n';
        return line;
    }
}
