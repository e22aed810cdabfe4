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
import com.github.tomakehurst.wiremock.http.Request;
import com.github.tomakehurst.wiremock.http.ResponseDefinition;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/**
 * Plays a Salesforce org: the login, whose sessions may expire, and sObject Collections (create, update, upsert and delete
 * of up to 200 records) on a free port of the loopback interface, for any client of the service.
 *
 * <p>It works in one of two modes. Either the {@linkplain #createObject object types} decide which record lands. Or
 * {@linkplain #script replies are scripted}. In both, sessions are checked and the requests are
 * {@linkplain #collectionRequests kept}. Thread-safe.
 */
public final class SalesforceOrg implements AutoCloseable {

    private static final int MOST_RECORDS = 200;
    private static final int MOST_CHUNKS = 10;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String COLLECTIONS = "/services/data/v[0-9.]+/composite/sobjects";

    private final WireMockServer server;
    private final CountDownLatch closed = new CountDownLatch(1);

    // Guarded by this.
    private final Map<String, SalesforceObject> objects = new LinkedHashMap<>();
    private final Deque<ScriptedReply> loginScript = new ArrayDeque<>();
    private final Deque<ScriptedReply> script = new ArrayDeque<>();
    private boolean scripted;
    /** The sessions there are, each with the number of requests that it is still good for. */
    private final Map<String, Integer> sessions = new HashMap<>();

    private int logins;
    private int mostRequestsOfSession = Integer.MAX_VALUE;
    private int requestsOverLimit;
    private int answersToLose;
    private final List<CollectionRequest> requests = new ArrayList<>();

    public SalesforceOrg() {
        server = new WireMockServer(WireMockConfiguration.options()
                .bindAddress("127.0.0.1")
                .dynamicPort()
                .gzipDisabled(true)
                .disableRequestJournal()
                .extensions(new Answers()));
        server.start();
        server.stubFor(WireMock.any(WireMock.anyUrl()).willReturn(WireMock.aResponse()));
    }

    /** Where clients find it, for the login and for everything else. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    /** Creates an object type that takes everything; what it refuses is set on it. */
    public synchronized SalesforceObject createObject(String name) {
        SalesforceObject object = new SalesforceObject(name, String.format("%03d", objects.size() + 1));
        objects.put(name, object);
        return object;
    }

    /** Ends the sessions that there are: their next requests are answered with 401, and clients have to log in again. */
    public synchronized void expireSessions() {
        sessions.clear();
    }

    /** Every session ends after so many requests, those that there are after so many from now on. */
    public synchronized SalesforceOrg sessionsLast(int collectionRequests) {
        mostRequestsOfSession = collectionRequests;
        sessions.replaceAll((session, requests) -> collectionRequests);
        return this;
    }

    /** So many requests, the next ones, are over the limit of the org: 403 with {@code REQUEST_LIMIT_EXCEEDED}. */
    public synchronized SalesforceOrg limitRequests(int count) {
        requestsOverLimit = count;
        return this;
    }

    /** So many requests, the next ones, are carried out and the connection is reset before their answer. */
    public synchronized SalesforceOrg loseAnswers(int count) {
        answersToLose = count;
        return this;
    }

    /**
     * Answers the next requests for the collections resource with these replies, in order; from now on object types
     * decide nothing. A request beyond the last reply is answered with status 400 and the code {@code SCRIPT_ENDED}.
     */
    public synchronized SalesforceOrg script(List<ScriptedReply> replies) {
        scripted = true;
        script.addAll(replies);
        return this;
    }

    /** Answers the next logins with these replies, in order; then again as usual. */
    public synchronized SalesforceOrg scriptLogins(List<ScriptedReply> replies) {
        loginScript.addAll(replies);
        return this;
    }

    /** How often somebody has logged in. */
    public synchronized int logins() {
        return logins;
    }

    /** The requests for the collections resource so far that came with a good session, in order. */
    public synchronized List<CollectionRequest> collectionRequests() {
        return List.copyOf(requests);
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop();
    }

    // ---- Answers

    private final class Answers implements ResponseDefinitionTransformerV2 {

        @Override
        public ResponseDefinition transform(ServeEvent event) {
            ScriptedReply reply = answer(event.getRequest());
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
                response.withHeader("Content-Type", "application/json;charset=UTF-8");
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
            return "salesforce-org";
        }
    }

    private synchronized ScriptedReply answer(Request request) {
        URI uri = URI.create(request.getUrl());
        if (uri.getPath().equals("/services/oauth2/token")) {
            return answerLogin();
        }
        if (!uri.getPath().matches(COLLECTIONS + "(/\\w+/\\w+)?")) {
            return uri.getPath().equals("/services/oauth2/revoke")
                    ? ScriptedReply.of(200, "")
                    : error(404, "NOT_FOUND", "The requested resource does not exist");
        }
        if (!takeFromSession(request.getHeader("Authorization"))) {
            return error(401, "INVALID_SESSION_ID", "Session expired or invalid");
        }
        String method = request.getMethod().getName();
        String path = uri.getPath().replaceFirst(COLLECTIONS, "");
        List<JsonNode> records = method.equals("DELETE") ? ids(uri) : records(request.getBody());
        ScriptedReply reply = scripted ? nextOfScript() : carryOut(method, path, records);
        requests.add(new CollectionRequest(method, path, records, reply.status()));
        return reply;
    }

    private boolean takeFromSession(String authorization) {
        String session = String.valueOf(authorization).replaceFirst("^Bearer ", "");
        Integer left = sessions.computeIfPresent(session, (name, requests) -> requests - 1);
        if (left != null && left == 0) {
            sessions.remove(session);
        }
        return left != null;
    }

    private ScriptedReply answerLogin() {
        if (!loginScript.isEmpty()) {
            return loginScript.remove();
        }
        logins++;
        String session = "session-" + logins;
        sessions.put(session, mostRequestsOfSession);
        return ScriptedReply.of(
                200,
                NODES.objectNode()
                        .put("access_token", session)
                        .put("instance_url", endpoint().toString())
                        .put("id", endpoint() + "/id/00D000000000001AAA/005000000000001AAA")
                        .put("token_type", "Bearer")
                        .toString());
    }

    private ScriptedReply nextOfScript() {
        return script.isEmpty()
                ? error(400, "SCRIPT_ENDED", "the script has no reply to this request")
                : script.remove();
    }

    private ScriptedReply carryOut(String method, String path, List<JsonNode> records) {
        if (requestsOverLimit > 0) {
            requestsOverLimit--;
            return error(403, "REQUEST_LIMIT_EXCEEDED", "TotalRequests Limit exceeded.");
        }
        if (records.size() > MOST_RECORDS) {
            return error(
                    400,
                    "EXCEEDED_ID_LIMIT",
                    "record limit reached. cannot submit more than " + MOST_RECORDS + " records into this call");
        }
        if (chunks(records) > MOST_CHUNKS) {
            return error(400, "TOO_MANY_RECORDS", "cannot have more than " + MOST_CHUNKS + " chunks per operation");
        }
        ArrayNode results = NODES.arrayNode();
        Set<String> externalIds = new HashSet<>();
        for (JsonNode record : records) {
            results.add(
                    switch (method) {
                        case "POST" ->
                            objectOf(record) == null
                                    ? invalidType()
                                    : objectOf(record).create(record);
                        case "DELETE" -> delete(record.asText());
                        default -> objectOf(record) == null ? invalidType() : patch(path, record, externalIds);
                    });
        }
        if (answersToLose > 0) {
            answersToLose--;
            return ScriptedReply.of(ScriptedReply.Fault.RESET);
        }
        return ScriptedReply.of(200, results.toString());
    }

    private ObjectNode patch(String path, JsonNode record, Set<String> externalIds) {
        if (path.isEmpty()) {
            return objectOf(record).update(record);
        }
        String externalIdField = path.substring(path.lastIndexOf('/') + 1);
        return externalIds.add(record.path(externalIdField).asText())
                ? objectOf(record).upsert(record, externalIdField)
                : SalesforceObject.error(
                        "DUPLICATE_VALUE", "Duplicate external id specified: " + record.path(externalIdField));
    }

    private ObjectNode delete(String id) {
        return objects.values().stream()
                .filter(object -> object.hasIdLike(id))
                .findFirst()
                .map(object -> object.delete(id))
                .orElseGet(() -> SalesforceObject.error("MALFORMED_ID", "malformed id " + id));
    }

    private SalesforceObject objectOf(JsonNode record) {
        return objects.get(typeOf(record));
    }

    private static ObjectNode invalidType() {
        return SalesforceObject.error("INVALID_TYPE", "sObject type is not supported");
    }

    private static String typeOf(JsonNode record) {
        return record.path("attributes").path("type").asText();
    }

    private static int chunks(List<JsonNode> records) {
        int chunks = 0;
        String last = null;
        for (JsonNode record : records) {
            if (!typeOf(record).equals(last)) {
                chunks++;
                last = typeOf(record);
            }
        }
        return chunks;
    }

    private static ScriptedReply error(int status, String code, String message) {
        ArrayNode errors = NODES.arrayNode();
        errors.addObject().put("message", message).put("errorCode", code);
        return ScriptedReply.of(status, errors.toString());
    }

    private static List<JsonNode> records(byte[] body) {
        try {
            List<JsonNode> records = new ArrayList<>();
            JSON.readTree(new String(body, StandardCharsets.UTF_8))
                    .path("records")
                    .forEach(records::add);
            return records;
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the client sent no JSON", e);
        }
    }

    private static List<JsonNode> ids(URI uri) {
        for (String parameter : uri.getRawQuery().split("&")) {
            if (parameter.startsWith("ids=")) {
                String ids = URLDecoder.decode(parameter.substring(4), StandardCharsets.UTF_8);
                return List.of(ids.split(",")).stream()
                        .<JsonNode>map(NODES::textNode)
                        .toList();
            }
        }
        return List.of();
    }
}
