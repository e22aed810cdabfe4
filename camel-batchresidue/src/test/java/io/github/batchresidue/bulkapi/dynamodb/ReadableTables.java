/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.github.tomakehurst.wiremock.extension.ResponseDefinitionTransformerV2;
import com.github.tomakehurst.wiremock.http.ResponseDefinition;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import io.github.batchresidue.simulators.ScriptedReply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.IntSupplier;

/** Plays DynamoDB tables with the partition key {@code pk}, a string, that are read with BatchGetItem. Thread-safe. */
final class ReadableTables implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final WireMockServer server;
    private final Random random = new Random(1);

    // Guarded by this.
    private final Map<String, Map<String, JsonNode>> tables = new HashMap<>();
    private final Deque<ScriptedReply> script = new ArrayDeque<>();
    private IntSupplier pageSize = () -> 100;
    private final List<JsonNode> requests = new ArrayList<>();

    ReadableTables() {
        server = new WireMockServer(WireMockConfiguration.options()
                .bindAddress("127.0.0.1")
                .dynamicPort()
                .gzipDisabled(true)
                .disableRequestJournal()
                .extensions(new Answers()));
        server.start();
        server.stubFor(WireMock.any(WireMock.anyUrl()).willReturn(WireMock.aResponse()));
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    /** Puts an item, in DynamoDB JSON. */
    synchronized void put(String table, String item) {
        JsonNode json = json(item);
        tables.computeIfAbsent(table, name -> new HashMap<>())
                .put(json.at("/pk/S").textValue(), json);
    }

    /** How many keys an answer comes to, asked for each request; of none the request is throttled. */
    synchronized void pages(IntSupplier size) {
        pageSize = size;
    }

    synchronized void script(ScriptedReply... replies) {
        script.addAll(List.of(replies));
    }

    synchronized List<JsonNode> requests() {
        return List.copyOf(requests);
    }

    /** For each request the keys it asked a table for. */
    List<List<String>> requestedKeys(String table) {
        return requests().stream()
                .map(request -> request.at("/RequestItems/" + table + "/Keys")
                        .valueStream()
                        .map(key -> key.at("/pk/S").textValue())
                        .toList())
                .toList();
    }

    @Override
    public void close() {
        server.stop();
    }

    private synchronized ScriptedReply answer(byte[] body) {
        JsonNode request = json(new String(body, StandardCharsets.UTF_8));
        requests.add(request);
        return script.isEmpty() ? get(request.get("RequestItems")) : script.remove();
    }

    private ScriptedReply get(JsonNode asked) {
        ObjectNode answer = JSON.createObjectNode();
        ObjectNode responses = answer.putObject("Responses");
        ObjectNode unprocessed = answer.putObject("UnprocessedKeys");
        int left = pageSize.getAsInt();
        if (left == 0) {
            return error("ProvisionedThroughputExceededException", "Rate exceeded");
        }
        Set<String> distinct = new HashSet<>();
        for (Map.Entry<String, JsonNode> table : asked.properties()) {
            List<JsonNode> found = new ArrayList<>();
            for (JsonNode key : table.getValue().get("Keys")) {
                if (!distinct.add(table.getKey() + key)) {
                    return error("ValidationException", "Provided list of item keys contains duplicates");
                }
                if (left-- > 0) {
                    JsonNode item = tables.getOrDefault(table.getKey(), Map.of())
                            .get(key.at("/pk/S").textValue());
                    if (item != null) {
                        found.add(item);
                    }
                } else {
                    ObjectNode echo = (ObjectNode) unprocessed.get(table.getKey());
                    if (echo == null) {
                        echo = table.getValue().deepCopy();
                        echo.putArray("Keys");
                        unprocessed.set(table.getKey(), echo);
                    }
                    echo.withArrayProperty("Keys").add(key);
                }
            }
            Collections.shuffle(found, random);
            responses.putArray(table.getKey()).addAll(found);
        }
        return distinct.size() > 100
                ? error("ValidationException", "Too many items requested for the BatchGetItem call.")
                : ScriptedReply.of(200, answer.toString());
    }

    private static ScriptedReply error(String code, String message) {
        return ScriptedReply.of(
                400, "{\"__type\":\"com.amazonaws.dynamodb.v20120810#" + code + "\",\"message\":\"" + message + "\"}");
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final class Answers implements ResponseDefinitionTransformerV2 {

        @Override
        public ResponseDefinition transform(ServeEvent event) {
            ScriptedReply reply =
                    "DynamoDB_20120810.BatchGetItem".equals(event.getRequest().getHeader("X-Amz-Target"))
                            ? answer(event.getRequest().getBody())
                            : error("UnknownOperationException", "only reads");
            return new ResponseDefinitionBuilder()
                    .withStatus(reply.status())
                    .withHeader("Content-Type", "application/x-amz-json-1.0")
                    .withBody(reply.body())
                    .build();
        }

        @Override
        public String getName() {
            return "readable-tables";
        }
    }
}
