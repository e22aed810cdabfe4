/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.docs;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.serverError;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import io.github.batchresidue.camel.BatchResidueComponent;
import io.github.batchresidue.camel.BatchResidueConstants;
import io.github.batchresidue.camel.BatchResidueException;
import io.github.batchresidue.camel.BatchResidueRoundEvent;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.spi.CamelEvent;
import org.apache.camel.spi.Resource;
import org.apache.camel.support.EventNotifierSupport;
import org.apache.camel.support.PluginHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs what the page about errors shows, and measures what its table says. */
class ErrorsAndResumeTest {

    private static final Path PAGE = Path.of("").toAbsolutePath().resolveSibling("src-docs/errors-and-resume.adoc");

    private final WireMockServer server = new WireMockServer(
            WireMockConfiguration.options().bindAddress("127.0.0.1").dynamicPort());
    private final CamelContext context = new DefaultCamelContext();
    private final List<CamelEvent> events = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void start() {
        server.start();
        context.getPropertiesComponent().addInitialProperty("search.host", "127.0.0.1:" + server.port());
        context.getPropertiesComponent().addInitialProperty("retry.delay", "1");
        context.getPropertiesComponent().addInitialProperty("outage.delay", "1");
        context.getComponent("batchresidue", BatchResidueComponent.class)
                .getConfiguration()
                .setMaximumRedeliveries(1);
    }

    @AfterEach
    void stop() {
        context.stop();
        server.stop();
    }

    private void startBooks() throws Exception {
        Resource resource = PluginHelper.getResourceLoader(context).resolveResource("classpath:docs/books.yaml");
        PluginHelper.getRoutesLoader(context).loadRoutes(resource);
        context.addRoutes(new FailedBooksRoute());
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:refused").to("mock:refused");
                from("direct:later").to("mock:later");
                from("direct:tomorrow").to("mock:tomorrow");
            }
        });
        context.start();
    }

    private Exchange send(String route, String... isbns) {
        List<Map<String, String>> books =
                Stream.of(isbns).map(isbn -> Map.of("isbn", isbn)).toList();
        return context.createProducerTemplate()
                .request(route, exchange -> exchange.getMessage().setBody(books));
    }

    private List<Object> received(String mock) {
        return context.getEndpoint(mock, MockEndpoint.class).getExchanges().stream()
                .map(exchange -> exchange.getMessage().getBody())
                .toList();
    }

    /** Answers requests one after the other; the last answer stays. */
    private void answer(ResponseDefinitionBuilder... answers) {
        server.resetAll();
        for (int i = 0; i < answers.length; i++) {
            server.stubFor(post(anyUrl())
                    .inScenario("requests")
                    .whenScenarioStateIs(state(i))
                    .willReturn(answers[i])
                    .willSetStateTo(state(Math.min(i + 1, answers.length - 1))));
        }
    }

    private static String state(int answer) {
        return answer == 0 ? Scenario.STARTED : "answer " + answer;
    }

    private static ResponseDefinitionBuilder items(int... statuses) {
        return aResponse()
                .withStatus(200)
                .withBody(Arrays.stream(statuses)
                        .mapToObj(status -> "{\"index\":{\"status\":" + status
                                + (status == 201 ? "" : ",\"error\":{\"type\":\"" + type(status) + "\"}") + "}}")
                        .collect(Collectors.joining(",", "{\"errors\":true,\"items\":[", "]}")));
    }

    private static String type(int status) {
        return status == 429 ? "es_rejected_execution_exception" : "mapper_parsing_exception";
    }

    private int requests() {
        return server.getAllServeEvents().size();
    }

    @Test
    void theRouteGoesOnAfterAFailureAndHandsOverWhatDidNotLand() throws Exception {
        startBooks();
        answer(items(201, 400, 429, 429), serverError(), items(201, 429));

        Exchange done = send("direct:books", "1", "2", "3", "4");

        assertThat(done.getException()).isNull();
        assertThat(requests()).isEqualTo(3);
        assertThat(done.getMessage().getHeader(BatchResidueConstants.LANDED_COUNT))
                .isEqualTo(2L);
        assertThat(received("mock:refused")).containsExactly(Map.of("isbn", "2"));
        assertThat(received("mock:later")).containsExactly(Map.of("isbn", "4"));
        assertThat(received("mock:tomorrow")).isEmpty();
    }

    @Test
    void theRouteKeepsForTomorrowWhatIsPendingWhenTheServiceIsDown() throws Exception {
        startBooks();
        answer(items(201, 400, 429), serverError());

        Exchange done = send("direct:books", "1", "2", "3");

        assertThat(done.getException()).isNull();
        assertThat(requests()).as("the circuit opens after two failures").isEqualTo(3);
        assertThat(received("mock:refused")).containsExactly(Map.of("isbn", "2"));
        assertThat(received("mock:tomorrow")).containsExactly(List.of(Map.of("isbn", "3")));
    }

    @Test
    void theTableSaysWhatIsMeasured() throws Exception {
        String step = "batchresidue:http://{{search.host}}/books/_bulk?bulkApi.action=index&bulkApi.idField=isbn"
                + "&jitter=NONE&backOffMultiplier=1&maximumRedeliveries=-1";
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:one").to(step + "&redeliveryDelay=1");
                from("direct:limited").to(step + "&redeliveryDelay=600&redeliveryTimeout=1000");
                from("direct:guarded")
                        .circuitBreaker()
                        .resilience4jConfiguration()
                        .slidingWindowSize(2)
                        .minimumNumberOfCalls(2)
                        .waitDurationInOpenState(3600)
                        .end()
                        .to(step)
                        .end();
            }
        });
        context.getManagementStrategy().addEventNotifier(new EventNotifierSupport() {
            @Override
            public void notify(CamelEvent event) {
                events.add(event);
            }
        });
        context.start();
        answer(items(429, 429, 429), items(429, 201, 429), items(201, 201));

        Ledger ledger = send("direct:one", "1", "2", "3").getMessage().getBody(Ledger.class);

        assertRow("start events for one logical operation", sendingsToTheStep());
        assertRow("reported attempts", ledger.rounds() + ", with per-round detail");
        assertThat(ledger.timeline()).hasSize(3);
        List<BatchResidueRoundEvent> retries = events.stream()
                .filter(BatchResidueRoundEvent.class::isInstance)
                .map(BatchResidueRoundEvent.class::cast)
                .filter(event -> event.getNextWaitMillis() >= 0)
                .toList();
        assertThat(retries)
                .allMatch(event -> event.getFailure().status() == 429
                        && event.getRound().residue() > 0
                        && event.getNextWaitMillis() == 1);
        assertRow("retry events with detail", retries.size() + ", with counts, reason and wait");

        answer(serverError());
        for (int i = 0; i < 5; i++) {
            send("direct:guarded", "1");
        }
        assertRow("circuit breaker", "opens after " + requests() + " × 500");

        answer(items(201));
        send("direct:limited", "1"); // From now on a connection is there, and a round takes no time to speak of.
        answer(items(429));
        Ledger cut = BatchResidueException.of(send("direct:limited", "1"))
                .orElseThrow()
                .getLedger();
        assertThat(cut.givenUpItems()).singleElement().returns(Reason.TIMEOUT, LedgerItem::reason);
        assertRow("total timeout", "ends the operation (here after round " + cut.rounds() + "), ledger intact");
    }

    private long sendingsToTheStep() {
        return events.stream()
                .filter(event -> event instanceof CamelEvent.ExchangeSendingEvent sending
                        && sending.getEndpoint().getEndpointUri().startsWith("batchresidue:"))
                .count();
    }

    private static void assertRow(String label, Object measured) throws IOException {
        assertThat(Files.readString(PAGE))
                .containsPattern("\\|" + label + " \\|.* \\|.* \\|" + Pattern.quote(measured.toString()) + "\n");
    }

    @Test
    void thePageShowsTestedCode() throws IOException {
        DocsTest.assertThatPageShows(PAGE, "resources/docs/books.yaml");
        DocsTest.assertThatPageShows(PAGE, "java/io/github/batchresidue/docs/FailedBooksRoute.java");
    }
}
