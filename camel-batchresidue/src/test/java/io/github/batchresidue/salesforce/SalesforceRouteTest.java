/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.salesforce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.github.tomakehurst.wiremock.http.Fault;
import io.github.batchresidue.camel.BatchResidueConstants;
import io.github.batchresidue.camel.BatchResidueException;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Reason;
import io.github.batchresidue.simulators.CollectionRequest;
import io.github.batchresidue.simulators.SalesforceObject;
import io.github.batchresidue.simulators.SalesforceOrg;
import io.github.batchresidue.simulators.ScriptedReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.component.salesforce.api.SalesforceException;
import org.apache.camel.impl.DefaultCamelContext;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The whole chain: a route, the salesforce component with its own client and session, and a simulated org. */
class SalesforceRouteTest {

    private static final String CREATE = "compositeCreateSObjectCollections?sObjectName=Account";
    private static final String UPDATE = "compositeUpdateSObjectCollections?sObjectName=Account";
    private static final String UPSERT =
            "compositeUpsertSObjectCollections?sObjectName=Account&sObjectIdName=Number__c";
    private static final String DELETE = "compositeDeleteSObjectCollections?batchSize=200";

    private final SalesforceOrg org = new SalesforceOrg();
    private final SalesforceObject accounts = org.createObject("Account").requires("Name");
    private final CamelContext context = new DefaultCamelContext();

    @BeforeEach
    void start() {
        SalesforceComponents.add(context, org);
        context.start();
    }

    @AfterEach
    void stop() {
        context.stop();
        org.close();
    }

    @Test
    void dtosMapsAndJsonGoThroughTheDelegateItself() {
        accounts.lock("Name", "b", 1);

        Exchange done = send(
                CREATE,
                List.of(
                        Account.named("a"),
                        Map.of("Name", "b"),
                        "{\"Name\":\"c\",\"AnnualRevenue\":1.50}",
                        Map.of("attributes", Map.of("type", "Account"), "Name", "d"),
                        Map.of("Industry", "Fishing")));

        assertThat(accounts.records())
                .extracting(JsonNode::toString)
                .containsExactly(
                        "{\"Name\":\"a\"}",
                        "{\"Name\":\"c\",\"AnnualRevenue\":1.5}",
                        "{\"Name\":\"d\"}",
                        "{\"Name\":\"b\"}");
        assertThat(sentNames()).containsExactly(List.of("a", "b", "c", "d", ""), List.of("b"));
        assertThat(ledgerOf(done).terminalItems()).singleElement().satisfies(item -> {
            assertThat(item.index()).isEqualTo(4);
            assertThat(item.failure().code()).isEqualTo("REQUIRED_FIELD_MISSING");
            assertThat(item.body()).isEqualTo(Map.of("Industry", "Fishing"));
        });
    }

    @Test
    void upsertsByTheExternalIdAndSendsAgainWhatMayHaveLanded() {
        org.loseAnswers(1);

        Exchange done = send(
                UPSERT + "&onTransportFailure=RETRY",
                List.of(
                        Map.of("Number__c", "n-1", "Name", "a"),
                        Map.of("Number__c", "n-2", "Name", "b"),
                        Map.of("Number__c", "N-1", "Name", "c")));

        assertThat(done.getException()).isNull();
        assertThat(ledgerOf(done)).returns(3L, Ledger::landed);
        assertThat(accounts.records()).hasSize(2);
        assertThat(sentNames()).containsExactly(List.of("a", "b"), List.of("a", "b"), List.of("c"));
        assertThat(org.collectionRequests()).extracting(CollectionRequest::path).containsOnly("/Account/Number__c");
    }

    @Test
    void doesNotCreateAgainWhatMayHaveBeenCreated() {
        org.loseAnswers(1);

        Exchange done = send(CREATE + "&onTransportFailure=RETRY", List.of(Map.of("Name", "a"), Map.of("Name", "b")));

        assertThat(accounts.records()).hasSize(2);
        assertThat(ledgerOf(done).givenUpItems())
                .extracting(LedgerItem::reason)
                .containsExactly(Reason.UNKNOWN_OUTCOME, Reason.UNKNOWN_OUTCOME);
    }

    @Test
    void aDuplicateOfAnUnknownAttemptIsOurs() {
        accounts.unique("Name").insert(Map.of("Name", "theirs"));
        org.loseAnswers(1);

        Exchange done =
                send(CREATE + "&onTransportFailure=RETRY&onUnknownOutcome=RETRY", List.of(Map.of("Name", "ours")));

        assertThat(ledgerOf(done)).returns(1L, Ledger::landed);
        assertThat(send(CREATE, List.of(Map.of("Name", "theirs"))))
                .satisfies(next -> assertThat(ledgerOf(next).terminalItems())
                        .singleElement()
                        .satisfies(item -> assertThat(item.failure().code()).isEqualTo("DUPLICATE_VALUE")));
        assertThat(accounts.records()).hasSize(2);
    }

    @Test
    void updatesAndDeletesByIdAndSendsAgainWhatMayHaveLanded() {
        String a = accounts.insert(Map.of("Name", "a"));
        String b = accounts.insert(Map.of("Name", "b"));
        String c = accounts.insert(Map.of("Name", "c"));
        accounts.lock("Name", "b", 1);
        Account dto = Account.named("a2");
        dto.setId(a);

        org.loseAnswers(1);
        Exchange updated =
                send(UPDATE + "&onTransportFailure=RETRY", List.of(dto, Map.of("id", c, "Industry", "Fishing")));
        org.loseAnswers(1);
        Exchange deleted =
                send(DELETE + "&onTransportFailure=RETRY", List.of(b, Map.of("Id", c), "001000000000000AAA"));

        assertThat(ledgerOf(updated)).returns(2L, Ledger::landed).returns(2L, Ledger::requests);
        assertThat(ledgerOf(deleted).landedItems())
                .extracting(LedgerItem::index)
                .containsExactlyInAnyOrder(0L, 1L, 2L);
        assertThat(accounts.records()).extracting(JsonNode::toString).containsExactly("{\"Name\":\"a2\"}");
        assertThat(org.collectionRequests())
                .extracting(CollectionRequest::method)
                .startsWith("PATCH", "PATCH", "DELETE", "DELETE");
    }

    @Test
    void deletesTwoHundredAtOnceAndNothingElse() {
        List<String> ids = IntStream.range(0, 250)
                .mapToObj(i -> accounts.insert(Map.of("Name", "n" + i)))
                .toList();
        String kept = accounts.insert(Map.of("Name", "kept"));

        Exchange done = context.createProducerTemplate().request("batchresidue:salesforce:" + DELETE, exchange -> {
            exchange.getMessage().setBody(ids);
            exchange.getMessage().setHeader("sObjectIds", kept); // Left over from another step.
        });

        assertThat(ledgerOf(done)).returns(250L, Ledger::landed);
        assertThat(accounts.records()).hasSize(1);
        assertThat(org.collectionRequests())
                .extracting(request -> request.records().size())
                .containsExactly(200, 50);
    }

    @Test
    void leftOverHeadersSteerNoUpsertElsewhere() {
        org.createObject("Contact");

        Exchange done = context.createProducerTemplate().request("batchresidue:salesforce:" + UPSERT, exchange -> {
            exchange.getMessage().setBody(List.of(Map.of("Number__c", "1", "Name", "a")));
            exchange.getMessage().setHeader("sObjectName", "Contact");
            exchange.getMessage().setHeader("sObjectIdName", "Name");
        });

        assertThat(ledgerOf(done)).returns(1L, Ledger::landed);
        assertThat(accounts.records()).hasSize(1);
    }

    @Test
    void cutsARequestBeforeTheEleventhChunkAndKeepsTheOrder() {
        SalesforceObject contacts = org.createObject("Contact");
        List<Object> body = new ArrayList<>();
        for (int i = 0; i < 36; i++) {
            // Chunks of three records, of the two types in turn.
            body.add(Map.of("attributes", Map.of("type", i / 3 % 2 == 0 ? "Account" : "Contact"), "Name", "n" + i));
        }

        Exchange done = send(CREATE, body);

        assertThat(ledgerOf(done)).returns(36L, Ledger::landed);
        assertThat(sentNames())
                .containsExactly(
                        IntStream.range(0, 30).mapToObj(i -> "n" + i).toList(),
                        IntStream.range(30, 36).mapToObj(i -> "n" + i).toList());
        assertThat(accounts.records().size() + contacts.records().size()).isEqualTo(36);
    }

    @Test
    void aSessionThatExpiresBetweenRoundsIsRenewedByTheDelegate() {
        org.sessionsLast(1);
        accounts.lock("Name", "b", 2).lock("Name", "d", 1);

        Exchange done = send(
                CREATE, List.of(Map.of("Name", "a"), Map.of("Name", "b"), Map.of("Name", "c"), Account.named("d")));

        assertThat(done.getException()).isNull();
        assertThat(ledgerOf(done)).returns(4L, Ledger::landed).returns(3L, Ledger::requests);
        assertThat(sentNames()).containsExactly(List.of("a", "b", "c", "d"), List.of("b", "d"), List.of("b"));
        assertThat(accounts.records()).hasSize(4);
        assertThat(org.logins()).isEqualTo(3);
    }

    @Test
    void aLoginThatIsRefusedBetweenRoundsFailsTheExchangeAndNothingCounts() {
        org.sessionsLast(1);
        accounts.lock("Name", "b", 1);
        ScriptedReply refused =
                ScriptedReply.of(400, "{\"error\":\"invalid_grant\",\"error_description\":\"inactive user\"}");
        org.scriptLogins(List.of(refused, refused, refused, refused));

        Exchange done = send(CREATE, List.of(Map.of("Name", "a"), Map.of("Name", "b"), Map.of("Name", "c")));

        assertThat(done.getException()).isInstanceOf(SalesforceException.class);
        assertThat(ledgerOf(done)).returns(2L, Ledger::landed);
        assertThat(ledgerOf(done).pendingItems()).singleElement().satisfies(item -> {
            assertThat(item.index()).isEqualTo(1);
            assertThat(item.maybeLanded()).isFalse();
            assertThat(item.failure().code()).isEqualTo("invalid_grant");
        });
    }

    @Test
    void aLoginThatFindsTheServiceDownIsATransportFailureAndNothingLanded() {
        ScriptedReply down = ScriptedReply.of(503, "down");
        org.scriptLogins(List.of(down, down, down, down));
        org.expireSessions();

        Exchange done = send(CREATE + "&onTransportFailure=RETRY", List.of(Map.of("Name", "a")));

        assertThat(done.getException()).isNull();
        assertThat(ledgerOf(done)).returns(1L, Ledger::landed).returns(2L, Ledger::requests);
        assertThat(accounts.records()).hasSize(1);
    }

    @Test
    void aLazyLoginThatFailsIsTheDelegatesOwnFailure() {
        CamelContext lazy = new DefaultCamelContext();
        try {
            SalesforceComponents.add(lazy, org).setLazyLogin(true);
            lazy.start();
            org.scriptLogins(List.of(ScriptedReply.of(400, "{\"error\":\"invalid_client\"}")));

            Exchange failed = send(lazy, CREATE, List.of(Map.of("Name", "a")));
            Exchange done = send(lazy, CREATE, List.of(Map.of("Name", "a")));

            assertThat(failed.getException()).isInstanceOf(SalesforceException.class);
            assertThat(ledgerOf(failed).pendingItems())
                    .extracting(LedgerItem::maybeLanded)
                    .containsExactly(false);
            assertThat(ledgerOf(done)).returns(1L, Ledger::landed);
            assertThat(accounts.records()).hasSize(1);
        } finally {
            lazy.stop();
        }
    }

    @Test
    void theRequestLimitBacksOffAndAnotherRefusalFailsWithTheDelegatesException() {
        org.limitRequests(2);

        Exchange done = send(CREATE, List.of(Map.of("Name", "a")));

        assertThat(ledgerOf(done)).returns(1L, Ledger::landed).returns(3, Ledger::rounds);

        org.script(List.of(
                ScriptedReply.of(403, "[{\"errorCode\":\"API_DISABLED_FOR_ORG\",\"message\":\"not enabled\"}]")));
        Exchange refused = send(CREATE, List.of(Map.of("Name", "b")));

        assertThat(refused.getException())
                .asInstanceOf(InstanceOfAssertFactories.type(SalesforceException.class))
                .satisfies(e -> assertThat(e.getErrors().get(0).getErrorCode()).isEqualTo("API_DISABLED_FOR_ORG"));
        assertThat(ledgerOf(refused).pendingItems())
                .extracting(LedgerItem::maybeLanded)
                .containsExactly(false);
    }

    @Test
    void anAnswerThatIsCutOffOrIsNoneIsUnknown() {
        org.script(List.of(
                ScriptedReply.of(200, "[{\"id\":\"001000000000001AAA\",\"success\":true,\"errors\":[]},{\"id"),
                ScriptedReply.of(200, "<html>maintenance</html>"),
                ScriptedReply.of(200, ""),
                ScriptedReply.of(200, "[]")));

        for (int i = 0; i < 4; i++) {
            Exchange done = send(CREATE, List.of(Map.of("Name", "a"), Map.of("Name", "b")));

            assertThat(ledgerOf(done).givenUpItems())
                    .extracting(LedgerItem::reason)
                    .containsExactly(Reason.UNKNOWN_OUTCOME, Reason.UNKNOWN_OUTCOME);
        }
    }

    @Test
    void anAnswerThatBreaksOffIsUnknownAndNoRefusal() {
        WireMockServer broken = new WireMockServer(
                WireMockConfiguration.options().bindAddress("127.0.0.1").dynamicPort());
        broken.start();
        broken.stubFor(WireMock.any(WireMock.anyUrl())
                .willReturn(WireMock.aResponse().withFault(Fault.MALFORMED_RESPONSE_CHUNK)));
        org.scriptLogins(List.of(ScriptedReply.of(
                200,
                "{\"access_token\":\"s\",\"instance_url\":\"" + broken.baseUrl()
                        + "\",\"id\":\"http://127.0.0.1/id/00D000000000001AAA/005000000000001AAA\"}")));
        CamelContext elsewhere = new DefaultCamelContext();
        try {
            SalesforceComponents.add(elsewhere, org);
            elsewhere.start();

            Exchange done = send(elsewhere, CREATE, List.of(Map.of("Name", "a")));

            assertThat(done.getException()).isNull();
            assertThat(ledgerOf(done).givenUpItems())
                    .extracting(LedgerItem::reason)
                    .containsExactly(Reason.UNKNOWN_OUTCOME);
        } finally {
            elsewhere.stop();
            broken.stop();
        }
    }

    @Test
    void nobodyListens() {
        int port = org.endpoint().getPort();
        org.close();

        Exchange done = send(CREATE, List.of(Map.of("Name", "a")));

        assertThat(done.getException()).isInstanceOf(SalesforceException.class);
        assertThat(ledgerOf(done).pendingItems())
                .extracting(LedgerItem::maybeLanded, LedgerItem::attempts)
                .as("connection refused by port " + port)
                .containsExactly(tuple(false, 1));
    }

    @Test
    void aRecordTypeThatTheServiceRefusesTheRequestForIsIsolated() {
        org.script(List.of(
                ScriptedReply.of(400, "[{\"errorCode\":\"INVALID_TYPE\",\"message\":\"sObject type Acount\"}]"),
                ScriptedReply.of(400, "[{\"errorCode\":\"INVALID_TYPE\",\"message\":\"sObject type Acount\"}]"),
                ScriptedReply.of(200, "[{\"id\":\"001000000000001AAA\",\"success\":true,\"errors\":[]}]")));

        Exchange done = send(CREATE, List.of(Map.of("attributes", Map.of("type", "Acount")), Map.of("Name", "a")));

        assertThat(ledgerOf(done)).returns(1L, Ledger::landed).returns(1L, Ledger::terminal);
    }

    @Test
    void allOrNoneIsRefusedWithTheReason() {
        assertThatThrownBy(() -> context.getEndpoint("batchresidue:salesforce:" + CREATE + "&allOrNone=true")
                        .createProducer()
                        .start())
                .hasMessageContaining("allOrNone=true")
                .hasMessageContaining("roll back every record");

        Exchange done = context.createProducerTemplate().request("batchresidue:salesforce:" + CREATE, exchange -> {
            exchange.getMessage().setBody(List.of(Map.of("Name", "a")));
            exchange.getMessage().setHeader("allOrNone", "true");
        });

        assertThat(done.getException())
                .hasMessageContaining("the header allOrNone=true")
                .hasMessageContaining("roll back every record");
        assertThat(org.collectionRequests()).isEmpty();
        assertThat(ledgerOf(done).pendingItems()).hasSize(1);
    }

    @Test
    void aDelegateWithoutResultsForEachRecordIsRefused() {
        assertThatThrownBy(() -> context.getEndpoint("batchresidue:salesforce:createSObject")
                        .createProducer()
                        .start())
                .hasMessageContaining("createSObject")
                .hasMessageContaining("compositeCreateSObjectCollections");
        assertThatThrownBy(() -> context.getEndpoint(
                                "batchresidue:salesforce:compositeUpsertSObjectCollections?sObjectName=Account")
                        .createProducer()
                        .start())
                .hasMessageContaining("sObjectIdName=null");
        assertThatThrownBy(() -> context.getEndpoint("batchresidue:salesforce:" + CREATE + "&bulkApi.operation=delete")
                        .createProducer()
                        .start())
                .hasMessageContaining("bulkApi.operation=delete: a salesforce endpoint says this itself");
    }

    private Exchange send(String delegate, Object body) {
        return send(context, delegate, body);
    }

    private static Exchange send(CamelContext context, String delegate, Object body) {
        return context.createProducerTemplate()
                .request(
                        "batchresidue:salesforce:" + delegate + "&redeliveryDelay=10&throwExceptionOnUndelivered=false",
                        exchange -> exchange.getMessage().setBody(body));
    }

    private static Ledger ledgerOf(Exchange done) {
        return done.getException() == null
                ? done.getProperty(BatchResidueConstants.LEDGER, Ledger.class)
                : BatchResidueException.of(done).orElseThrow().getLedger();
    }

    private List<List<String>> sentNames() {
        return org.collectionRequests().stream()
                .map(request -> request.records().stream()
                        .map(record -> record.path("Name").asText())
                        .toList())
                .toList();
    }
}
