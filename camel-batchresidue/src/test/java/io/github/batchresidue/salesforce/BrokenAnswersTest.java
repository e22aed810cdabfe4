/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.salesforce;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathMatching;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import io.github.batchresidue.camel.BatchResidueConstants;
import io.github.batchresidue.camel.BatchResidueException;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Reason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.AsyncProducer;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.component.salesforce.AuthenticationType;
import org.apache.camel.component.salesforce.SalesforceComponent;
import org.apache.camel.component.salesforce.api.SalesforceException;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The law of the ledger against answers that nobody can read, of a request and of a login, through the salesforce component's
 * own client: every exchange comes back, once, its ledger is whole, and nothing landed that was not read.
 */
class BrokenAnswersTest {

    /** The client reads no more of an answer. */
    private static final int MOST_BYTES = 100_000;

    private static final int MOST_HEAD_BYTES = 16_000;

    private static final List<String> BODIES = List.of(
            "",
            "null",
            "[null]",
            "[null,null]",
            "{}",
            "[]",
            "[1]",
            "[[],{}]",
            "[{},{}]",
            "{\"a\":null}",
            "[{\"errorCode\":null,\"message\":null,\"fields\":null}]",
            "[{\"errorCode\":{},\"message\":[1],\"fields\":7}]",
            "{\"error\":null}",
            "\"text\"",
            "\"\"",
            "7",
            "<html><body>maintenance</body></html>",
            "[{\"id\":\"001000000000001AAA\",\"success\":true,\"errors\":[]},{\"id",
            "[".repeat(5000),
            "x".repeat(2 * MOST_BYTES));

    private static final String RECORD_ID = "001000000000001AAA";

    private static final List<Object> RECORDS = List.of(
            Map.of("Name", "a", "Id", RECORD_ID, "Number__c", "1"),
            Map.of("Name", "b", "Id", "001000000000002AAA", "Number__c", "2"));

    private static final List<String> OPERATIONS = List.of(
            "compositeCreateSObjectCollections?sObjectName=Account",
            "compositeUpdateSObjectCollections?sObjectName=Account",
            "compositeUpsertSObjectCollections?sObjectName=Account&sObjectIdName=Number__c",
            "compositeDeleteSObjectCollections?apiVersion=56.0");

    private final WireMockServer server = new WireMockServer(WireMockConfiguration.options()
            .bindAddress("127.0.0.1")
            .dynamicPort()
            .disableRequestJournal());
    private final CamelContext context = new DefaultCamelContext();
    /** How often each exchange so far came back. */
    private final List<AtomicInteger> callbacks = new ArrayList<>();

    @BeforeEach
    void start() {
        server.start();
        server.stubFor(any(anyUrl()).willReturn(aResponse()));
        answerLogins(aResponse()
                .withBody("{\"access_token\":\"s\",\"instance_url\":\"" + server.baseUrl()
                        + "\",\"id\":\"http://127.0.0.1/id/00D000000000001AAA/005000000000001AAA\"}"));
        SalesforceComponent salesforce = new SalesforceComponent();
        salesforce.setLoginUrl(server.baseUrl());
        salesforce.setAuthenticationType(AuthenticationType.CLIENT_CREDENTIALS);
        salesforce.setClientId("id");
        salesforce.setClientSecret("secret");
        salesforce.setHttpClientProperties(
                new HashMap<>(Map.of("maxContentLength", MOST_BYTES, "maxResponseHeadersSize", MOST_HEAD_BYTES)));
        context.addComponent("salesforce", salesforce);
        context.start();
    }

    @AfterEach
    void stop() {
        context.stop();
        server.stop();
        assertThat(callbacks).extracting(AtomicInteger::get).containsOnly(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 204, 300, 302, 307, 400, 401, 403, 404, 407, 413, 429, 500, 503})
    void everyExchangeComesBackAndNothingLands(int status) throws Exception {
        for (String operation : OPERATIONS) {
            for (String body : BODIES) {
                answerRequests(aResponse().withStatus(status).withBody(body));

                Exchange done = send(operation);

                String what = operation + " " + status + " " + body.substring(0, Math.min(60, body.length()));
                Ledger ledger = ledgerOf(done);
                assertThat(ledger).as(what).returns(2L, Ledger::items).returns(0L, Ledger::landed);
                if (status < 300) {
                    assertThat(ledger.givenUpItems())
                            .as(what)
                            .extracting(LedgerItem::reason)
                            .containsExactly(Reason.UNKNOWN_OUTCOME, Reason.UNKNOWN_OUTCOME);
                } else if (status == 413) {
                    assertThat(ledger.terminalItems())
                            .as(what)
                            .extracting(LedgerItem::reason)
                            .containsExactly(Reason.TOO_LARGE, Reason.TOO_LARGE);
                } else if (status == 429) {
                    assertThat(ledger.givenUpItems())
                            .as(what)
                            .extracting(LedgerItem::reason, LedgerItem::attempts)
                            .containsOnly(tuple(Reason.REDELIVERIES_EXHAUSTED, 2));
                } else {
                    assertThat(done.getException()).as(what).isInstanceOf(SalesforceException.class);
                    assertThat(ledger.pendingItems())
                            .as(what)
                            .hasSize(2)
                            .allMatch(item -> item.maybeLanded() == (status >= 500 || status == 302 || status == 307))
                            .allMatch(item -> item.failure().status() == status);
                }
            }
        }
    }

    /** Heads that are no HTTP; behind each stand the results of two records that landed. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense",
                "HTTP/1.1 2x0 OK\r\nContent-Length: 120",
                "HTTP/1.1 200 OK\r\nContent-Length: 12,13",
                "HTTP/1.1 200 OK\r\nno colon\r\nContent-Length: 120",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked",
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 120",
                "HTTP/1.1 200 OK\r\nSet-Cookie: LONG\r\nContent-Length: 120",
            })
    void ofAnAnswerThatIsNoHttpNobodyKnowsWhetherTheRecordsLanded(String head) throws Exception {
        String result = "{\"id\":\"001000000000001AAA\",\"success\":true,\"errors\":[]}";
        String answer = head.replace("LONG", "x".repeat(2 * MOST_HEAD_BYTES)) + "\r\n\r\n[" + result + "," + result
                + "]" + " ".repeat(100);
        try (RawAnswers raw = new RawAnswers(answer)) {
            // The new session leads there.
            answerRequests(aResponse().withStatus(401));
            answerLogins(aResponse()
                    .withBody("{\"access_token\":\"s\",\"instance_url\":\"" + raw.url()
                            + "\",\"id\":\"http://127.0.0.1/id/00D000000000001AAA/005000000000001AAA\"}"));

            Ledger ledger = ledgerOf(send(OPERATIONS.get(0)));

            assertThat(raw.requests()).isEqualTo(1);
            assertThat(ledger).returns(0L, Ledger::landed).returns(0L, Ledger::terminal);
            List<LedgerItem> open = new ArrayList<>(ledger.pendingItems());
            open.addAll(ledger.givenUpItems());
            assertThat(open).hasSize(2).allMatch(LedgerItem::maybeLanded);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 400, 401, 403, 404, 429, 500, 503})
    void aLoginThatCannotBeReadIsNoVerdictOnTheRecords(int status) throws Exception {
        answerRequests(aResponse()
                .withStatus(401)
                .withBody("[{\"errorCode\":\"INVALID_SESSION_ID\",\"message\":\"Session expired\"}]"));
        for (String body : BODIES) {
            answerLogins(aResponse().withStatus(status).withBody(body));

            Exchange done = send(OPERATIONS.get(0));

            String what = status + " " + body.substring(0, Math.min(60, body.length()));
            assertThat(done.getException()).as(what).isInstanceOf(SalesforceException.class);
            assertThat(ledgerOf(done).pendingItems())
                    .as(what)
                    .extracting(LedgerItem::maybeLanded)
                    .containsExactly(false, false);
        }
    }

    @Test
    void aRefusedSessionIsRenewedWhateverTheRefusalSays() throws Exception {
        for (String body : BODIES) {
            String landed = "{\"id\":\"001000000000001AAA\",\"success\":true,\"errors\":[]}";
            answerRequests(aResponse().withBody("[" + landed + "," + landed + "]"));
            server.stubFor(any(urlPathMatching("/services/data/.*"))
                    .inScenario(body)
                    .whenScenarioStateIs("Started")
                    .willSetStateTo("renewed")
                    .willReturn(aResponse().withStatus(401).withBody(body)));

            assertThat(ledgerOf(send(OPERATIONS.get(0)))).as(body).returns(2L, Ledger::landed);
        }
    }

    private void answerLogins(ResponseDefinitionBuilder answer) {
        server.stubFor(any(urlPathEqualTo("/services/oauth2/token")).willReturn(answer));
    }

    private void answerRequests(ResponseDefinitionBuilder answer) {
        server.stubFor(any(urlPathMatching("/services/data/.*")).willReturn(answer));
    }

    private Exchange send(String delegate) throws Exception {
        Endpoint endpoint = context.getEndpoint("batchresidue:salesforce:" + delegate
                + "&redeliveryDelay=1&maximumRedeliveries=1&throwExceptionOnUndelivered=false");
        Exchange exchange = endpoint.createExchange();
        exchange.getMessage().setBody(RECORDS);
        AtomicInteger callback = new AtomicInteger();
        callbacks.add(callback);
        CountDownLatch back = new CountDownLatch(1);
        AsyncProducer producer = endpoint.createAsyncProducer();
        producer.start();
        producer.process(exchange, doneSync -> {
            callback.incrementAndGet();
            back.countDown();
        });
        assertThat(back.await(20, TimeUnit.SECONDS))
                .as("%s comes back", delegate)
                .isTrue();
        producer.stop();
        return exchange;
    }

    private static Ledger ledgerOf(Exchange done) {
        return done.getException() == null
                ? done.getProperty(BatchResidueConstants.LEDGER, Ledger.class)
                : BatchResidueException.of(done).orElseThrow().getLedger();
    }
}
