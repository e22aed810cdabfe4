/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.cases;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bug reports about writers to Elasticsearch and OpenSearch, each as a test. */
class ElasticsearchCasesTest {

    static Stream<BugCase> cases() {
        return BugCase.of("elasticsearch");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void comesOutRight(BugCase bugCase) throws Exception {
        CaseRunner.run(bugCase, new ScriptedIndex(bugCase));
    }

    private static final class ScriptedIndex implements ScriptedService {

        private final BugCase bugCase;
        private final WireMockServer server = new WireMockServer(
                WireMockConfiguration.options().bindAddress("127.0.0.1").dynamicPort());

        ScriptedIndex(BugCase bugCase) {
            this.bugCase = bugCase;
            server.start();
            String state = Scenario.STARTED;
            int number = 0;
            for (JsonNode reply : bugCase.replies()) {
                number++;
                String next = "after " + number;
                server.stubFor(any(anyUrl())
                        .inScenario("script")
                        .whenScenarioStateIs(state)
                        .willReturn(answer(reply))
                        .willSetStateTo(next));
                state = next;
            }
        }

        private static ResponseDefinitionBuilder answer(JsonNode reply) {
            if (reply.has("fault")) {
                return aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER);
            }
            ResponseDefinitionBuilder answer = aResponse()
                    .withStatus(reply.get("status").asInt())
                    .withHeader("Content-Type", "application/json")
                    .withBody(
                            reply.has("json")
                                    ? reply.get("json").toString()
                                    : reply.path("text").asText());
            reply.path("headers")
                    .properties()
                    .forEach(header ->
                            answer.withHeader(header.getKey(), header.getValue().asText()));
            return answer;
        }

        @Override
        public void bind(CamelContext context) {
            // The component makes its own client.
        }

        @Override
        public String delegateUri(BugCase theCase) {
            return "http://127.0.0.1:" + server.port() + "/_bulk";
        }

        @Override
        public List<String> delegateOptions(BugCase theCase) {
            return List.of();
        }

        /** Each operation as the list of its lines. */
        @Override
        public List<JsonNode> wireItems(BugCase theCase) throws Exception {
            if (theCase.json().has("body")) {
                return operations(theCase.json().get("body").asText());
            }
            List<JsonNode> operations = new ArrayList<>();
            for (JsonNode item : theCase.items()) {
                ObjectNode metadata = item.deepCopy();
                metadata.remove(List.of("action", "doc"));
                ArrayNode lines = BugCase.MAPPER.createArrayNode();
                String action = item.get("action").asText();
                lines.add(BugCase.MAPPER.createObjectNode().set(action, metadata));
                if (action.equals("update")) {
                    lines.add(BugCase.MAPPER.createObjectNode().set("doc", item.get("doc")));
                } else if (!action.equals("delete")) {
                    lines.add(item.get("doc"));
                }
                operations.add(lines);
            }
            return operations;
        }

        @Override
        public List<List<JsonNode>> received() throws Exception {
            List<ServeEvent> events = new ArrayList<>(server.getAllServeEvents());
            Collections.reverse(events);
            List<List<JsonNode>> requests = new ArrayList<>();
            for (ServeEvent event : events) {
                assertThat(event.getRequest().getMethod().getName()).isEqualTo("POST");
                assertThat(event.getRequest().header("Content-Type").firstValue())
                        .isEqualTo("application/x-ndjson");
                String path = bugCase.json().path("expectRequestPath").asText("/_bulk");
                assertThat(event.getRequest().getUrl().replaceAll("[?&]filter_path=[^&]*", ""))
                        .isEqualTo(path);
                requests.add(operations(event.getRequest().getBodyAsString()));
            }
            return requests;
        }

        private static List<JsonNode> operations(String text) throws Exception {
            assertThat(text).endsWith("\n");
            List<JsonNode> operations = new ArrayList<>();
            String[] lines = text.split("\n");
            for (int i = 0; i < lines.length; i++) {
                ArrayNode operation = BugCase.MAPPER.createArrayNode();
                JsonNode action = BugCase.MAPPER.readTree(lines[i]);
                operation.add(action);
                if (!action.has("delete")) {
                    operation.add(BugCase.MAPPER.readTree(lines[++i]));
                }
                operations.add(operation);
            }
            return operations;
        }

        @Override
        public void close() {
            server.stop();
        }
    }
}
