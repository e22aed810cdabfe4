/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads an answer in one pass. Results stand in the order of the operations; the flag {@code errors} proves nothing, so
 * every result is looked at, and one that does not fit its operation makes all of them unknown.
 */
final class BulkAnswer {

    private static final JsonFactory JSON = new JsonFactory();
    private static final Failure STORED_ELSEWHERE =
            new Failure(201, "failure_store", "the document went to the failure store of its data stream");

    private final List<BulkItem> items;
    private final JsonParser parser;
    private final List<Verdict> verdicts;

    private BulkAnswer(List<BulkItem> items, JsonParser parser) {
        this.items = items;
        this.parser = parser;
        this.verdicts = new ArrayList<>(items.size());
    }

    /** The verdicts of an answer with a status of success; all unknown if it cannot be read as one. */
    static Reply read(List<BulkItem> items, InputStream body, int status, long hintMillis) {
        if (body == null) {
            return Reply.unreadable(items.size(), new Failure(status, null, "the answer has no body"));
        }
        try (JsonParser parser = JSON.createParser(body)) {
            BulkAnswer answer = new BulkAnswer(items, parser);
            answer.readAll();
            return new Reply.Verdicts(answer.verdicts, hintMillis);
        } catch (IOException e) {
            return Reply.unreadable(
                    items.size(), new Failure(status, null, "the answer cannot be read: " + problem(e)));
        }
    }

    /** The first line of a parser's message: the rest quotes the text. */
    private static String problem(IOException e) {
        return e.getMessage() == null
                ? e.getClass().getSimpleName()
                : e.getMessage().lines().findFirst().orElse("");
    }

    /** The error of a whole request: of {@code {"error":{"type":…,"reason":…}}}, or what can be had. */
    static Failure failure(InputStream body, int status) {
        if (body == null) {
            return new Failure(status, null, null);
        }
        try (JsonParser parser = JSON.createParser(body)) {
            BulkAnswer answer = new BulkAnswer(List.of(), parser);
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

    private void readAll() throws IOException {
        require(parser.nextToken() == JsonToken.START_OBJECT);
        boolean hasItems = false;
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            JsonToken value = parser.nextToken();
            if (name.equals("items") && value == JsonToken.START_ARRAY && !hasItems) {
                hasItems = true;
                while (parser.nextToken() == JsonToken.START_OBJECT) {
                    readResult();
                }
                require(parser.currentToken() == JsonToken.END_ARRAY);
            } else {
                parser.skipChildren();
            }
        }
        require(parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null);
        if (!hasItems || verdicts.size() != items.size()) {
            throw new IOException(verdicts.size() + " results for " + items.size() + " operations");
        }
    }

    /** One result, {@code {"index":{…}}}, with the parser at its first brace. */
    private void readResult() throws IOException {
        if (verdicts.size() == items.size()) {
            throw new IOException("more results than operations");
        }
        BulkOperation operation = (BulkOperation) items.get(verdicts.size());
        String word = parser.nextFieldName();
        require(parser.nextToken() == JsonToken.START_OBJECT);
        if (!operation.action().word().equals(word)) {
            throw new IOException("result " + verdicts.size() + " is of another operation");
        }
        int status = 0;
        Failure error = null;
        boolean isStoredElsewhere = false;
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            JsonToken value = parser.nextToken();
            switch (name) {
                case "status" -> status = parser.getValueAsInt();
                case "error" -> error = readError(value, status);
                case "failure_store" -> isStoredElsewhere = "used".equals(parser.getValueAsString());
                case "_id" -> checkId(operation, value);
                default -> parser.skipChildren();
            }
        }
        require(parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == JsonToken.END_OBJECT);
        verdicts.add(verdict(operation, status, error, isStoredElsewhere));
    }

    private void checkId(BulkOperation operation, JsonToken value) throws IOException {
        if (value == JsonToken.VALUE_STRING
                && operation.line().hasId()
                && !operation.line().id().equals(parser.getText())) {
            throw new IOException("result " + verdicts.size() + " is of another document");
        }
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

    private static Verdict verdict(BulkOperation operation, int status, Failure error, boolean isStoredElsewhere) {
        if (error != null) {
            return BulkErrors.verdict(operation, new Failure(status, error.code(), error.message()));
        }
        if (isStoredElsewhere) {
            return Verdict.terminal(STORED_ELSEWHERE);
        }
        boolean isGoneAlready = status == 404 && operation.action() == Action.DELETE;
        if (status >= 200 && status < 300 || isGoneAlready) {
            return Verdict.landed();
        }
        return BulkErrors.verdict(operation, new Failure(status, null, null));
    }

    private static void require(boolean holds) throws IOException {
        if (!holds) {
            throw new IOException("it is not the JSON of a bulk answer");
        }
    }
}
