/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.salesforce;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathMatching;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.github.tomakehurst.wiremock.extension.ResponseTransformerV2;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.http.Response;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import io.github.batchresidue.camel.BatchResidueConstants;
import io.github.batchresidue.camel.BatchResidueException;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Reason;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.component.salesforce.AuthenticationType;
import org.apache.camel.component.salesforce.SalesforceComponent;
import org.apache.camel.component.salesforce.SalesforceEndpointConfig;
import org.apache.camel.component.salesforce.SalesforceHttpClient;
import org.apache.camel.component.salesforce.api.SalesforceException;
import org.apache.camel.impl.DefaultCamelContext;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions and clients in a bad state, through the salesforce component's own: what is sent, and what the ledger says. */
class SessionsTest {

    private static final String LOGIN = "/services/oauth2/token";
    private static final String ORG = "http://127.0.0.1/id/00D000000000001AAA/005000000000001AAA";
    private static final String SECRET = "TOKENSECRET";
    private static final List<Object> ONE = List.of(Map.of("Name", "a"));

    private final Held held = new Held();
    private final WireMockServer server = new WireMockServer(WireMockConfiguration.options()
            .bindAddress("127.0.0.1")
            .dynamicPort()
            .extensions(held));
    private final CamelContext context = new DefaultCamelContext();
    private final SalesforceComponent salesforce = new SalesforceComponent();

    @BeforeEach
    void start() {
        server.start();
        answerLogins(usableLogin());
        answerRequests(aResponse().withBody("[{\"id\":\"001000000000001AAA\",\"success\":true,\"errors\":[]}]"));
        salesforce.setLoginUrl(server.baseUrl());
        salesforce.setAuthenticationType(AuthenticationType.CLIENT_CREDENTIALS);
        salesforce.setClientId("id");
        salesforce.setClientSecret("secret");
        salesforce.setLazyLogin(true);
        context.addComponent("salesforce", salesforce);
    }

    @AfterEach
    void stop() {
        context.stop();
        server.stop();
    }

    @Test
    void aClientWithoutWorkersAnswersToo() throws Exception {
        SalesforceEndpointConfig config = new SalesforceEndpointConfig();
        config.setHttpClient(new SalesforceHttpClient());
        salesforce.setConfig(config);

        assertThat(ledgerOf(send(ONE, ""))).returns(1L, Ledger::landed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'access_token':TOKENSECRET}",
                "{'access_token':{'TOKENSECRET':1}}",
                "{'access_token':'TOKENSECRET','instance_url':{'a':1},'id':'http://a/id/00D000000000001AAA/005'}",
                "{'access_token':'TOKENSECRET'}",
                "{'access_token':'TOKENSECRET','instance_url':'','id':'http://a/id/00D000000000001AAA/005'}",
                "{'access_token':'TOKENSECRET','instance_url':'::bad url','id':'http://a/id/00D000000000001AAA/005'}",
                "{'access_token':'TOKENSECRET','instance_url':'http://127.0.0.1:9'}",
                "{'access_token':'TOKENSECRET','instance_url':'http://127.0.0.1:9','id':'id/00D'}",
                "{'instance_url':'::bad url','id':'http://a/id/00D000000000001AAA/005'}"
            })
    void aLoginThatCannotBeUsedIsNotKeptNorQuoted(String answer) throws Exception {
        answerLogins(aResponse().withBody(answer.replace('\'', '"')));

        Exchange failed = send(ONE, "");
        answerLogins(usableLogin());
        Exchange done = send(ONE, "");

        assertThat(failed.getException()).isInstanceOf(SalesforceException.class);
        for (Throwable cause = failed.getException(); cause != null; cause = cause.getCause()) {
            assertThat(cause.toString()).doesNotContain(SECRET);
        }
        assertThat(ledgerOf(failed).pendingItems()).singleElement().satisfies(item -> {
            assertThat(item.maybeLanded()).isFalse();
            assertThat(item.failure().message())
                    .startsWith("Login error: its answer")
                    .doesNotContain(SECRET);
        });
        assertThat(ledgerOf(done)).returns(1L, Ledger::landed);
    }

    @Test
    void halfASessionOfAnotherProducerIsRenewed() throws Exception {
        answerLogins(aResponse().withBody("{\"access_token\":\"s\"}"));
        context.start();
        assertThatThrownBy(() -> salesforce.getSession().login(null)).isInstanceOf(NullPointerException.class);
        answerLogins(usableLogin());

        assertThat(ledgerOf(send(ONE, ""))).returns(1L, Ledger::landed);
    }

    @Test
    void aLoginThatBreaksOffSaysSoInAFewWords() throws Exception {
        answerLogins(aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER));

        assertThat(send(ONE, "").getException())
                .message()
                .startsWith("Unexpected login error: ")
                .hasSizeLessThan(60);
    }

    @Test
    void aLoginThatIsAnsweredByNoHttpHasNoStatusAndIsTriedAgain() throws Exception {
        try (RawAnswers raw = new RawAnswers("nonsense\r\n\r\n")) {
            salesforce.setLoginUrl(raw.url());

            Exchange done = send(ONE, "&onTransportFailure=RETRY&redeliveryDelay=1&maximumRedeliveries=1");

            assertThat(raw.requests()).isEqualTo(2);
            assertThat(ledgerOf(done).givenUpItems()).singleElement().satisfies(item -> {
                assertThat(item.maybeLanded()).isFalse();
                assertThat(item.failure())
                        .isEqualTo(new Failure(0, null, "Unexpected login error: the answer is no HTTP"));
            });
        }
    }

    /** The first login, and one that renews a session. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void ofALoginThatTakesLongerThanTheRunHasTimeNothingWasSent(boolean isRenewal) throws Exception {
        if (isRenewal) {
            send(ONE, "");
            answerRequests(aResponse().withStatus(401));
        }
        server.resetRequests();
        CountDownLatch enough = new CountDownLatch(1);
        answerLogins(usableLogin().withTransformers(Held.NAME));
        held.hold(enough);
        try {
            Exchange done = send(ONE, "&redeliveryTimeout=200");

            assertThat(ledgerOf(done).givenUpItems())
                    .singleElement()
                    .returns(Reason.TIMEOUT, LedgerItem::reason)
                    .returns(false, LedgerItem::maybeLanded)
                    .returns(0, LedgerItem::attempts);
        } finally {
            enough.countDown();
        }
        answerRequests(aResponse().withBody("[{\"id\":\"001000000000001AAA\",\"success\":true,\"errors\":[]}]"));
        assertThat(ledgerOf(send(ONE, ""))).returns(1L, Ledger::landed);
        server.verify(isRenewal ? 2 : 1, anyRequestedFor(urlPathMatching("/services/data/.*")));
    }

    @Test
    void anAnswerThatTakesLongerThanTheClientWaitsNamesTheOption() throws Exception {
        salesforce.setHttpClientIdleTimeout(1500);
        answerRequests(aResponse().withFixedDelay(5000));

        assertThat(send(ONE, "").getException())
                .hasMessage("no answer can be read: nothing came for httpClientIdleTimeout=1500 milliseconds of the"
                        + " salesforce component");
    }

    @Test
    void whereARedirectLeadsIsNotAsked() throws Exception {
        answerRequests(aResponse().withStatus(303).withHeader("Location", "http://127.0.0.1:1/after"));

        Exchange done = send(ONE, "&onTransportFailure=RETRY&redeliveryDelay=1");

        server.verify(1, anyRequestedFor(urlPathMatching("/services/data/.*")));
        assertThat(ledgerOf(done).givenUpItems())
                .singleElement()
                .returns(Reason.UNKNOWN_OUTCOME, LedgerItem::reason)
                .satisfies(item -> assertThat(item.failure().status()).isEqualTo(303));
    }

    @Test
    void whatWasNotAnsweredByTheDeadlineSaysSo() throws Exception {
        answerRequests(aResponse().withFixedDelay(2000));

        assertThat(ledgerOf(send(ONE, "&redeliveryTimeout=200")).givenUpItems())
                .singleElement()
                .returns(Reason.UNKNOWN_OUTCOME, LedgerItem::reason)
                .satisfies(item -> assertThat(item.failure().message())
                        .isEqualTo("no answer had come when the deadline was reached"));
    }

    @Test
    void whatHadNoPlaceInTheQueueOfTheClientWasNeverSent() throws Exception {
        salesforce.setHttpClientProperties(
                new HashMap<>(Map.of("maxConnectionsPerDestination", 1, "maxRequestsQueuedPerDestination", 1)));
        answerRequests(aResponse()
                .withFixedDelay(500)
                .withBody("[{\"id\":\"001000000000001AAA\",\"success\":true,\"errors\":[]}]"));

        Exchange done = send(many(20), "&batchSize=1&parallelRequests=20");

        assertThat(done.getException())
                .asInstanceOf(InstanceOfAssertFactories.type(SalesforceException.class))
                .extracting(Throwable::getMessage)
                .isEqualTo("the request was not sent: RejectedExecutionException");
        Ledger ledger = ledgerOf(done);
        assertThat(ledger.pendingItems())
                .isNotEmpty()
                .extracting(LedgerItem::maybeLanded)
                .containsOnly(false);
        // What was not read yet when the first one failed is not read any more.
        assertThat(ledger.landed() + ledger.pendingItems().size()).isEqualTo(ledger.items());
        server.verify((int) ledger.landed(), anyRequestedFor(urlPathMatching("/services/data/.*")));
    }

    @Test
    void anExpiredPasswordIsSeenWithoutAChallenge() throws Exception {
        answerRequests(aResponse()
                .withStatus(401)
                .withBody("[{\"errorCode\":\"INVALID_OPERATION_WITH_EXPIRED_PASSWORD\",\"message\":\"expired\"}]"));

        Exchange done = send(ONE, "");

        assertThat(ledgerOf(done).pendingItems()).singleElement().satisfies(item -> assertThat(
                        item.failure().code())
                .isEqualTo("INVALID_OPERATION_WITH_EXPIRED_PASSWORD"));
        assertThat(logins()).isOne();
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 503})
    void aRenewalThatFailsCountsForAllWhoWaitForIt(int status) throws Exception {
        send(ONE, "");
        server.resetRequests();
        answerRequests(aResponse().withStatus(401).withFixedDelay(500));
        answerLogins(aResponse().withStatus(status).withBody("{\"error\":\"invalid_grant\"}"));

        Exchange done = send(many(20), "&batchSize=1&parallelRequests=20");

        assertThat(done.getException()).isInstanceOf(SalesforceException.class);
        assertThat(ledgerOf(done).pendingItems())
                .hasSize(20)
                .extracting(LedgerItem::maybeLanded)
                .containsOnly(false);
        // A refusal stands; a service that is down is asked as often as the client's maxRetries says.
        assertThat(logins()).isEqualTo(status == 503 ? 4 : 1);
    }

    @Test
    void anAnswerThatIsTooLongNamesTheOption() throws Exception {
        salesforce.setHttpMaxContentLength(1000);
        answerRequests(aResponse().withBody("[" + " ".repeat(2000) + "]"));

        assertThat(ledgerOf(send(ONE, "")).givenUpItems()).singleElement().satisfies(item -> assertThat(
                        item.failure().message())
                .contains("longer than httpMaxContentLength=1000"));
    }

    private Exchange send(List<Object> records, String options) throws Exception {
        context.start();
        String uri = "batchresidue:salesforce:compositeCreateSObjectCollections?sObjectName=Account"
                + "&throwExceptionOnUndelivered=false" + options;
        return context.createProducerTemplate()
                .asyncSend(uri, exchange -> exchange.getMessage().setBody(records))
                .get(20, TimeUnit.SECONDS);
    }

    private static List<Object> many(int records) {
        return IntStream.range(0, records)
                .<Object>mapToObj(i -> Map.of("Name", "n" + i))
                .toList();
    }

    private int logins() {
        return server.findAll(anyRequestedFor(urlPathEqualTo(LOGIN))).size();
    }

    private ResponseDefinitionBuilder usableLogin() {
        return aResponse()
                .withBody("{\"access_token\":\"s\",\"instance_url\":\"" + server.baseUrl() + "\",\"id\":\"" + ORG
                        + "\"}");
    }

    private void answerLogins(ResponseDefinitionBuilder answer) {
        server.stubFor(any(urlPathEqualTo(LOGIN)).willReturn(answer));
    }

    private void answerRequests(ResponseDefinitionBuilder answer) {
        server.stubFor(any(urlPathMatching("/services/data/.*")).willReturn(answer));
    }

    /** Answers when it is told to. */
    private static final class Held implements ResponseTransformerV2 {

        static final String NAME = "held";

        private volatile CountDownLatch latch;

        void hold(CountDownLatch until) {
            latch = until;
        }

        @Override
        public Response transform(Response response, ServeEvent event) {
            try {
                latch.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return response;
        }

        @Override
        public boolean applyGlobally() {
            return false;
        }

        @Override
        public String getName() {
            return NAME;
        }
    }

    private static Ledger ledgerOf(Exchange done) {
        return done.getException() == null
                ? done.getProperty(BatchResidueConstants.LEDGER, Ledger.class)
                : BatchResidueException.of(done).orElseThrow().getLedger();
    }
}
