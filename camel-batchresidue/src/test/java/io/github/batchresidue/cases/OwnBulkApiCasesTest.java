/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.cases;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.Limits;
import io.github.batchresidue.bulkapi.RawJson;
import io.github.batchresidue.bulkapi.http.HttpAnswer;
import io.github.batchresidue.bulkapi.http.RetryAfter;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Verdict;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bug reports about services that have no API here, each with one that its user would write: the interface carries it. */
class OwnBulkApiCasesTest {

    static Stream<BugCase> cases() {
        return Stream.of("azure-search", "bq-insertall", "graph-batch", "hubspot-batch")
                .flatMap(BugCase::of);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void comesOutRight(BugCase bugCase) throws Exception {
        OwnApi api =
                switch (bugCase.protocol()) {
                    case "azure-search" -> new AzureSearch();
                    case "bq-insertall" -> new InsertAll();
                    case "graph-batch" -> new GraphBatch();
                    default -> new HubSpotBatch();
                };
        ObjectNode withBean = bugCase.json().deepCopy();
        withBean.put("protocol", "#own");
        CaseRunner.run(new BugCase(bugCase.name(), withBean, bugCase.isText()), new ScriptedHttp(bugCase, api));
    }

    // ---- What the four have in common

    private record JsonItem(JsonNode json, Object body) implements BulkItem {
        @Override
        public long bytes() {
            return json.toString().length();
        }
    }

    /** JSON in, JSON out. */
    private abstract static class OwnApi implements BulkApi {

        /** The member of a request that lists the items. */
        final String list;
        /** The member of an item that names it in the answer; null if the service goes by position. */
        final String id;

        OwnApi(String list, String id) {
            this.list = list;
            this.id = id;
        }

        /** The verdict that an answer has on each item. */
        abstract void judge(List<JsonNode> items, JsonNode answer, Verdicts verdicts);

        JsonNode entry(JsonNode item, int position) {
            return item;
        }

        @Override
        public Limits limits() {
            return new Limits(100, Limits.NONE, 0);
        }

        @Override
        public BulkItem item(Object element) throws InvalidItemException {
            try {
                return new JsonItem(
                        element instanceof RawJson text
                                ? BugCase.MAPPER.readTree(text.utf8())
                                : BugCase.MAPPER.valueToTree(element),
                        element);
            } catch (IOException e) {
                throw new InvalidItemException("it is no JSON", e);
            }
        }

        @Override
        public void write(List<BulkItem> items, Exchange exchange) {
            ObjectNode request = BugCase.MAPPER.createObjectNode();
            for (int i = 0; i < items.size(); i++) {
                request.withArrayProperty(list).add(entry(((JsonItem) items.get(i)).json(), i));
            }
            exchange.getMessage().setBody(request.toString());
        }

        @Override
        public Reply read(List<BulkItem> items, Exchange exchange) {
            HttpAnswer answer = HttpAnswer.of(exchange);
            Failure failure = new Failure(answer.status(), null, "no answer of the service");
            if (!answer.isSuccess()) {
                return new Reply.TransportFailed(answer.exception(), failure, false, answer.retryAfterMillis());
            }
            Verdicts verdicts = new Verdicts(items.size());
            try {
                judge(
                        items.stream().map(item -> ((JsonItem) item).json()).toList(),
                        BugCase.MAPPER.readTree(answer.body()),
                        verdicts);
            } catch (IOException e) {
                return Reply.unreadable(items.size(), failure);
            }
            return verdicts.reply();
        }
    }

    /** Unknown is what nobody has judged. */
    private static final class Verdicts {

        private final Verdict[] verdicts;
        private long hintMillis;

        Verdicts(int items) {
            verdicts = new Verdict[items];
            Arrays.fill(verdicts, Verdict.unknown(Failure.NONE));
        }

        void set(int position, Verdict verdict) {
            if (position >= 0 && position < verdicts.length) {
                verdicts[position] = verdict;
            }
        }

        void waitFor(long millis) {
            hintMillis = Math.max(hintMillis, millis);
        }

        Reply reply() {
            return new Reply.Verdicts(List.of(verdicts), hintMillis);
        }
    }

    private static Verdict byStatus(int status, String code) {
        Failure failure = new Failure(status, code, null);
        if (status < 300) {
            return Verdict.landed();
        }
        return Set.of(409, 422, 429, 503).contains(status) ? Verdict.residue(failure) : Verdict.terminal(failure);
    }

    // ---- The four

    /** Results are named by the key of the document, in any order. */
    private static final class AzureSearch extends OwnApi {

        AzureSearch() {
            super("value", "hotelId");
        }

        @Override
        void judge(List<JsonNode> items, JsonNode answer, Verdicts verdicts) {
            for (JsonNode result : answer.path("value")) {
                for (int i = 0; i < items.size(); i++) {
                    if (items.get(i).get(id).equals(result.get("key"))) {
                        verdicts.set(i, byStatus(result.path("statusCode").asInt(), null));
                    }
                }
            }
        }
    }

    /** Failures are named by position, silence means landed, and one invalid row stops the others. */
    private static final class InsertAll extends OwnApi {

        InsertAll() {
            super("rows", null);
        }

        @Override
        void judge(List<JsonNode> items, JsonNode answer, Verdicts verdicts) {
            if (!answer.path("kind").asText().equals("bigquery#tableDataInsertAllResponse")) {
                return;
            }
            for (int i = 0; i < items.size(); i++) {
                verdicts.set(i, Verdict.landed());
            }
            for (JsonNode failed : answer.path("insertErrors")) {
                JsonNode error = failed.path("errors").path(0);
                Failure failure = new Failure(
                        200,
                        error.path("reason").asText(),
                        error.path("message").asText());
                verdicts.set(
                        failed.get("index").asInt(),
                        failure.code().equals("stopped") ? Verdict.victim(failure) : Verdict.terminal(failure));
            }
        }
    }

    /** Answers within the answer, by id, each with a status and headers of its own. */
    private static final class GraphBatch extends OwnApi {

        GraphBatch() {
            super("requests", "id");
        }

        @Override
        void judge(List<JsonNode> items, JsonNode answer, Verdicts verdicts) {
            for (JsonNode response : answer.path("responses")) {
                for (int i = 0; i < items.size(); i++) {
                    if (items.get(i).get(id).equals(response.get("id"))) {
                        verdicts.set(
                                i,
                                byStatus(
                                        response.path("status").asInt(),
                                        response.at("/body/error/code").asText()));
                    }
                }
                JsonNode wait = response.at("/headers/Retry-After");
                if (wait.isTextual()) {
                    verdicts.waitFor(RetryAfter.millis(wait.textValue()));
                }
            }
        }
    }

    /** Created and failed objects stand in two lists that name a trace id, which each input has to be given. */
    private static final class HubSpotBatch extends OwnApi {

        HubSpotBatch() {
            super("inputs", "objectWriteTraceId");
        }

        @Override
        JsonNode entry(JsonNode item, int position) {
            return ((ObjectNode) item.deepCopy()).put(id, "i-" + position);
        }

        @Override
        void judge(List<JsonNode> items, JsonNode answer, Verdicts verdicts) {
            for (JsonNode result : answer.path("results")) {
                verdicts.set(position(result.path(id).asText()), Verdict.landed());
            }
            for (JsonNode error : answer.path("errors")) {
                Failure failure = new Failure(
                        207,
                        error.path("category").asText(),
                        error.path("message").asText());
                for (JsonNode traceId : error.path("context").path(id)) {
                    verdicts.set(
                            position(traceId.asText()),
                            failure.code().equals("RATE_LIMITS")
                                    ? Verdict.residue(failure)
                                    : Verdict.terminal(failure));
                }
            }
        }

        private static int position(String traceId) {
            return traceId.startsWith("i-") ? Integer.parseInt(traceId.substring(2)) : -1;
        }
    }

    // ---- The service

    private static final class ScriptedHttp implements ScriptedService {

        private final BugCase bugCase;
        private final OwnApi api;
        private final HttpServer server;
        private final Iterator<JsonNode> replies;
        private final List<JsonNode> requests = new ArrayList<>();

        ScriptedHttp(BugCase bugCase, OwnApi api) throws IOException {
            this.bugCase = bugCase;
            this.api = api;
            replies = bugCase.replies().iterator();
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/batch", this::handle);
            server.start();
        }

        private synchronized void handle(HttpExchange exchange) throws IOException {
            try (exchange) {
                JsonNode request = BugCase.MAPPER.readTree(exchange.getRequestBody());
                requests.add(request);
                JsonNode reply = replies.next();
                String text = reply.get("json").toString();
                for (int i = 0; i < request.path(api.list).size(); i++) {
                    String itsId = request.path(api.list)
                            .path(i)
                            .path(String.valueOf(api.id))
                            .asText();
                    text = text.replace("{{id:" + i + "}}", itsId);
                }
                byte[] body = text.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(reply.get("status").asInt(), body.length);
                exchange.getResponseBody().write(body);
            }
        }

        @Override
        public void bind(CamelContext context) {
            context.getRegistry().bind("own", api);
        }

        @Override
        public String delegateUri(BugCase theCase) {
            return "http://127.0.0.1:" + server.getAddress().getPort() + "/batch";
        }

        @Override
        public List<String> delegateOptions(BugCase theCase) {
            return List.of();
        }

        @Override
        public List<JsonNode> wireItems(BugCase theCase) {
            return bugCase.items();
        }

        /** Without the id that an input was given. */
        @Override
        public synchronized List<List<JsonNode>> received() {
            List<List<JsonNode>> received = new ArrayList<>();
            for (JsonNode request : requests) {
                List<JsonNode> entries = new ArrayList<>();
                for (JsonNode entry : request.get(api.list)) {
                    entries.add(api instanceof HubSpotBatch ? ((ObjectNode) entry.deepCopy()).without(api.id) : entry);
                }
                received.add(entries);
            }
            return received;
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }
}
