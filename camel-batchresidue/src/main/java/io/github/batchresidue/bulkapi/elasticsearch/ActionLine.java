/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.github.batchresidue.bulkapi.JsonProblem;
import java.io.IOException;
import java.util.Objects;
import java.util.Set;

/**
 * What an action line says.
 *
 * @param action what the operation does; an {@code index} with {@code op_type} {@code create} is a create, and the answer
 *     calls it so
 * @param index null if the line names none
 * @param id null if the line names none; an empty one is none for the service
 * @param isVersioned whether the operation carries an external version, so that an older one never wins
 * @param isConditional whether the operation is for a document as it stood once, which its own success changes
 */
record ActionLine(Action action, String index, String id, boolean isVersioned, boolean isConditional) {

    static final String INDEX = "_index";
    static final String ID = "_id";
    static final String ROUTING = "routing";
    static final String VERSION_TYPE = "version_type";
    static final String OP_TYPE = "op_type";
    static final String IF_SEQ_NO = "if_seq_no";
    static final String IF_PRIMARY_TERM = "if_primary_term";

    private static final JsonFactory JSON = new JsonFactory();

    /** Of {@code routing}, {@code if_seq_no} and the like; those with an underscore speak for themselves. */
    private static final Set<String> PLAIN_METADATA = Set.of(
            ROUTING,
            "version",
            VERSION_TYPE,
            OP_TYPE,
            IF_SEQ_NO,
            IF_PRIMARY_TERM,
            "pipeline",
            "require_alias",
            "require_data_stream",
            "dynamic_templates",
            "list_executed_pipelines",
            "retry_on_conflict");

    /** Whether the caller named the document. */
    boolean hasId() {
        return id != null && !id.isEmpty();
    }

    /** Whether an id of ours can name the document: it has none, and the action makes one. */
    boolean canBeGivenId() {
        return !hasId() && (action == Action.INDEX || action == Action.CREATE);
    }

    ActionLine withId(String newId) {
        return Objects.equals(id, newId) ? this : new ActionLine(action, index, newId, isVersioned, isConditional);
    }

    /** Whether an update's member goes into the action line; all others make its source. */
    static boolean isMetadata(String member) {
        return member.startsWith("_") && !member.equals("_source") || PLAIN_METADATA.contains(member);
    }

    /** Whether a version type lets no older version win. */
    static boolean isExternal(String versionType) {
        return versionType != null && versionType.startsWith("external");
    }

    /**
     * Reads a line.
     *
     * @throws IOException saying what is wrong if it is no action line; the line is not quoted
     */
    static ActionLine parse(byte[] bytes, int from, int to) throws IOException {
        try (JsonParser parser = JSON.createParser(bytes, from, to - from)) {
            return read(parser);
        } catch (JsonProcessingException e) {
            throw new IOException("the action line is not valid JSON: " + JsonProblem.of(e));
        }
    }

    private static ActionLine read(JsonParser parser) throws IOException {
        require(parser.nextToken() == JsonToken.START_OBJECT, "an action line");
        Action action = Action.of(parser.nextFieldName());
        require(action != null, "one of index, create, update, delete");
        require(parser.nextToken() == JsonToken.START_OBJECT, "an object after the action");
        String index = null;
        String id = null;
        boolean isVersioned = false;
        boolean isConditional = false;
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            parser.nextToken();
            switch (name) {
                case INDEX -> index = parser.getValueAsString();
                case ID -> id = parser.getValueAsString();
                case VERSION_TYPE -> isVersioned = isExternal(parser.getValueAsString());
                case OP_TYPE -> action = action.withOpType(parser.getValueAsString());
                case IF_SEQ_NO, IF_PRIMARY_TERM -> isConditional = true;
                default -> parser.skipChildren();
            }
        }
        require(parser.currentToken() == JsonToken.END_OBJECT, "the end of the metadata");
        require(parser.nextToken() == JsonToken.END_OBJECT, "nothing after the metadata");
        require(parser.nextToken() == null, "nothing after the action");
        return new ActionLine(action, index, id, isVersioned, isConditional);
    }

    /** Whether the bytes can hardly be anything but an action line: an action, and nothing but metadata known as such. */
    static boolean isCertain(byte[] bytes, int from, int to) throws IOException {
        try (JsonParser parser = JSON.createParser(bytes, from, to - from)) {
            boolean isAction = parser.nextToken() == JsonToken.START_OBJECT
                    && Action.of(parser.nextFieldName()) != null
                    && parser.nextToken() == JsonToken.START_OBJECT;
            String name = isAction ? parser.nextFieldName() : null;
            while (name != null && isMetadata(name)) {
                parser.nextToken();
                parser.skipChildren();
                name = parser.nextFieldName();
            }
            return isAction
                    && parser.currentToken() == JsonToken.END_OBJECT
                    && parser.nextToken() == JsonToken.END_OBJECT
                    && parser.nextToken() == null;
        } catch (JsonProcessingException e) {
            return false;
        }
    }

    private static void require(boolean holds, String expected) throws IOException {
        if (!holds) {
            throw new IOException("expected " + expected);
        }
    }
}
