/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.github.tomakehurst.wiremock.extension.ResponseDefinitionTransformerV2;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.http.Request;
import com.github.tomakehurst.wiremock.http.ResponseDefinition;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import io.github.batchresidue.simulators.ScriptedReply;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;

/**
 * Plays a service that takes a list of entries and answers for each by its position, over the wire protocol of its own
 * (JSON 1.1), and holds what it took. Thread-safe; closing it releases requests that hang.
 */
public final class PositionalService implements AutoCloseable {

    /**
     * How the service speaks.
     *
     * @param target the header {@code X-Amz-Target} of its requests
     * @param entries the member of a request that lists the entries
     * @param results the member of an answer that lists the results
     * @param given the member of a result of an entry that was taken
     * @param failedCount the member of an answer that counts the others
     */
    public record Shape(String target, String entries, String results, String given, String failedCount) {}

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Shape shape;
    private final WireMockServer server;
    private final CountDownLatch closed = new CountDownLatch(1);

    // Guarded by this.
    private final Deque<ScriptedReply> script = new ArrayDeque<>();
    private Function<JsonNode, String> failure = entry -> null;
    private final List<JsonNode> requests = new ArrayList<>();
    private final List<JsonNode> taken = new ArrayList<>();

    public PositionalService(Shape shape) {
        this.shape = shape;
        server = new WireMockServer(WireMockConfiguration.options()
                .bindAddress("127.0.0.1")
                .dynamicPort()
                .gzipDisabled(true)
                .disableRequestJournal()
                .extensions(new Answers()));
        server.start();
        server.stubFor(WireMock.any(WireMock.anyUrl()).willReturn(WireMock.aResponse()));
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    /** Answers the next requests with these replies, and takes nothing of them. */
    public synchronized PositionalService script(ScriptedReply... replies) {
        script.addAll(List.of(replies));
        return this;
    }

    /** Decides for each entry with which error code it fails; null takes it. */
    public synchronized PositionalService failing(Function<JsonNode, String> code) {
        failure = code;
        return this;
    }

    /** The requests so far, in order, scripted ones included. */
    public synchronized List<JsonNode> requests() {
        return List.copyOf(requests);
    }

    /** For each request so far, what a function makes of its entries. */
    public List<List<String>> requested(Function<JsonNode, String> name) {
        return requests().stream()
                .map(request ->
                        request.get(shape.entries()).valueStream().map(name).toList())
                .toList();
    }

    /** The entries that it took, in order. */
    public synchronized List<JsonNode> taken() {
        return List.copyOf(taken);
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop();
    }

    private synchronized ScriptedReply answer(String target, byte[] body) throws IOException {
        if (!shape.target().equals(target)) {
            return ScriptedReply.of(400, "{\"__type\":\"UnknownOperationException\",\"message\":\"" + target + "\"}");
        }
        JsonNode request = JSON.readTree(body);
        requests.add(request);
        return script.isEmpty() ? take(request.get(shape.entries())) : script.remove();
    }

    private ScriptedReply take(JsonNode entries) {
        ObjectNode answer = JSON.createObjectNode();
        int failed = 0;
        for (JsonNode entry : entries) {
            ObjectNode result = answer.withArrayProperty(shape.results()).addObject();
            String code = failure.apply(entry);
            if (code == null) {
                taken.add(entry);
                result.put(shape.given(), "given-" + taken.size());
            } else {
                failed++;
                result.put("ErrorCode", code).put("ErrorMessage", "not now");
            }
        }
        return ScriptedReply.of(200, answer.put(shape.failedCount(), failed).toString());
    }

    private final class Answers implements ResponseDefinitionTransformerV2 {

        @Override
        public ResponseDefinition transform(ServeEvent event) {
            ScriptedReply reply;
            try {
                reply = answer(event.getRequest().getHeader("X-Amz-Target"), body(event.getRequest()));
            } catch (IOException e) {
                reply = ScriptedReply.of(400, "{\"__type\":\"SerializationException\"}");
            }
            if (reply.fault() == ScriptedReply.Fault.HANG) {
                awaitClose();
            }
            if (reply.fault() != null) {
                return new ResponseDefinitionBuilder()
                        .withFault(Fault.CONNECTION_RESET_BY_PEER)
                        .build();
            }
            ResponseDefinitionBuilder response = new ResponseDefinitionBuilder()
                    .withStatus(reply.status())
                    .withHeader("Content-Type", "application/x-amz-json-1.1")
                    .withBody(reply.body());
            reply.headers().forEach(response::withHeader);
            return response.build();
        }

        /** The client compresses large requests to Kinesis. */
        private static byte[] body(Request request) throws IOException {
            return "gzip".equals(request.getHeader("Content-Encoding"))
                    ? new GZIPInputStream(new ByteArrayInputStream(request.getBody())).readAllBytes()
                    : request.getBody();
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
            return "positional-service";
        }
    }
}
