/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.simulators;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.github.tomakehurst.wiremock.extension.ResponseDefinitionTransformerV2;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.http.ResponseDefinition;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;

/**
 * Plays DynamoDB tables that are short of capacity: BatchWriteItem and DescribeTable over DynamoDB's own wire protocol
 * (JSON 1.0 over HTTP) on a free port of the loopback interface, for any client of the service.
 *
 * <p>It works in one of two modes. Either the {@linkplain #createTable tables} decide: requests are validated as the
 * service validates them, a write that finds capacity lands, one that finds none comes back in {@code UnprocessedItems}
 * with list, attributes and set members in another order and numbers in another spelling, as the service may do it. If
 * nothing lands the answer is a {@code ProvisionedThroughputExceededException}. Or {@linkplain #script replies are
 * written out} in advance and no table changes.
 *
 * <p>Thread-safe. Closing it releases requests that hang.
 */
public final class CapacityTables implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String TARGET = "DynamoDB_20120810.";
    private static final String ERRORS = "com.amazonaws.dynamodb.v20120810#";
    private static final int MOST_OPERATIONS = 25;
    private static final int LARGEST_REQUEST = 16 * 1024 * 1024;

    private final WireMockServer server;
    private final LongSupplier clock;
    private final long startedAt;
    private final CountDownLatch closed = new CountDownLatch(1);

    // Guarded by this.
    private final Map<String, CapacityTable> tables = new LinkedHashMap<>();
    private final Deque<ScriptedReply> script = new ArrayDeque<>();
    private boolean scripted;
    private final Deque<ScriptedReply> describeScript = new ArrayDeque<>();
    private long retryAfterMillis;
    private final List<BatchWrite> batchWrites = new ArrayList<>();
    private final List<String> described = new ArrayList<>();

    /** Starts on real time. */
    public CapacityTables() {
        this(() -> System.nanoTime() / 1_000_000);
    }

    /**
     * Starts on the time of a clock.
     *
     * @param clock milliseconds since some fixed moment; used by many threads at once
     */
    public CapacityTables(LongSupplier clock) {
        this.clock = clock;
        this.startedAt = clock.getAsLong();
        server = new WireMockServer(WireMockConfiguration.options()
                .bindAddress("127.0.0.1")
                .dynamicPort()
                .gzipDisabled(true)
                .disableRequestJournal()
                .extensions(new Answers()));
        server.start();
        server.stubFor(WireMock.any(WireMock.anyUrl()).willReturn(WireMock.aResponse()));
    }

    /** Where clients find it. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    /** Creates a table that takes everything; its key and its capacity are set on it. */
    public synchronized CapacityTable createTable(String name) {
        CapacityTable table = new CapacityTable(name, this);
        tables.put(name, table);
        return table;
    }

    /** A table created before; null if there is none of this name. */
    public synchronized CapacityTable table(String name) {
        return tables.get(name);
    }

    /** Adds {@code x-amz-retry-after} to throttling errors; 0, the default, for none. */
    public synchronized CapacityTables retryAfter(long millis) {
        retryAfterMillis = millis;
        return this;
    }

    /**
     * Answers the next BatchWriteItem requests with these replies, in order; from now on tables decide nothing, and
     * DescribeTable knows every name, with the partition key {@code pk}. A request beyond the last reply is answered
     * with status 400 and the type {@code ScriptEnded}.
     */
    public synchronized CapacityTables script(List<ScriptedReply> replies) {
        scripted = true;
        script.addAll(replies);
        return this;
    }

    /** Answers the next DescribeTable requests with these replies, in order; then again as usual. */
    public synchronized CapacityTables scriptDescribeTable(List<ScriptedReply> replies) {
        describeScript.addAll(replies);
        return this;
    }

    /** The BatchWriteItem requests so far, in the order in which they arrived. */
    public synchronized List<BatchWrite> batchWrites() {
        return List.copyOf(batchWrites);
    }

    /** The table names that DescribeTable was asked for so far, in order. */
    public synchronized List<String> described() {
        return List.copyOf(described);
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop();
    }

    long millis() {
        return clock.getAsLong() - startedAt;
    }

    // ---- Answers

    private final class Answers implements ResponseDefinitionTransformerV2 {

        @Override
        public ResponseDefinition transform(ServeEvent event) {
            ScriptedReply reply = answer(
                    event.getRequest().getHeader("X-Amz-Target"),
                    event.getRequest().getBody());
            if (reply.fault() == ScriptedReply.Fault.HANG) {
                awaitClose();
            }
            if (reply.fault() != null) {
                return new ResponseDefinitionBuilder()
                        .withFault(Fault.CONNECTION_RESET_BY_PEER)
                        .build();
            }
            ResponseDefinitionBuilder response =
                    new ResponseDefinitionBuilder().withStatus(reply.status()).withBody(reply.body());
            if (reply.headers().keySet().stream().noneMatch("Content-Type"::equalsIgnoreCase)) {
                response.withHeader("Content-Type", "application/x-amz-json-1.0");
            }
            reply.headers().forEach(response::withHeader);
            return response.build();
        }

        private void awaitClose() {
            try {
                closed.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public String getName() {
            return "capacity-tables";
        }
    }

    private synchronized ScriptedReply answer(String target, byte[] body) {
        if (target != null && target.equals(TARGET + "DescribeTable")) {
            return answerDescribeTable(parse(body).path("TableName").asText());
        }
        if (target == null || !target.equals(TARGET + "BatchWriteItem")) {
            return error(new ServiceError(400, "com.amazon.coral.service#UnknownOperationException", target), Map.of());
        }
        List<BatchWrite.Operation> operations = operations(parse(body));
        ScriptedReply reply = scripted ? nextOfScript() : batchWrite(body.length, operations);
        batchWrites.add(new BatchWrite(millis(), operations, reply.status()));
        return reply;
    }

    private ScriptedReply nextOfScript() {
        return script.isEmpty()
                ? error(new ServiceError(400, "ScriptEnded", "the script has no reply to this request"), Map.of())
                : script.remove();
    }

    private ScriptedReply answerDescribeTable(String name) {
        described.add(name);
        if (!describeScript.isEmpty()) {
            return describeScript.remove();
        }
        CapacityTable table = tables.get(shortName(name));
        if (table == null && scripted) {
            table = new CapacityTable(name, this);
        }
        return table == null
                ? error(noSuchTable(), Map.of())
                : ScriptedReply.of(200, JSON.valueToTree(table.description()).toString());
    }

    private ScriptedReply batchWrite(int requestBytes, List<BatchWrite.Operation> operations) {
        try {
            List<List<String>> keys = validate(requestBytes, operations);
            Set<CapacityTable> touched = new HashSet<>();
            operations.forEach(operation -> touched.add(tables.get(shortName(operation.table()))));
            touched.forEach(CapacityTable::requestArrives);
            List<BatchWrite.Operation> unprocessed = new ArrayList<>();
            Map<String, String> reasons = new LinkedHashMap<>();
            for (int i = 0; i < operations.size(); i++) {
                BatchWrite.Operation operation = operations.get(i);
                String table = shortName(operation.table());
                String reason = tables.get(table).write(keys.get(i), operation);
                if (reason != null) {
                    unprocessed.add(operation);
                    reasons.put(table, reason);
                }
            }
            touched.forEach(CapacityTable::requestEnds);
            return unprocessed.size() == operations.size() ? throttled(reasons) : processed(unprocessed);
        } catch (ServiceError e) {
            return error(e, Map.of());
        }
    }

    private List<List<String>> validate(int requestBytes, List<BatchWrite.Operation> operations) {
        if (requestBytes > LARGEST_REQUEST) {
            throw new ServiceError(413, "RequestEntityTooLarge", "the request is larger than 16 MB");
        }
        if (operations.isEmpty()) {
            throw ServiceError.validation("1 validation error detected: Value '{}' at 'requestItems' failed to satisfy"
                    + " constraint: Member must have length greater than or equal to 1");
        }
        if (operations.size() > MOST_OPERATIONS) {
            throw ServiceError.validation("Too many items requested for the BatchWriteItem call");
        }
        List<List<String>> keys = new ArrayList<>();
        Set<List<String>> distinct = new HashSet<>();
        for (BatchWrite.Operation operation : operations) {
            CapacityTable table = tables.get(shortName(operation.table()));
            if (table == null) {
                throw noSuchTable();
            }
            List<String> key = table.keyOf(operation);
            keys.add(key);
            List<String> keyInTable = new ArrayList<>(key);
            keyInTable.add(shortName(operation.table()));
            if (!distinct.add(keyInTable)) {
                throw ServiceError.validation("Provided list of item keys contains duplicates");
            }
        }
        return keys;
    }

    private static ServiceError noSuchTable() {
        return new ServiceError(400, ERRORS + "ResourceNotFoundException", "Requested resource not found");
    }

    private ScriptedReply throttled(Map<String, String> reasons) {
        List<Map<String, String>> throttlingReasons = new ArrayList<>();
        reasons.forEach((table, reason) -> throttlingReasons.add(
                Map.of("reason", reason, "resource", "arn:aws:dynamodb:local:000000000000:table/" + table)));
        ServiceError error = new ServiceError(
                400,
                ERRORS + "ProvisionedThroughputExceededException",
                "The level of configured provisioned throughput for the table was exceeded.");
        ScriptedReply reply = error(error, Map.of("ThrottlingReasons", throttlingReasons));
        return retryAfterMillis > 0 ? reply.withHeader("x-amz-retry-after", Long.toString(retryAfterMillis)) : reply;
    }

    private static ScriptedReply processed(List<BatchWrite.Operation> unprocessed) {
        ObjectNode echo = NODES.objectNode();
        for (int i = unprocessed.size() - 1; i >= 0; i--) {
            BatchWrite.Operation operation = unprocessed.get(i);
            String kind = operation.isDelete() ? "DeleteRequest" : "PutRequest";
            ObjectNode request = NODES.objectNode();
            request.putObject(kind).set(operation.isDelete() ? "Key" : "Item", respelled(operation.attributes()));
            echo.withArrayProperty(operation.table()).add(request);
        }
        return ScriptedReply.of(
                200, NODES.objectNode().set("UnprocessedItems", echo).toString());
    }

    /** The same attributes, written in another way. */
    private static ObjectNode respelled(JsonNode attributes) {
        ObjectNode reversed = NODES.objectNode();
        List<Map.Entry<String, JsonNode>> entries = new ArrayList<>(attributes.properties());
        for (int i = entries.size() - 1; i >= 0; i--) {
            reversed.set(entries.get(i).getKey(), respelledValue(entries.get(i).getValue()));
        }
        return reversed;
    }

    private static ObjectNode respelledValue(JsonNode value) {
        Map.Entry<String, JsonNode> typed = value.properties().iterator().next();
        JsonNode content = typed.getValue();
        JsonNode other =
                switch (typed.getKey()) {
                    case "N" -> NODES.textNode(plain(content.asText()));
                    case "M" -> respelled(content);
                    case "L" -> {
                        ArrayNode list = NODES.arrayNode();
                        content.forEach(element -> list.add(respelledValue(element)));
                        yield list;
                    }
                    case "SS", "NS", "BS" -> {
                        ArrayNode set = NODES.arrayNode();
                        content.forEach(member ->
                                set.insert(0, typed.getKey().equals("NS") ? plain(member.asText()) : member.asText()));
                        yield set;
                    }
                    default -> content;
                };
        return NODES.objectNode().set(typed.getKey(), other);
    }

    private static String plain(String number) {
        return new BigDecimal(number).stripTrailingZeros().toPlainString();
    }

    private static ScriptedReply error(ServiceError error, Map<String, Object> members) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("__type", error.type);
        body.put("message", error.getMessage());
        body.putAll(members);
        return ScriptedReply.of(error.status, JSON.valueToTree(body).toString());
    }

    private static List<BatchWrite.Operation> operations(JsonNode request) {
        List<BatchWrite.Operation> operations = new ArrayList<>();
        for (Map.Entry<String, JsonNode> table : request.path("RequestItems").properties()) {
            table.getValue().forEach(json -> operations.add(new BatchWrite.Operation(table.getKey(), json)));
        }
        return operations;
    }

    /** A table may be named by its ARN. */
    private static String shortName(String table) {
        return table.substring(table.lastIndexOf('/') + 1);
    }

    private static JsonNode parse(byte[] body) {
        try {
            return JSON.readTree(new String(body, StandardCharsets.UTF_8));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the client sent no JSON", e);
        }
    }
}
