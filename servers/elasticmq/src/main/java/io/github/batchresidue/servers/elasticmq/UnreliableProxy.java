/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.servers.elasticmq;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Stands before a server of the SQS API and makes its batches fail in part, as a busy service does: of some entries it
 * says that they failed although it is nobody's fault, and does not send them on; some it sends on and leaves out of the
 * answer. All else passes through.
 *
 * <p>Thread-safe. Which entries fail depends on the seed and on the order of the requests alone.
 */
public final class UnreliableProxy implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TARGET = "X-Amz-Target";

    private final URI server;
    private final HttpServer proxy;
    private final ExecutorService workers = Executors.newFixedThreadPool(4);
    private final HttpClient client = HttpClient.newHttpClient();

    // Guarded by this.
    private final Random random;
    private int failing;
    private int unmentioned;
    private final List<JsonNode> batches = new ArrayList<>();

    /** @param server what it stands before */
    public UnreliableProxy(URI server, long seed) {
        this.server = server;
        this.random = new Random(seed);
        try {
            proxy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        proxy.setExecutor(workers);
        proxy.createContext("/", this::handle);
        proxy.start();
    }

    /** So many of a hundred entries fail, and may be sent again. */
    public synchronized UnreliableProxy failing(int percent) {
        failing = percent;
        return this;
    }

    /** So many of a hundred entries are taken by the server and left out of the answer. */
    public synchronized UnreliableProxy unmentioned(int percent) {
        unmentioned = percent;
        return this;
    }

    /** Where clients find it. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + proxy.getAddress().getPort());
    }

    /** The batches of whatever operation that clients have sent. */
    public synchronized List<JsonNode> batches() {
        return List.copyOf(batches);
    }

    @Override
    public void close() {
        proxy.stop(0);
        workers.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String target = String.valueOf(exchange.getRequestHeaders().getFirst(TARGET));
            HttpResponse<byte[]> passedOn = target.endsWith("Batch") ? null : passOn(exchange, body);
            byte[] answer;
            int status;
            if (passedOn != null) {
                answer = passedOn.body();
                status = passedOn.statusCode();
            } else {
                Batch batch = batch(body);
                HttpResponse<byte[]> ofServer = batch.rest().isEmpty() ? null : passOn(exchange, batch.toServer());
                status = ofServer == null ? 200 : ofServer.statusCode();
                answer = status == 200 ? batch.answer(ofServer) : ofServer.body();
            }
            exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.0");
            exchange.sendResponseHeaders(status, answer.length == 0 ? -1 : answer.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(answer);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private HttpResponse<byte[]> passOn(HttpExchange exchange, byte[] body) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(exchange.getRequestURI()))
                .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body));
        for (String header : List.of(TARGET, "Content-Type", "Authorization")) {
            String value = exchange.getRequestHeaders().getFirst(header);
            if (value != null) {
                request.header(header, value);
            }
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    private synchronized Batch batch(byte[] body) throws IOException {
        ObjectNode request = (ObjectNode) JSON.readTree(body);
        batches.add(request.deepCopy());
        Map<String, Fate> fates = new HashMap<>();
        for (JsonNode entry : request.path("Entries")) {
            int drawn = random.nextInt(100);
            fates.put(
                    entry.path("Id").asText(),
                    drawn < failing ? Fate.FAILS : drawn < failing + unmentioned ? Fate.UNMENTIONED : Fate.PASSES);
        }
        return new Batch(request, fates);
    }

    private enum Fate {
        PASSES,
        FAILS,
        UNMENTIONED
    }

    private record Batch(ObjectNode request, Map<String, Fate> fates) {

        ArrayNode rest() {
            ArrayNode rest = JSON.createArrayNode();
            request.path("Entries").forEach(entry -> {
                if (fateOf(entry) != Fate.FAILS) {
                    rest.add(entry);
                }
            });
            return rest;
        }

        byte[] toServer() throws IOException {
            ObjectNode less = request.deepCopy();
            less.set("Entries", rest());
            return JSON.writeValueAsBytes(less);
        }

        /** @param ofServer null if it was not asked */
        byte[] answer(HttpResponse<byte[]> ofServer) throws IOException {
            JsonNode given = ofServer == null ? JSON.createObjectNode() : JSON.readTree(ofServer.body());
            ArrayNode successful = JSON.createArrayNode();
            ArrayNode failed = JSON.createArrayNode();
            given.path("Successful").forEach(result -> addUnlessUnmentioned(successful, result));
            given.path("Failed").forEach(result -> addUnlessUnmentioned(failed, result));
            fates.forEach((id, fate) -> {
                if (fate == Fate.FAILS) {
                    failed.addObject()
                            .put("Id", id)
                            .put("SenderFault", false)
                            .put("Code", "InternalError")
                            .put("Message", "try again");
                }
            });
            ObjectNode answer = JSON.createObjectNode();
            answer.set("Failed", failed);
            answer.set("Successful", successful);
            return JSON.writeValueAsBytes(answer);
        }

        private void addUnlessUnmentioned(ArrayNode results, JsonNode result) {
            if (fateOf(result) != Fate.UNMENTIONED) {
                results.add(result);
            }
        }

        private Fate fateOf(JsonNode named) {
            return fates.getOrDefault(named.path("Id").asText(), Fate.PASSES);
        }
    }
}
