/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/**
 * What an action line says.
 *
 * @param action what the operation does
 * @param index null if the line names none
 * @param id null if the line names none; an empty one is none for the service
 * @param isVersioned whether the operation carries an external version, so that an older one never wins
 */
record ActionLine(Action action, String index, String id, boolean isVersioned) {

    private static final JsonFactory JSON = new JsonFactory();

    /** Whether the caller named the document. */
    boolean hasId() {
        return id != null && !id.isEmpty();
    }

    /** Whether an id of ours can name the document: it has none, and the action makes one. */
    boolean canBeGivenId() {
        return !hasId() && (action == Action.INDEX || action == Action.CREATE);
    }

    ActionLine withId(String newId) {
        return new ActionLine(action, index, newId, isVersioned);
    }

    /**
     * Reads a line.
     *
     * @throws IOException saying what is wrong if it is no action line; the line is not quoted
     */
    static ActionLine parse(byte[] bytes, int from, int to) throws IOException {
        try {
            return read(bytes, from, to);
        } catch (JsonProcessingException e) {
            throw new IOException("the action line is not valid JSON");
        }
    }

    private static ActionLine read(byte[] bytes, int from, int to) throws IOException {
        try (JsonParser parser = JSON.createParser(bytes, from, to - from)) {
            require(parser.nextToken() == JsonToken.START_OBJECT, "an action line");
            String word = parser.nextFieldName();
            Action action = Action.of(word);
            require(action != null, "one of index, create, update, delete");
            require(parser.nextToken() == JsonToken.START_OBJECT, "an object after the action");
            String index = null;
            String id = null;
            boolean isVersioned = false;
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                JsonToken value = parser.nextToken();
                switch (name) {
                    case "_index" -> index = parser.getValueAsString();
                    case "_id" -> id = parser.getValueAsString();
                    case "version_type" ->
                        isVersioned = value == JsonToken.VALUE_STRING
                                && parser.getText().startsWith("external");
                    default -> parser.skipChildren();
                }
            }
            require(parser.currentToken() == JsonToken.END_OBJECT, "the end of the metadata");
            require(parser.nextToken() == JsonToken.END_OBJECT, "nothing after the metadata");
            require(parser.nextToken() == null, "nothing after the action");
            return new ActionLine(action, index, id, isVersioned);
        }
    }

    private static void require(boolean holds, String expected) throws IOException {
        if (!holds) {
            throw new IOException("expected " + expected);
        }
    }
}
