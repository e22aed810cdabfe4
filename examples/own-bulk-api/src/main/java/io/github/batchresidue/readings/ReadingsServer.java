/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.readings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * Plays the service of {@link ReadingsApi}: it stores at most twenty readings of a request, knows no meter whose name begins with an
 * x, and turns every seventh request away.
 */
final class ReadingsServer implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int ROOM = 20;

    private final HttpServer server;

    // Guarded by this.
    private final Map<String, Integer> stored = new HashMap<>();
    private int requests;

    ReadingsServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/readings", this::handle);
        server.start();
    }

    String address() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    /** How often each reading was stored, by its ref. */
    synchronized Map<String, Integer> stored() {
        return Map.copyOf(stored);
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private synchronized void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode request = JSON.readTree(exchange.getRequestBody());
            requests++;
            if (requests % 7 == 0) {
                exchange.getResponseHeaders().set("Retry-After", "0.1");
                exchange.sendResponseHeaders(429, -1);
                return;
            }
            byte[] answer = JSON.writeValueAsBytes(store(request.path("readings")));
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
        }
    }

    private ObjectNode store(JsonNode readings) {
        ObjectNode answer = JSON.createObjectNode();
        ObjectNode results = answer.putObject("results");
        int room = ROOM;
        for (JsonNode reading : readings) {
            String ref = reading.path("ref").asText();
            if (reading.path("meter").asText().startsWith("x")) {
                results.put(ref, "unknown meter");
            } else if (room-- > 0) {
                stored.merge(ref, 1, Integer::sum);
                results.put(ref, "stored");
            } else {
                results.put(ref, "busy");
            }
        }
        return answer;
    }
}
