/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.readings;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.Limits;
import io.github.batchresidue.bulkapi.RawJson;
import io.github.batchresidue.bulkapi.http.HttpAnswer;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Verdict;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;

/**
 * An invented service that takes meter readings: {@code POST /v1/readings} with
 * {@code {"readings":[{"ref":"r-1","meter":"m-7","value":3.5}]}}, at most 50 of them. It answers 200 and says of each
 * {@code ref}, in no particular order, that it was {@code stored}, that it is {@code busy}, or what is wrong with it:
 * {@code {"results":{"r-1":"stored","r-2":"busy","r-3":"unknown meter"}}}. A reading sent twice is stored once.
 */
// tag::api[]
final class ReadingsApi implements BulkApi {

    /** An answer with something behind it, or with two results of one name, is none of the service's. */
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private static final int MOST_READINGS = 50;
    private static final int ENVELOPE = "{\"readings\":[]}".length();

    // tag::item[]
    private record Reading(JsonNode json, Object body) implements BulkItem {

        @Override
        public String id() {
            return json.get("ref").textValue();
        }

        /** The answer names a result by the ref: two of one ref in a request could not be told apart. */
        @Override
        public Object key() {
            return id();
        }

        /** In UTF-8, with the comma behind it. */
        @Override
        public long bytes() {
            return json.toString().getBytes(StandardCharsets.UTF_8).length + 1L;
        }

        @Override
        public boolean safeToResend() {
            return true;
        }
    }

    @Override
    public BulkItem item(Object element) throws InvalidItemException {
        JsonNode json = tree(element);
        if (!json.path("ref").isTextual()) {
            throw new InvalidItemException("a reading needs a ref");
        }
        return new Reading(json, RawJson.body(element));
    }

    private static JsonNode tree(Object element) throws InvalidItemException {
        try {
            return element instanceof RawJson text ? JSON.readTree(text.utf8()) : JSON.valueToTree(element);
        } catch (IOException e) {
            throw new InvalidItemException("it is no JSON");
        }
    }
    // end::item[]

    // tag::request[]
    @Override
    public Limits limits() {
        return new Limits(MOST_READINGS, Limits.NONE, ENVELOPE);
    }

    @Override
    public void write(List<BulkItem> items, Exchange exchange) throws IOException {
        List<JsonNode> readings =
                items.stream().map(item -> ((Reading) item).json()).toList();
        exchange.getMessage().setBody(JSON.writeValueAsString(Map.of("readings", readings)));
    }
    // end::request[]

    // tag::reply[]
    @Override
    public Reply read(List<BulkItem> items, Exchange exchange) {
        HttpAnswer answer = HttpAnswer.of(exchange);
        if (!answer.isSuccess()) {
            return refused(answer);
        }
        JsonNode results = results(answer);
        return new Reply.Verdicts(
                items.stream().map(item -> verdict(results.path(item.id()))).toList(), 0);
    }

    private static Verdict verdict(JsonNode result) {
        if (!result.isTextual()) {
            return Verdict.unknown(new Failure(200, null, "the answer does not say"));
        }
        return switch (result.textValue()) {
            case "stored" -> Verdict.landed();
            case "busy" -> Verdict.residue(new Failure(200, "busy", null));
            default -> Verdict.terminal(new Failure(200, result.textValue(), null));
        };
    }

    private static JsonNode results(HttpAnswer answer) {
        try {
            return JSON.readTree(answer.body()).path("results");
        } catch (IOException | IllegalArgumentException e) {
            return JSON.missingNode(); // Whatever it is, it says nothing of any reading.
        }
    }
    // end::reply[]

    // tag::failure[]
    private static Reply refused(HttpAnswer answer) {
        Failure failure = new Failure(answer.status(), null, answer.exception().getMessage());
        return switch (answer.status()) {
            case 429 -> new Reply.Throttled(failure, answer.retryAfterMillis());
            case 413 -> new Reply.TooLarge(failure);
            case 400 -> new Reply.Rejected(failure, true);
            case 401, 403, 404 -> new Reply.Refused(answer.exception(), failure);
            default -> new Reply.TransportFailed(answer.exception(), failure, false, 0);
        };
    }
    // end::failure[]
}
// end::api[]
