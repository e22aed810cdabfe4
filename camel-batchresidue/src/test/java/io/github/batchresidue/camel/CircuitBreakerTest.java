/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.serverError;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Reason;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.http.base.HttpOperationFailedException;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** To a circuit breaker around it, or behind it, the step is one call. */
class CircuitBreakerTest {

    private static final String LANDED = "{\"errors\":false,\"items\":[{\"index\":{\"_id\":\"1\",\"status\":201}}]}";
    private static final String THROTTLED = "{\"errors\":true,\"items\":[{\"index\":{\"_id\":\"1\",\"status\":429,"
            + "\"error\":{\"type\":\"es_rejected_execution_exception\",\"reason\":\"queue full\"}}}]}";

    private final WireMockServer server = new WireMockServer(
            WireMockConfiguration.options().bindAddress("127.0.0.1").dynamicPort());
    private final CamelContext context = new DefaultCamelContext();
    private final List<Ledger> caught = Collections.synchronizedList(new ArrayList<>());
    private String step;

    @BeforeEach
    void start() {
        server.start();
        step = "batchresidue:http://127.0.0.1:" + server.port()
                + "/books/_bulk?bulkApi.action=index&bulkApi.idField=id&jitter=NONE&redeliveryDelay=20"
                + "&backOffMultiplier=1&maximumRedeliveries=-1";
        context.start();
    }

    @AfterEach
    void stop() {
        context.stop();
        server.stop();
    }

    private void route(RouteBuilder routes) throws Exception {
        context.addRoutes(routes);
    }

    private Exchange send() {
        return context.createProducerTemplate()
                .request("direct:in", exchange -> exchange.getMessage().setBody(List.of(Map.of("id", "1"))));
    }

    private void answer(String body) {
        server.stubFor(post(anyUrl()).willReturn(aResponse().withStatus(200).withBody(body)));
    }

    private int requests() {
        return server.getAllServeEvents().size();
    }

    @Test
    void twoServerErrorsOpenItAndThenNothingIsSent() throws Exception {
        route(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:in")
                        .circuitBreaker()
                        .resilience4jConfiguration()
                        .slidingWindowSize(2)
                        .minimumNumberOfCalls(2)
                        .waitDurationInOpenState(3600)
                        .throwExceptionWhenHalfOpenOrOpenState(true)
                        .end()
                        .to(step)
                        .end();
            }
        });
        server.stubFor(post(anyUrl()).willReturn(serverError()));

        for (int i = 1; i <= 2; i++) {
            Exchange failed = send();
            assertThat(failed.getException(HttpOperationFailedException.class).getStatusCode())
                    .isEqualTo(500);
            assertThat(BatchResidueException.of(failed)
                            .orElseThrow()
                            .getLedger()
                            .pending())
                    .isEqualTo(1);
            assertThat(requests()).isEqualTo(i);
        }

        assertThat(send().getException()).isInstanceOf(CallNotPermittedException.class);
        assertThat(requests()).isEqualTo(2);
    }

    @Test
    void roundsThatLeaveResidueDoNotOpenIt() throws Exception {
        route(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:in")
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

        for (int i = 1; i <= 3; i++) {
            landAfter(3);
            Exchange done = send();
            assertThat(done.getException()).isNull();
            assertThat(done.getMessage().getBody(Ledger.class).rounds()).isEqualTo(3);
        }

        assertThat(requests()).isEqualTo(9);
    }

    private void landAfter(int rounds) {
        server.resetScenarios();
        for (int i = 1; i <= rounds; i++) {
            server.stubFor(post(anyUrl())
                    .inScenario("landing")
                    .whenScenarioStateIs(i == 1 ? "Started" : "round " + i)
                    .willReturn(aResponse().withStatus(200).withBody(i == rounds ? LANDED : THROTTLED))
                    .willSetStateTo("round " + (i + 1)));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anOpenCircuitBehindTheStepIsATransportFailure(boolean doesItThrow) throws Exception {
        route(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:in")
                        .onException(Exception.class)
                        .onExceptionOccurred(exchange -> caught.add(
                                BatchResidueException.of(exchange).orElseThrow().getLedger()))
                        .end()
                        .to(
                                "batchresidue:direct:guarded?bulkApi=elasticsearch&bulkApi.action=index&bulkApi.idField=id");
                from("direct:guarded")
                        .errorHandler(noErrorHandler())
                        .circuitBreaker()
                        .resilience4jConfiguration()
                        .slidingWindowSize(1)
                        .minimumNumberOfCalls(1)
                        .waitDurationInOpenState(3600)
                        .throwExceptionWhenHalfOpenOrOpenState(doesItThrow)
                        .end()
                        .to("http://127.0.0.1:" + server.port() + "/books/_bulk")
                        .end();
            }
        });
        server.stubFor(post(anyUrl()).willReturn(serverError()));
        send();
        caught.clear();

        Exchange failed = send();

        assertThat(failed.getException())
                .isInstanceOf(doesItThrow ? CallNotPermittedException.class : RejectedExecutionException.class);
        assertThat(caught).singleElement().satisfies(ledger -> assertThat(ledger.pending())
                .isEqualTo(1));
        assertThat(requests()).isEqualTo(1);
    }

    @Test
    void theDeadlineEndsTheOperationAndNotEachRoundAndKeepsTheLedger() throws Exception {
        route(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:in")
                        .circuitBreaker()
                        .to(step.replace("redeliveryDelay=20", "redeliveryDelay=600") + "&redeliveryTimeout=1000")
                        .end();
            }
        });
        answer(LANDED);
        send(); // From now on a connection is there, and a round takes no time to speak of.
        server.resetRequests();
        answer(THROTTLED);

        Exchange failed = send();

        Ledger ledger = BatchResidueException.of(failed).orElseThrow().getLedger();
        assertThat(ledger.givenUpItems())
                .singleElement()
                .extracting(LedgerItem::reason)
                .isEqualTo(Reason.TIMEOUT);
        assertThat(ledger.timeline()).hasSize(2);
        assertThat(requests()).isEqualTo(2);
    }

    @Test
    void aTimeLimitOfTheBreakerDoesNotStopTheWorkInside() throws Exception {
        route(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:in")
                        .circuitBreaker()
                        .resilience4jConfiguration()
                        .timeoutEnabled(true)
                        .timeoutDuration(200)
                        .end()
                        .to(step)
                        .end();
            }
        });
        answer(THROTTLED);

        Exchange failed = send();
        int requestsThen = requests();

        assertThat(failed.getException()).isInstanceOf(TimeoutException.class);
        assertThat(BatchResidueException.of(failed)).isEmpty();
        await().until(() -> requests() >= requestsThen + 3);
        answer(LANDED);
    }

    @Test
    void aDeadlineBelowTheTimeLimitOfTheBreakerKeepsTheLedgerAndEndsTheWork() throws Exception {
        route(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:in")
                        .circuitBreaker()
                        .resilience4jConfiguration()
                        .timeoutEnabled(true)
                        .timeoutDuration(60_000)
                        .end()
                        .to(step + "&redeliveryTimeout=100")
                        .end();
            }
        });
        answer(THROTTLED);

        Ledger ledger = BatchResidueException.of(send()).orElseThrow().getLedger();

        assertThat(ledger.givenUp()).isEqualTo(1);
        context.stop(); // Waits for whatever is still under way, which may be the last request that the ledger knows.
        await().untilAsserted(() -> assertThat(requests()).isEqualTo((int) ledger.requests()));
    }
}
