/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.http.Request;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import io.github.batchresidue.camel.BatchResidueConstants;
import io.github.batchresidue.camel.BatchResidueException;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Outcome;
import io.github.batchresidue.engine.Reason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The components that go through a client of the service, with the real clients against a scripted server. */
class ClientDelegateTest {

    private static final String OPERATIONS = "{\"index\":{\"_index\":\"books\",\"_id\":\"1\"}}\n{ \"n\" : 1.50 }\r\n"
            + "{\"create\":{\"_index\":\"books\",\"_id\":\"\\u00e4\",\"new_option\":true}}\n{\"t\":\"漢\"}\n"
            + "{\"update\":{\"_index\":\"books\",\"_id\":\"3\"}}\n{\"doc\":{\"t\":\"c\"}}\n"
            + "{\"delete\":{\"_index\":\"books\",\"_id\":\"4\"}}\n";

    private static final String REJECTION =
            "\"error\":{\"type\":\"es_rejected_execution_exception\",\"reason\":\"full\"},\"status\":429";

    private final WireMockServer server = new WireMockServer(
            WireMockConfiguration.options().bindAddress("127.0.0.1").dynamicPort());
    private final CamelContext context = new DefaultCamelContext();
    private int answers;

    @BeforeEach
    void start() {
        server.start();
        context.start();
    }

    @AfterEach
    void stop() {
        context.stop();
        server.stop();
    }

    @ParameterizedTest
    @ValueSource(strings = {"elasticsearch", "opensearch"})
    void theLinesGoOutAsTheyCameInAndResidueIsSentAgain(String scheme) {
        answer(results(
                item("index", "1", 429, "es_rejected_execution_exception"),
                item("create", "ä", 201, null),
                item("update", "3", 404, "document_missing_exception"),
                item("delete", "4", 404, null)));
        answer(results(item("index", "1", 201, null)));

        Ledger ledger = ledger(send(scheme, "", OPERATIONS, Map.of()));

        assertThat(ledger.landed()).isEqualTo(3);
        assertThat(ledger.terminalItems()).singleElement().satisfies(item -> {
            assertThat(item.index()).isEqualTo(2);
            assertThat(item.failure().code()).isEqualTo("document_missing_exception");
            assertThat(item.failure().status()).isEqualTo(404);
        });
        assertThat(bodies()).containsExactly(OPERATIONS, OPERATIONS.substring(0, OPERATIONS.indexOf("{\"create\"")));
        assertThat(requests().get(0).getUrl()).isEqualTo("/_bulk");
    }

    @ParameterizedTest
    @ValueSource(strings = {"elasticsearch", "opensearch"})
    void randomOperationsAreWrittenInTheSameBytes(String scheme) throws Exception {
        Random random = new Random(7);
        StringBuilder text = new StringBuilder();
        List<String> results = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            BulkTexts.Made made = BulkTexts.made(random);
            text.append(made.text("\n").stripLeading());
            results.add(item(made.action().word(), "x", 201, null).replace("\"_id\":\"x\",", ""));
        }
        answer(results(results.toArray(String[]::new)));

        Ledger ledger = ledger(send(scheme, "&itemKey=none", text.toString(), Map.of()));

        assertThat(ledger.landed()).isEqualTo(500);
        assertThat(bodies()).containsExactly(text.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"elasticsearch", "opensearch"})
    void bytesThatAreNoUtf8AreForTheServiceToJudge(String scheme) {
        answer(results(item("index", "1", 201, null)));
        byte[] text = "{\"index\":{\"_id\":\"1\"}}\n{\"city\":\"Z\u00fcrich\"}\n".getBytes(StandardCharsets.ISO_8859_1);

        send(scheme, "", text, Map.of());

        assertThat(requests()).singleElement().extracting(Request::getBody).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"elasticsearch", "opensearch"})
    void documentsGoToTheIndexOfTheDelegateAndLeftOverHeadersDoNothing(String scheme) {
        answer(results(item("index", "a", 201, null)));

        Ledger ledger = ledger(send(
                scheme,
                "&indexName=books&bulkApi.idField=sku",
                List.of(Map.of("sku", "a")),
                Map.of("operation", "Delete", "indexId", "7")));

        assertThat(ledger.landed()).isEqualTo(1);
        assertThat(bodies()).containsExactly("{\"index\":{\"_id\":\"a\"}}\n{\"sku\":\"a\"}\n");
        assertThat(requests().get(0).getUrl()).isEqualTo("/books/_bulk");
    }

    @ParameterizedTest
    @ValueSource(strings = {"elasticsearch", "opensearch"})
    void everyKindOfRefusalIsReadAsThroughHttp(String scheme) {
        answer(json(429, "{" + REJECTION + "}").withHeader("Retry-After", "0.3"));
        answer(json(503, "{\"error\":{\"type\":\"cluster_block_exception\",\"reason\":\"no master\"},\"status\":503}"));
        answer(json(413, ""));
        answer(results(item("index", "1", 201, null), item("create", "ä", 201, null)));
        answer(json(400, "{\"error\":{\"type\":\"illegal_argument_exception\",\"reason\":\"bad\"},\"status\":400}"));
        answer(json(400, "{\"error\":{\"type\":\"illegal_argument_exception\",\"reason\":\"bad\"},\"status\":400}"));
        answer(results(item("delete", "4", 200, null)));

        Ledger ledger = ledger(send(scheme, "", OPERATIONS, Map.of()));

        assertThat(ledger.landed()).isEqualTo(3);
        assertThat(ledger.terminalItems()).extracting(LedgerItem::index).containsExactly(2L);
        assertThat(ledger.terminalItems().get(0).failure().code()).isEqualTo("illegal_argument_exception");
        assertThat(ledger.requests()).isEqualTo(7);
        assertThat(ledger.waitedMillis()).isGreaterThanOrEqualTo(300);
    }

    @ParameterizedTest
    @ValueSource(strings = {"elasticsearch", "opensearch"})
    void credentialsThatAreRefusedFailAtOnce(String scheme) {
        for (int status : new int[] {401, 403}) {
            server.resetAll();
            answers = 0;
            answer(json(
                    status,
                    "{\"error\":{\"type\":\"security_exception\",\"reason\":\"no\"},\"status\":" + status + "}"));

            Exchange done = send(scheme, "", OPERATIONS, Map.of());

            assertThat(done.getException()).isNotNull();
            assertThat(ledger(done).pendingItems())
                    .hasSize(4)
                    .noneMatch(LedgerItem::maybeLanded)
                    .allMatch(item -> item.failure().status() == status);
            assertThat(requests()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"elasticsearch", "opensearch"})
    void anAnswerThatIsNoneMakesEveryItemUnknown(String scheme) {
        String unnamed = "{\"index\":{\"_index\":\"books\"}}\n{}\n";
        List<ResponseDefinitionBuilder> strange = List.of(
                json(200, ""),
                json(200, "<html/>"),
                json(200, "{}"),
                json(200, "{\"took\":1,\"errors\":false,\"items\":[]}"),
                json(200, "{\"took\":1,\"errors\":false,\"items\":[{\"index\":{}}]}"),
                json(200, "{\"took\":1,\"errors\":false,\"items\":[" + item("create", "1", 201, null) + "]}"),
                json(200, "{\"took\":1,\"errors\":false,\"items\":["));
        for (ResponseDefinitionBuilder answer : strange) {
            server.resetAll();
            answers = 0;
            answer(answer);

            Ledger ledger = ledger(send(scheme, "", unnamed, Map.of()));

            assertThat(ledger.givenUpItems()).singleElement().satisfies(item -> {
                assertThat(item.outcome()).isEqualTo(Outcome.GIVEN_UP);
                assertThat(item.reason()).isEqualTo(Reason.UNKNOWN_OUTCOME);
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"elasticsearch", "opensearch"})
    void aLostAnswerIsATransportFailureAndAConflictAfterItIsOurs(String scheme) {
        answer(aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER));
        answer(json(500, "{\"error\":{\"type\":\"x\",\"reason\":\"y\"},\"status\":500}"));
        answer(results(item("create", "1", 409, "version_conflict_engine_exception")));

        Ledger ledger = ledger(send(
                scheme,
                "&onTransportFailure=RETRY",
                "{\"create\":{\"_index\":\"books\",\"_id\":\"1\"}}\n{}\n",
                Map.of()));

        assertThat(ledger.landed()).isEqualTo(1);
        assertThat(ledger.requests()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"elasticsearch", "opensearch"})
    void aRefusedConnectionIsCertainNotToHaveLandedAnything(String scheme) {
        String uri = uri(scheme, "");
        server.stop();

        Exchange done = context.createProducerTemplate()
                .request(uri, exchange -> exchange.getMessage().setBody(OPERATIONS));

        assertThat(done.getException()).isNotNull();
        assertThat(ledger(done).pendingItems()).hasSize(4).noneMatch(LedgerItem::maybeLanded);
    }

    private Exchange send(String scheme, String options, Object body, Map<String, Object> headers) {
        String uri = uri(scheme, options);
        return context.createProducerTemplate().request(uri, exchange -> {
            exchange.getMessage().setBody(body);
            headers.forEach(exchange.getMessage()::setHeader);
        });
    }

    private String uri(String scheme, String options) {
        return "batchresidue:" + scheme + ":cluster?operation=Bulk&hostAddresses=127.0.0.1:" + server.port()
                + "&redeliveryDelay=1&jitter=NONE" + options;
    }

    private static Ledger ledger(Exchange done) {
        return done.getException() == null
                ? done.getProperty(BatchResidueConstants.LEDGER, Ledger.class)
                : BatchResidueException.of(done).orElseThrow().getLedger();
    }

    private static String item(String word, String id, int status, String errorType) {
        String outcome = errorType == null
                ? "\"_version\":1,\"result\":\"created\""
                : "\"error\":{\"type\":\"" + errorType + "\",\"reason\":\"because\"}";
        return "{\"" + word + "\":{\"_index\":\"books\",\"_id\":\"" + id + "\",\"status\":" + status + "," + outcome
                + "}}";
    }

    private static ResponseDefinitionBuilder results(String... items) {
        return json(200, "{\"took\":1,\"errors\":false,\"items\":[" + String.join(",", items) + "]}");
    }

    private static ResponseDefinitionBuilder json(int status, String body) {
        return aResponse()
                .withStatus(status)
                .withHeader("Content-Type", "application/json")
                .withHeader("X-Elastic-Product", "Elasticsearch")
                .withBody(body);
    }

    /** The next answer of the script. */
    private void answer(ResponseDefinitionBuilder answer) {
        server.stubFor(any(anyUrl())
                .inScenario("script")
                .whenScenarioStateIs(answers == 0 ? Scenario.STARTED : "after " + answers)
                .willReturn(answer)
                .willSetStateTo("after " + ++answers));
    }

    private List<String> bodies() {
        return requests().stream().map(Request::getBodyAsString).toList();
    }

    private List<Request> requests() {
        List<ServeEvent> events = new ArrayList<>(server.getAllServeEvents());
        Collections.reverse(events);
        return events.stream().<Request>map(ServeEvent::getRequest).toList();
    }
}
