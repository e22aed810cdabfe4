/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.RawJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Makes operations of documents, and of operations written as maps. The bytes of a document that came as JSON are taken
 * as they are. Safe for use by many threads.
 */
final class DocumentReader {

    private static final JsonFactory JSON = new JsonFactory();

    /** Members of an operation that do not go into its action line. */
    private static final String ACTION = "action";

    private static final String DOC = "doc";
    private static final String ID = "_id";
    private static final String INDEX = "_index";

    private final BulkApiOptions options;
    private final ObjectMapper mapper;
    private final Action action;
    private final ActionLine plainLine;
    private final byte[] plainHead;

    DocumentReader(BulkApiOptions options, ObjectMapper mapper) {
        this.options = options;
        this.mapper = mapper;
        this.action = options.action() == null ? Action.INDEX : options.action();
        this.plainLine = new ActionLine(action, options.index(), null, false);
        try {
            this.plainHead = head(action, metadata(null, null));
        } catch (InvalidItemException e) {
            throw new IllegalStateException(e);
        }
    }

    BulkOperation read(Object element) throws InvalidItemException {
        if (element instanceof RawJson json) {
            return ofText(json, json.utf8());
        }
        if (element instanceof byte[] bytes) {
            return ofText(bytes, bytes);
        }
        if (element instanceof String text) {
            return ofText(text, text.getBytes(StandardCharsets.UTF_8));
        }
        if (element instanceof Map<?, ?> map) {
            return mayBeOperation() && isActionWord(map.get(ACTION))
                    ? ofOperation(map, mapper.convertValue(map, ObjectNode.class))
                    : ofTree(map, map, fieldOf(map, options.idField()), fieldOf(map, options.routingField()));
        }
        JsonNode tree = element instanceof JsonNode node ? node : treeOf(element);
        if (!(tree instanceof ObjectNode object)) {
            throw new InvalidItemException(
                    "expected a JSON object, found " + element.getClass().getName());
        }
        return ofObject(element, object);
    }

    private boolean mayBeOperation() {
        return options.action() == null;
    }

    private static boolean isActionWord(Object value) {
        return value instanceof String word && Action.of(word) != null;
    }

    private JsonNode treeOf(Object pojo) throws InvalidItemException {
        try {
            return mapper.valueToTree(pojo);
        } catch (IllegalArgumentException e) {
            throw new InvalidItemException("a " + pojo.getClass().getName() + " cannot be written as JSON", e);
        }
    }

    private BulkOperation ofObject(Object body, ObjectNode object) throws InvalidItemException {
        return mayBeOperation() && isActionWord(object.path(ACTION).textValue())
                ? ofOperation(body, object)
                : ofTree(body, object, fieldOf(object, options.idField()), fieldOf(object, options.routingField()));
    }

    // ---- Documents

    /** A document as JSON text: only what is asked for is read of it. */
    private BulkOperation ofText(Object body, byte[] bytes) throws InvalidItemException {
        if (mayBeOperation() && isOperation(bytes)) {
            try {
                return ofOperation(
                        body == null ? new RawJson(bytes).text() : body, (ObjectNode) mapper.readTree(bytes));
            } catch (IOException e) {
                throw new InvalidItemException("it is not valid JSON");
            }
        }
        byte[] line = Bytes.hasLineEnd(bytes, 0, bytes.length) ? inOneLine(bytes) : bytes;
        requireObject(line);
        if (options.idField() == null && options.routingField() == null) {
            return document(body, null, null, line);
        }
        Map<String, String> fields = topLevel(bytes, options.idField(), options.routingField());
        return document(body, fields.get(options.idField()), fields.get(options.routingField()), line);
    }

    private BulkOperation ofTree(Object body, Object tree, String id, String routing) throws InvalidItemException {
        return document(body, id, routing, bytes(tree));
    }

    private BulkOperation document(Object body, String id, String routing, byte[] json) throws InvalidItemException {
        String name = id;
        if (name == null && options.isGeneratingIds() && plainLine.canBeGivenId()) {
            name = GeneratedIds.next();
        }
        if (name == null && (action == Action.UPDATE || action == Action.DELETE)) {
            throw new InvalidItemException("it has no field " + options.idField() + " to take the id from");
        }
        boolean isPlain = name == null && routing == null;
        ActionLine line = isPlain ? plainLine : plainLine.withId(name);
        byte[] head = isPlain ? plainHead : head(action, metadata(name, routing));
        return operation(
                body,
                line,
                head,
                switch (action) {
                    case INDEX, CREATE -> json;
                    case UPDATE -> wrapped(json);
                    case DELETE -> new byte[0];
                });
    }

    private static BulkOperation operation(Object body, ActionLine line, byte[] head, byte[] source)
            throws InvalidItemException {
        try {
            return BulkOperation.of(body, line, head, source, 0, source.length);
        } catch (IOException e) {
            throw new InvalidItemException(e.getMessage(), e);
        }
    }

    private static byte[] wrapped(byte[] json) {
        byte[] before = "{\"doc\":".getBytes(StandardCharsets.UTF_8);
        byte[] source = new byte[before.length + json.length + 1];
        System.arraycopy(before, 0, source, 0, before.length);
        System.arraycopy(json, 0, source, before.length, json.length);
        source[source.length - 1] = '}';
        return source;
    }

    private ObjectNode metadata(String id, String routing) {
        ObjectNode metadata = mapper.createObjectNode();
        if (options.index() != null) {
            metadata.put(INDEX, options.index());
        }
        if (id != null) {
            metadata.put(ID, id);
        }
        if (routing != null) {
            metadata.put("routing", routing);
        }
        return metadata;
    }

    private byte[] head(Action action, ObjectNode metadata) throws InvalidItemException {
        byte[] json = bytes(Map.of(action.word(), metadata));
        byte[] line = new byte[json.length + 1];
        System.arraycopy(json, 0, line, 0, json.length);
        line[json.length] = '\n';
        return line;
    }

    // ---- Operations

    /** {@code {"action":"index","_index":…,"_id":…,"doc":{…}}}; of an update all but the metadata is the source. */
    private BulkOperation ofOperation(Object body, ObjectNode operation) throws InvalidItemException {
        Action what = Action.of(operation.get(ACTION).textValue());
        ObjectNode metadata = mapper.createObjectNode();
        ObjectNode rest = mapper.createObjectNode();
        operation.properties().forEach(member -> {
            if (!member.getKey().equals(ACTION)) {
                (isMetadata(what, member.getKey()) ? metadata : rest).set(member.getKey(), member.getValue());
            }
        });
        if (!metadata.has(INDEX) && options.index() != null) {
            metadata.put(INDEX, options.index());
        }
        JsonNode source = what == Action.UPDATE ? rest : rest.get(DOC);
        if (what.hasSource() && (source == null || !source.isObject() || source.isEmpty() && what == Action.UPDATE)) {
            throw new InvalidItemException("the operation " + what.word() + " needs "
                    + (what == Action.UPDATE ? "doc or script" : "an object doc"));
        }
        ActionLine line = new ActionLine(
                what,
                metadata.path(INDEX).asText(null),
                metadata.path(ID).asText(null),
                metadata.path("version_type").asText("").startsWith("external"));
        if (options.isGeneratingIds() && line.canBeGivenId()) {
            line = line.withId(GeneratedIds.next());
            metadata.put(ID, line.id());
        }
        return operation(body, line, head(what, metadata), what.hasSource() ? bytes(source) : new byte[0]);
    }

    private static boolean isMetadata(Action action, String member) {
        return action == Action.UPDATE
                ? member.startsWith("_") && !member.equals("_source")
                        || member.equals("routing")
                        || member.startsWith("if_")
                        || member.equals("retry_on_conflict")
                        || member.equals("require_alias")
                : !member.equals(DOC);
    }

    // ---- JSON

    private byte[] bytes(Object tree) throws InvalidItemException {
        try {
            return mapper.writeValueAsBytes(tree);
        } catch (JsonProcessingException e) {
            throw new InvalidItemException("it cannot be written as JSON: " + e.getOriginalMessage(), e);
        }
    }

    private static String fieldOf(Map<?, ?> map, String field) {
        Object value = field == null ? null : map.get(field);
        return value == null ? null : value.toString();
    }

    private static String fieldOf(ObjectNode object, String field) {
        return field == null ? null : object.path(field).asText(null);
    }

    private static void requireObject(byte[] json) throws InvalidItemException {
        for (byte b : json) {
            if (!Bytes.isSpace(b)) {
                if (b == '{') {
                    return;
                }
                break;
            }
        }
        throw new InvalidItemException("expected a JSON object");
    }

    private static boolean isOperation(byte[] json) throws InvalidItemException {
        return isActionWord(topLevel(json, ACTION, null).get(ACTION));
    }

    /** Single values at the top of an object; the rest of it is passed over. */
    private static Map<String, String> topLevel(byte[] json, String first, String second) throws InvalidItemException {
        Map<String, String> found = new LinkedHashMap<>();
        try (JsonParser parser = JSON.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new InvalidItemException("expected a JSON object");
            }
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                JsonToken value = parser.nextToken();
                if ((name.equals(first) || name.equals(second))
                        && value.isScalarValue()
                        && value != JsonToken.VALUE_NULL) {
                    found.put(name, parser.getText());
                }
                parser.skipChildren();
            }
            return found;
        } catch (IOException e) {
            throw new InvalidItemException("it is not valid JSON");
        }
    }

    private static byte[] inOneLine(byte[] json) throws InvalidItemException {
        ByteArrayOutputStream out = new ByteArrayOutputStream(json.length);
        try (JsonParser parser = JSON.createParser(json);
                var generator = JSON.createGenerator(out)) {
            while (parser.nextToken() != null) {
                generator.copyCurrentEventExact(parser);
            }
        } catch (IOException e) {
            throw new InvalidItemException("it is not valid JSON");
        }
        return out.toByteArray();
    }
}
