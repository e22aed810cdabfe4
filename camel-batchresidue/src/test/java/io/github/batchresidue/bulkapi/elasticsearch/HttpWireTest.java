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
import com.github.tomakehurst.wiremock.http.Request;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import com.github.tomakehurst.wiremock.stubbing.StubMapping;
import io.github.batchresidue.camel.BatchResidueConstants;
import io.github.batchresidue.camel.BatchResidueException;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Reason;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests as the server sees them through {@code camel-http}. */
class HttpWireTest {

    private static final String FILTER = "filter_path=errors,items.*.status,items.*.error,items.*.failure_store";
    private static final String DELETE = "{\"delete\":{\"_index\":\"books\",\"_id\":\"1\"}}\n";
    private static final String INDEX = "{\"index\":{\"_index\":\"books\"}}\n{\"a\":1}\n";
    private static final String DELETED = "{\"errors\":false,\"items\":[{\"delete\":{\"status\":200}}]}";
    private static final String REJECTED =
            "{\"error\":{\"type\":\"es_rejected_execution_exception\",\"reason\":\"full\"},\"status\":429}";

    private final WireMockServer server = new WireMockServer(WireMockConfiguration.options()
            .bindAddress("127.0.0.1")
            .dynamicPort()
            .extensions(new EveryOperationLands()));
    private final CamelContext context = new DefaultCamelContext();
    private String base;

    @BeforeEach
    void start() {
        server.start();
        context.start();
        base = "http://127.0.0.1:" + server.port();
        server.stubFor(
                any(anyUrl()).willReturn(aResponse().withStatus(200).withTransformers(EveryOperationLands.NAME)));
    }

    @AfterEach
    void stop() {
        context.stop();
        server.stop();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/_bulk | | /_bulk?" + FILTER,
                "/books/_bulk | refresh=true | /books/_bulk?refresh=true&" + FILTER,
                "/_bulk | pipeline=p&routing=a%20b | /_bulk?pipeline=p&routing=a%20b&" + FILTER,
                "/_bulk | filter_path=items | /_bulk?filter_path=items",
                "/_bulk | filter_path=items,errors&timeout=1m | /_bulk?filter_path=items,errors&timeout=1m",
                "/_bulk | my_filter_path=x | /_bulk?my_filter_path=x&" + FILTER,
                "/_bulk | refresh=true&bulkApi.filterPath=false | /_bulk?refresh=true",
                "/_bulk | bulkApi.filterPath=false | /_bulk",
            })
    void aRequestIsAPostWithTheUsersQueryAndTheShortestAnswerAskedFor(String path, String query, String expected) {
        send(base + path + (query == null ? "" : "?" + query), DELETE, Map.of());

        Request request = requests().get(0);
        assertThat(request.getMethod().getName()).isEqualTo("POST");
        assertThat(request.getUrl().replace("%2C", ",").replace("%2A", "*").replace("+", "%20"))
                .isEqualTo(expected);
        assertThat(request.getHeader("Content-Type")).isEqualTo("application/x-ndjson");
        assertThat(request.getHeader("Content-Length")).isEqualTo(Integer.toString(DELETE.length()));
        assertThat(request.getBodyAsString()).isEqualTo(DELETE);
    }

    /** As a route would that stores what has not landed, or aggregates its dead letters, and sends the list tomorrow. */
    @Test
    void whatALedgerGivesIsGoodForTheNextCall() {
        StubMapping failing =
                server.stubFor(any(anyUrl()).willReturn(aResponse().withStatus(500)));
        String text = DELETE + "{\"index\":{\"_id\":\"2\"}}\r\n{ \"n\" : 1.50 }\r\n" + INDEX;
        Ledger failed = ledger(send(base + "/_bulk", text, Map.of()));

        server.removeStub(failing);
        List<Object> rest = failed.pendingItems().stream().map(LedgerItem::body).toList();
        Ledger landed = ledger(send(base + "/_bulk", rest, Map.of()));

        assertThat(failed.landed()).isZero();
        assertThat(landed.landed()).isEqualTo(3);
        assertThat(requests()).extracting(Request::getBodyAsString).hasSize(2).containsOnly(text);
    }

    @Test
    void aBodyIsCompressedOnRequest() {
        send(base + "/_bulk?delegateHeaders=Content-Encoding", DELETE, Map.of("Content-Encoding", "gzip"));

        Request request = requests().get(0);
        assertThat(request.getHeader("Content-Encoding")).isEqualTo("gzip");
        assertThat(request.getBodyAsString()).isEqualTo(DELETE); // The server has inflated it.
    }

    @Test
    void aLeftOverEncodingCompressesNothing() {
        send(base + "/_bulk", DELETE, Map.of("Content-Encoding", "gzip"));

        assertThat(requests().get(0).getHeader("Content-Encoding")).isNull();
        assertThat(requests().get(0).getBodyAsString()).isEqualTo(DELETE);
    }

    static Stream<Supplier<Object>> bodies() {
        return Stream.of(
                () -> textWithAll(),
                () -> textWithAll().getBytes(StandardCharsets.UTF_8),
                () -> new ByteArrayInputStream(textWithAll().getBytes(StandardCharsets.UTF_8)),
                () -> new ByteArrayInputStream(("\uFEFF" + textWithAll()).getBytes(StandardCharsets.UTF_8)));
    }

    private static String textWithAll() {
        return "{ \"index\" : { \"_id\" : \"\\u00e4\" } }\r\n{ \"n\" : 1.50e2 }\r\n\n" + DELETE + INDEX.strip();
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void theBytesOfATextGoOutAsTheyCameIn(Supplier<Object> body) {
        Exchange done = send(base + "/_bulk", body.get(), Map.of());

        assertThat(ledger(done).landed()).isEqualTo(3);
        assertThat(requests().get(0).getBodyAsString()).isEqualTo(textWithAll().replace("\r\n\n", "\r\n") + "\n");
    }

    @Test
    void aFileIsReadAsItIsSent(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("books.ndjson"), INDEX.repeat(2500));

        for (Object body : List.of(file, file.toFile())) {
            server.resetRequests();
            assertThat(ledger(send(base + "/_bulk", body, Map.of())).landed()).isEqualTo(2500);
            assertThat(requests()).hasSize(3);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void batchBytesAreTheBytesOnTheWire(long seed) throws Exception {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 400; i++) {
            text.append("{\"index\":{\"_index\":\"b\",\"_id\":\"")
                    .append(i)
                    .append("\"}}\n{\"t\":\"")
                    .append("ä".repeat(random.nextInt(60)))
                    .append("\"}\n");
        }
        List<Long> sizes = new ArrayList<>();
        BulkTexts.operations(text.toString()).forEach(operation -> sizes.add(operation.bytes()));

        send(base + "/_bulk?batchBytes=1000", text.toString(), Map.of());

        int next = 0;
        StringBuilder received = new StringBuilder();
        for (Request request : requests()) {
            received.append(request.getBodyAsString());
            int length = request.getBody().length;
            int sum = 0;
            while (sum < length) {
                sum += sizes.get(next++);
            }
            assertThat(sum).isEqualTo(length).isLessThanOrEqualTo(1000);
            if (next < sizes.size()) {
                assertThat(sum + sizes.get(next))
                        .as("one more would not have fitted")
                        .isGreaterThan(1000);
            }
        }
        assertThat(received.toString()).isEqualTo(text.toString());
    }

    @Test
    void aHintOfSecondsIsWaitedForInWholeOrInPart() {
        for (String seconds : List.of("1", "0.25")) {
            server.resetAll();
            answerFirst(aResponse()
                    .withStatus(429)
                    .withHeader("Retry-After", seconds)
                    .withBody(REJECTED));

            Ledger ledger = ledger(send(base + "/_bulk?redeliveryDelay=1", DELETE, Map.of()));

            assertThat(ledger.landed()).isEqualTo(1);
            assertThat(ledger.waitedMillis()).isGreaterThanOrEqualTo((long) (Double.parseDouble(seconds) * 1000));
        }
    }

    @Test
    void aHintMayBeADateAndComeWithAnItemsRejection() {
        String inTwoSeconds = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                Instant.now().plusSeconds(2).atOffset(ZoneOffset.UTC));
        answerFirst(aResponse()
                .withStatus(200)
                .withHeader("Retry-After", inTwoSeconds)
                .withBody("{\"errors\":true,\"items\":[{\"delete\":{\"status\":429,\"error\":"
                        + "{\"type\":\"es_rejected_execution_exception\",\"reason\":\"full\"}}}]}"));

        Ledger ledger = ledger(send(base + "/_bulk?redeliveryDelay=1", DELETE, Map.of()));

        assertThat(ledger.waitedMillis()).isGreaterThan(500);
    }

    private void answerFirst(ResponseDefinitionBuilder first) {
        server.stubFor(any(anyUrl())
                .inScenario("hint")
                .whenScenarioStateIs(Scenario.STARTED)
                .willReturn(first)
                .willSetStateTo("told"));
        server.stubFor(any(anyUrl())
                .inScenario("hint")
                .whenScenarioStateIs("told")
                .willReturn(aResponse().withStatus(200).withBody(DELETED)));
    }

    @Test
    void anOperationWithoutAnIdIsNotSentAgainAfterAnUnknownOutcome() {
        answerFirst(aResponse().withStatus(200).withBody("<html/>"));

        Exchange done = send(base + "/_bulk?redeliveryDelay=1", INDEX, Map.of());

        LedgerItem item = ledger(done).givenUpItems().get(0);
        assertThat(item.reason()).isEqualTo(Reason.UNKNOWN_OUTCOME);
        assertThat(item.maybeLanded()).isTrue();
        assertThat(requests()).hasSize(1);
    }

    @Test
    void withAnIdOfOursItIsAndAConflictThenMeansThatItLanded() {
        String conflict = "{\"errors\":true,\"items\":[{\"create\":{\"status\":409,\"error\":"
                + "{\"type\":\"version_conflict_engine_exception\",\"reason\":\"exists\"}}}]}";
        answerFirst(aResponse().withStatus(200).withBody("<html/>"));
        server.stubFor(any(anyUrl())
                .inScenario("hint")
                .whenScenarioStateIs("told")
                .willReturn(aResponse().withStatus(200).withBody(conflict)));

        Exchange done = send(
                base + "/_bulk?redeliveryDelay=1&bulkApi.generateIds=true",
                INDEX.replace("index\":{", "create\":{"),
                Map.of());

        assertThat(ledger(done).landed()).isEqualTo(1);
        assertThat(requests()).hasSize(2);
        assertThat(requests().get(0).getBodyAsString())
                .isEqualTo(requests().get(1).getBodyAsString())
                .contains("\"_id\":\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'{\"index\":{\"_id\":\"7\"}' | not valid JSON",
                "'{\"index\":{\"_id\":\"7\"}}\n{\"index\":{\"_id\":\"8\"}}\n{}' | another action line",
                "'{\"index\":{\"_id\":\"7\"}}\n{\"text\":\"cut o' | ends within its source line"
            })
    void aBrokenTextFailsWithTheLedgerOfWhatWasReadBeforeIt(String broken, String problem) {
        String before = INDEX.repeat(1500);

        Exchange done = send(base + "/_bulk", before + broken, Map.of());

        assertThat(done.getException())
                .hasMessageContaining("operation 1500 at byte " + before.length() + ": ")
                .hasMessageContaining(problem);
        Ledger ledger = ledger(done);
        assertThat(ledger.items()).isEqualTo(1500);
        assertThat(ledger.landed()).isEqualTo(1500);
        assertThat(ledger.inputExhausted()).isFalse();
    }

    @Test
    void twoOperationsOnOneDocumentKeepTheirOrderThoughOneNamesItsIndexAndTheOtherDoesNot() {
        String text = "{\"index\":{\"_index\":\"books\",\"_id\":\"1\"}}\n{}\n{\"delete\":{\"_id\":\"1\"}}\n";

        send(base + "/books/_bulk", text, Map.of());

        assertThat(requests()).hasSize(2);
    }

    private Exchange send(String delegate, Object body, Map<String, Object> headers) {
        Exchange done = context.createProducerTemplate().request("batchresidue:" + delegate, exchange -> {
            exchange.getMessage().setBody(body);
            exchange.getMessage().setHeaders(new HashMap<>(headers));
        });
        return done;
    }

    private static Ledger ledger(Exchange done) {
        return done.getException() == null
                ? done.getProperty(BatchResidueConstants.LEDGER, Ledger.class)
                : BatchResidueException.of(done).orElseThrow().getLedger();
    }

    private List<Request> requests() {
        List<ServeEvent> events = new ArrayList<>(server.getAllServeEvents());
        Collections.reverse(events);
        return events.stream().<Request>map(ServeEvent::getRequest).toList();
    }
}
