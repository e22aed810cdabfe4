/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** Reads an answer in one pass over its bytes. */
final class BulkAnswer {

    private final AnswerText text;
    private final JsonParser parser;

    private BulkAnswer(AnswerText text) {
        this.text = text;
        this.parser = text.parser();
    }

    /** The verdicts of an answer with a status of success; all unknown if it cannot be read as one. Closes the body. */
    static Reply read(List<BulkItem> items, InputStream body, int status, long hintMillis) {
        if (body == null) {
            return Reply.unreadable(items.size(), new Failure(status, null, "the answer has no body"));
        }
        try (AnswerText text = new AnswerText(body)) {
            Results results = new Results(items);
            new BulkAnswer(text).readAll(results);
            return results.reply(hintMillis);
        } catch (IOException e) {
            return Results.unreadable(items, status, e);
        }
    }

    /**
     * The error of a whole request: of {@code {"error":{"type":…,"reason":…}}}, or what can be had. Closes the body.
     *
     * @param body null if there is none
     */
    static Failure failure(InputStream body, int status) {
        if (body == null) {
            return new Failure(status, null, null);
        }
        try (AnswerText text = new AnswerText(body)) {
            BulkAnswer answer = new BulkAnswer(text);
            JsonParser parser = text.parser();
            require(parser.nextToken() == JsonToken.START_OBJECT);
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                JsonToken value = parser.nextToken();
                if (name.equals("error")) {
                    return answer.readError(value, status);
                }
                parser.skipChildren();
            }
        } catch (IOException e) {
            // No JSON: the status has to do.
        }
        return new Failure(status, null, null);
    }

    private void readAll(Results results) throws IOException {
        require(parser.nextToken() == JsonToken.START_OBJECT);
        boolean hasItems = false;
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            JsonToken value = parser.nextToken();
            if (name.equals("items") && value == JsonToken.START_ARRAY && !hasItems) {
                hasItems = true;
                while (parser.nextToken() == JsonToken.START_OBJECT) {
                    Result result = readResult();
                    results.add(result);
                    text.readKnown(result, results);
                }
                require(parser.currentToken() == JsonToken.END_ARRAY);
            } else {
                parser.skipChildren();
            }
        }
        require(hasItems && parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null);
    }

    /** One result, {@code {"index":{…}}}, with the parser at its first brace. */
    private Result readResult() throws IOException {
        String word = parser.nextFieldName();
        require(parser.nextToken() == JsonToken.START_OBJECT);
        String id = null;
        int status = 0;
        Failure error = null;
        boolean isStoredElsewhere = false;
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            JsonToken value = parser.nextToken();
            switch (name) {
                case "_id" -> id = parser.getValueAsString();
                case "status" -> {
                    require(status == 0); // Two of them contradict each other.
                    status = parser.getValueAsInt();
                }
                case "error" -> error = value == JsonToken.VALUE_NULL ? error : readError(value, status);
                case "failure_store" -> isStoredElsewhere = "used".equals(parser.getValueAsString());
                default -> parser.skipChildren();
            }
        }
        require(parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == JsonToken.END_OBJECT);
        return new Result(word, id, status, error, isStoredElsewhere);
    }

    private Failure readError(JsonToken value, int status) throws IOException {
        if (value != JsonToken.START_OBJECT) {
            String text = parser.getValueAsString();
            parser.skipChildren();
            return new Failure(status, null, text);
        }
        String type = null;
        String reason = null;
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            parser.nextToken();
            switch (name) {
                case "type" -> type = parser.getValueAsString();
                case "reason" -> reason = parser.getValueAsString();
                default -> parser.skipChildren();
            }
        }
        require(parser.currentToken() == JsonToken.END_OBJECT);
        return new Failure(status, type, reason);
    }

    private static void require(boolean holds) throws IOException {
        if (!holds) {
            throw new IOException("it is not the JSON of a bulk answer");
        }
    }
}
