/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.salesforce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.bulkapi.ApiRuns;
import io.github.batchresidue.bulkapi.BulkApiContext;
import io.github.batchresidue.bulkapi.BulkApiProvider;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.ItemKey;
import io.github.batchresidue.bulkapi.MissingJars;
import io.github.batchresidue.bulkapi.RawJson;
import io.github.batchresidue.engine.Content;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Verdict;
import io.github.batchresidue.salesforce.Account;
import io.github.batchresidue.salesforce.SalesforceComponents;
import io.github.batchresidue.simulators.SalesforceOrg;
import io.github.batchresidue.simulators.ScriptedReply;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.component.salesforce.SalesforceComponent;
import org.apache.camel.component.salesforce.api.SalesforceException;
import org.apache.camel.component.salesforce.api.dto.RestError;
import org.apache.camel.component.salesforce.api.dto.SaveSObjectResult;
import org.apache.camel.http.base.HttpOperationFailedException;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SalesforceApiTest {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String ID = "001000000000001AAA";

    private final DefaultCamelContext context = new DefaultCamelContext();

    @AfterEach
    void stop() {
        context.stop();
    }

    // ---- Finding it

    @Test
    void theProviderIsRegisteredAndKnowsItsDelegates() {
        BulkApiProvider provider = ServiceLoader.load(BulkApiProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.names().contains("salesforce"))
                .findFirst()
                .orElseThrow();

        context.addComponent("salesforce", new SalesforceComponent());
        assertThat(provider.isSpokenBy(context.getEndpoint("salesforce:compositeCreateSObjectCollections")))
                .isTrue();
        assertThat(provider.isSpokenBy(context.getEndpoint("direct:salesforce")))
                .isFalse();
    }

    @Test
    void namedWithoutItsJarItFailsWithTheCoordinates() throws Exception {
        assertThat(MissingJars.failureWithout("camel-salesforce-", "salesforce"))
                .contains("bulkApi=salesforce needs on the class path: org.apache.camel:camel-salesforce");
    }

    @Test
    void anOperationThatNobodyKnowsIsRefused() {
        assertThatThrownBy(() -> api(Map.of("operation", "merge")))
                .hasMessage("bulkApi.operation=merge: expected one of create, update, upsert, delete");
        assertThatThrownBy(() -> api(Map.of("operation", "upsert", "sObjectName", "Account")))
                .hasMessageContaining("sObjectName=Account, sObjectIdName=null");
    }

    // ---- Items

    @Test
    void aRecordIsWhatTheCallerHasOfIt() throws Exception {
        Account dto = new Account();
        dto.setName("a");
        RawJson json = new RawJson("{\"Name\":\"a\",\"Revenue\":1.50}".getBytes(StandardCharsets.UTF_8));
        SalesforceApi api = api(Map.of("sObjectName", "Account"));

        assertThat(item(api, dto).payload()).isSameAs(dto);
        assertThat(item(api, Map.of("Name", "a")).payload())
                .hasToString("{\"attributes\":{\"type\":\"Account\"},\"Name\":\"a\"}");
        assertThat(item(api, json).payload())
                .hasToString("{\"attributes\":{\"type\":\"Account\"},\"Name\":\"a\",\"Revenue\":1.50}");
        assertThat(item(api, json).body()).isEqualTo("{\"Name\":\"a\",\"Revenue\":1.50}");
        assertThat(item(api, Map.of("attributes", Map.of("type", "Contact"))).type())
                .isEqualTo("Contact");
    }

    @Test
    void aDtoWithoutItsTypeIsSentWithIt() throws Exception {
        Account dto = new Account();
        dto.clearBaseFields();
        dto.setIndustry("Fishing");

        SObjectRecord item = item(api(Map.of("sObjectName", "Account")), dto);

        assertThat(item.payload()).hasToString("{\"attributes\":{\"type\":\"Account\"},\"Industry\":\"Fishing\"}");
        assertThat(dto.getAttributes()).isNull();
    }

    @Test
    void theCallersMapIsNotChanged() throws Exception {
        Map<String, Object> map = new HashMap<>(Map.of("Name", "a"));

        item(api(Map.of("sObjectName", "Account")), map);

        assertThat(map).isEqualTo(Map.of("Name", "a"));
    }

    @Test
    void bytesAreThoseOfTheRequest() throws Exception {
        SalesforceApi api = api(Map.of("sObjectName", "Account"));
        String request = "{\"allOrNone\":false,\"records\":[{\"attributes\":{\"type\":\"Account\"},\"Name\":\"é\"}]}";

        long bytes =
                api.limits().envelopeBytes() + item(api, Map.of("Name", "é")).bytes();

        assertThat(bytes).isEqualTo(request.getBytes(StandardCharsets.UTF_8).length + 1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "create | 7 | a record must be an object",
                "create | {'a' | it is no JSON",
                "create | {'Name':'a'} | object type is not known",
                "create | {'attributes':{'type':'A'}} {} | it is no JSON",
                "update | {'attributes':{'type':'A'},'Name':'a'} | it has no Id",
                "update | {'attributes':{'type':'A'},'Id':'1,2'} | its Id is none",
                "delete | 001000000000001,001000000000002 | its Id is none",
                "delete | 00100000000000100 | its Id is none",
                "delete | '' | it has no Id"
            })
    void whatCanNeverBeSentSaysWhy(String operation, String element, String message) {
        String text = element == null ? "" : element.replace('\'', '"');

        assertThatThrownBy(() -> item(api(Map.of("operation", operation)), text))
                .isInstanceOf(InvalidItemException.class)
                .hasMessageContaining(message);
    }

    @Test
    void anUpsertTakesOneTypeAndNeedsTheExternalId() {
        SalesforceApi api = api(Map.of("operation", "upsert", "sObjectName", "Account", "sObjectIdName", "Ref__c"));

        assertThatThrownBy(() -> item(api, Map.of("attributes", Map.of("type", "Contact"), "Ref__c", "1")))
                .hasMessage("its type is Contact, and the delegate upserts Account only");
        assertThatThrownBy(() -> item(api, Map.of("Name", "a"))).hasMessageContaining("it has no Ref__c");
    }

    @ParameterizedTest
    @CsvSource({
        "create, {'Name':'a'},, false",
        "update, {'id':'001000000000001AAA'}, 001000000000001, true",
        "update, {'Id':'001000000000001'}, 001000000000001, true",
        "delete, {'Id':'001000000000001AAA'}, 001000000000001, true",
        "upsert, {'Ref__c':'N-7'}, n-7, true",
        "upsert, {'Ref__c':70.0}, 70, true"
    })
    void whatMakesTwoItemsTheSameRecordAndWhatMayBeSentAgain(
            String operation, String json, String key, boolean isSafeToResend) throws Exception {
        SalesforceApi api = api(Map.of("operation", operation, "sObjectName", "Account", "sObjectIdName", "Ref__c"));

        SObjectRecord item = item(api, MAPPER.readTree(json.replace('\'', '"')));

        assertThat(item.key()).isEqualTo(key);
        assertThat(item.safeToResend()).isEqualTo(isSafeToResend);
        assertThat(item.operation()).isEqualTo(operation);
    }

    @Test
    void theUserSaysWhatMakesTwoItemsTheSameRecord() throws Exception {
        Map<String, String> options = Map.of("sObjectName", "Contact");
        Map<String, Object> contact = Map.of("AccountId", ID, "LastName", "a");

        assertThat(item(api(options, ItemKey.parse("AccountId")), contact).key())
                .isEqualTo(List.of(MAPPER.valueToTree(ID)));
        assertThat(item(api(options, ItemKey.of(body -> ((Map<?, ?>) body).get("LastName"))), contact)
                        .key())
                .isEqualTo("a");
        assertThat(item(api(options, ItemKey.NONE), contact).key()).isNull();
    }

    // ---- Requests

    @ParameterizedTest
    @CsvSource({
        "AAAAAAAAAAAA, A, true",
        "ABABABABA, B, true",
        "ABABABABAB, B, true",
        "ABABABABAB, A, false",
        "AABBAABBAABBAABBAABB, B, true",
        "AABBAABBAABBAABBAABB, A, false"
    })
    void aRequestHoldsTenChunksOfNeighboursOfOneType(String types, String next, boolean isAllowed) throws Exception {
        SalesforceApi api = api(Map.of());
        List<Content> request = new ArrayList<>();
        for (String type : types.split("")) {
            request.add(item(api, ofType(type)));
        }

        assertThat(api.limits().rule().allows(request, item(api, ofType(next)))).isEqualTo(isAllowed);
    }

    private static Map<String, Object> ofType(String type) {
        return Map.of("attributes", Map.of("type", type));
    }

    @Test
    void anyDelegateGetsTheListAndWhatSteersTheOneOfSalesforce() throws Exception {
        SalesforceApi upserts = api(Map.of("operation", "upsert", "sObjectName", "Account", "sObjectIdName", "Ref__c"));
        Exchange exchange = new DefaultExchange(context);

        upserts.write(List.of(item(upserts, Map.of("Ref__c", "1"))), exchange);

        assertThat((List<?>) exchange.getMessage().getBody())
                .singleElement()
                .hasToString("{\"attributes\":{\"type\":\"Account\"},\"Ref__c\":\"1\"}");
        assertThat(exchange.getMessage().getHeaders())
                .containsEntry("sObjectName", "Account")
                .containsEntry("sObjectIdName", "Ref__c")
                .containsEntry("allOrNone", "false");
    }

    // ---- Answers

    static Stream<JsonNode> fixtures() throws Exception {
        return MAPPER.readTree(SalesforceApiTest.class.getResourceAsStream("fixtures.json"))
                .valueStream();
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void theWireFixturesAreReadAsTheSheetSays(JsonNode fixture) throws Exception {
        try (SalesforceOrg org = new SalesforceOrg()) {
            org.script(List.of(ScriptedReply.of(
                    fixture.get("status").asInt(), fixture.get("replyBody").asText())));
            SalesforceComponents.add(context, org);
            context.start();
            SalesforceApi api = api(Map.of());
            List<BulkItem> items = new ArrayList<>();
            for (JsonNode record : fixture.get("request").get("records")) {
                items.add(item(api, record));
            }

            Exchange answer = context.createProducerTemplate()
                    .request("salesforce:compositeCreateSObjectCollections", exchange -> api.write(items, exchange));
            Reply reply = api.read(items, answer);
            context.stop(); // Before the org, where it logs out.

            if (fixture.get("requestClass").asText().equals("retry")) {
                assertThat(reply).isInstanceOf(Reply.Throttled.class);
            } else {
                assertThat(kinds(reply)).isEqualTo(expected(fixture));
            }
        }
    }

    private static List<Verdict.Kind> expected(JsonNode fixture) {
        return fixture.get("verdicts")
                .valueStream()
                .map(word -> switch (word.asText()) {
                    case "landed" -> Verdict.Kind.LANDED;
                    case "retry" -> Verdict.Kind.RESIDUE;
                    case "victim" -> Verdict.Kind.VICTIM;
                    case "terminal" -> Verdict.Kind.TERMINAL;
                    default -> Verdict.Kind.UNKNOWN;
                })
                .toList();
    }

    static Stream<Object> answers() throws Exception {
        SaveSObjectResult landed = new SaveSObjectResult();
        landed.setId(ID);
        landed.setSuccess(true);
        landed.setErrors(List.of());
        SaveSObjectResult locked = new SaveSObjectResult();
        locked.setSuccess(false);
        locked.setErrors(List.of(new RestError("UNABLE_TO_LOCK_ROW", "locked")));
        String json = "[{\"id\":\"" + ID + "\",\"success\":true,\"errors\":[]},{\"success\":false,\"errors\":"
                + "[{\"statusCode\":\"UNABLE_TO_LOCK_ROW\",\"message\":\"locked\",\"fields\":[],\"more\":1}]}]";
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        return Stream.of(
                List.of(landed, locked),
                MAPPER.readValue(json, List.class),
                MAPPER.readTree(json),
                json,
                bytes,
                new ByteArrayInputStream(bytes));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void anAnswerMayComeAsResultsOrAsJson(Object body) throws Exception {
        Reply reply = reply(api(Map.of()), body);

        assertThat(kinds(reply)).containsExactly(Verdict.Kind.LANDED, Verdict.Kind.RESIDUE);
        assertThat(((Reply.Verdicts) reply).verdicts().get(1).failure())
                .isEqualTo(new Failure(200, "UNABLE_TO_LOCK_ROW", "locked"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "[]",
                "null",
                "<html>",
                "[{\"success\":true,\"errors\":[]}]",
                "[{\"success\":true,\"errors\":[]},{\"success\":true,\"errors\":[]},{\"success\":true,\"errors\":[]}]",
                "[{\"success\":true,\"errors\":[]},{\"success\":true",
                "[{\"success\":true,\"errors\":[]},{\"success\":true,\"errors\":[]}] <html>"
            })
    void anAnswerThatIsNotTheServicesIsUnknown(String body) throws Exception {
        assertThat(kinds(reply(api(Map.of()), body))).containsOnly(Verdict.Kind.UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'success':'true'} | UNKNOWN",
                "{'errors':[]} | UNKNOWN",
                "7 | UNKNOWN",
                "null | UNKNOWN",
                "{'success':true,'errors':[{'statusCode':'X'}]} | UNKNOWN",
                "{'success':false,'errors':[]} | TERMINAL",
                "{'success':false,'errors':[{'statusCode':'UNABLE_TO_LOCK_ROW'},{'statusCode':'STRING_TOO_LONG'}]} | TERMINAL",
                "{'success':false,'errors':[{'statusCode':'STRING_TOO_LONG'},{'statusCode':'UNKNOWN_EXCEPTION'}]} | UNKNOWN",
                "{'success':false,'errors':[{'statusCode':'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY','message':'T: UNABLE_TO_LOCK_ROW'}]} | RESIDUE",
                "{'success':false,'errors':[{'statusCode':'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY','message':'T: null'}]} | TERMINAL",
                "{'success':false,'errors':[{'statusCode':'FIELD_CUSTOM_VALIDATION_EXCEPTION','message':'UNABLE_TO_LOCK_ROW'}]} | TERMINAL"
            })
    void eachResultIsLookedAt(String result, Verdict.Kind kind) throws Exception {
        String landed = "{\"success\":true,\"errors\":[]}";

        Reply reply = reply(api(Map.of()), "[" + landed + "," + result.replace('\'', '"') + "]");

        assertThat(kinds(reply)).containsExactly(Verdict.Kind.LANDED, kind);
    }

    @ParameterizedTest
    @CsvSource({
        "create, DUPLICATE_VALUE, ALREADY",
        "create, DUPLICATES_DETECTED, ALREADY",
        "upsert, DUPLICATE_VALUE, TERMINAL",
        "update, DUPLICATES_DETECTED, TERMINAL",
        "delete, ENTITY_IS_DELETED, ALREADY",
        "update, ENTITY_IS_DELETED, TERMINAL",
        "delete, PROCESSING_HALTED, VICTIM",
        "upsert, QUERY_TIMEOUT, RESIDUE",
        "create, NOBODY_KNOWS_THIS, TERMINAL"
    })
    void whatACodeMeansDependsOnTheOperation(String operation, String code, Verdict.Kind kind) {
        assertThat(CollectionErrors.verdict(Operation.ofWord(operation), new Failure(200, code, "…"))
                        .kind())
                .isEqualTo(kind);
    }

    @Test
    void resultsOfOtherRecordsMakeAllUnknown() throws Exception {
        SalesforceApi api = api(Map.of("operation", "delete"));
        List<BulkItem> items = List.of(item(api, ID), item(api, "001000000000002AAA"));
        Exchange exchange = new DefaultExchange(context);
        exchange.getMessage()
                .setBody("[{\"id\":\"001000000000002AAA\",\"success\":true,\"errors\":[]},{\"id\":\"" + ID
                        + "\",\"success\":true,\"errors\":[]}]");

        assertThat(kinds(api.read(items, exchange))).containsOnly(Verdict.Kind.UNKNOWN);
    }

    // ---- Failures of a whole request

    @ParameterizedTest
    @CsvSource({
        "403, REQUEST_LIMIT_EXCEEDED, Throttled",
        "503, SERVER_UNAVAILABLE, Throttled",
        "400, UNABLE_TO_LOCK_ROW, Throttled",
        "503, ORG_IN_MAINTENANCE, Throttled",
        "429,, Throttled",
        "400, EXCEEDED_ID_LIMIT, TooLarge",
        "400, TOO_MANY_RECORDS, TooLarge",
        "413,, TooLarge",
        "414,, TooLarge",
        "400, JSON_PARSER_ERROR, Rejected",
        "400, INVALID_TYPE, Rejected",
        "400,, Refused",
        "401, INVALID_SESSION_ID, Refused",
        "403, API_DISABLED_FOR_ORG, Refused",
        "403,, Refused",
        "404, NOT_FOUND, Refused",
        "400, REQUEST_RUNNING_TOO_LONG, TransportFailed",
        "500, UNKNOWN_EXCEPTION, TransportFailed",
        "502,, TransportFailed",
        "503,, TransportFailed",
        "408,, TransportFailed"
    })
    void theFailureOfARequestIsSortedWhateverDelegateReportsIt(int status, String code, String kind) throws Exception {
        String body = code == null ? "<html>" : "[{\"errorCode\":\"" + code + "\",\"message\":\"m\"}]";
        List<RestError> errors = code == null ? null : List.of(new RestError(code, "m"));
        List<Reply> replies = List.of(
                failing(new SalesforceException(errors, status)),
                failing(new IllegalStateException(new SalesforceException(body, status))),
                failing(new HttpOperationFailedException("http://127.0.0.1", status, null, null, Map.of(), body)));

        assertThat(replies).allSatisfy(reply -> {
            assertThat(reply.getClass().getSimpleName()).isEqualTo(kind);
            if (reply instanceof Reply.TransportFailed failed) {
                assertThat(failed.nothingLanded()).isFalse();
                assertThat(failed.failure().code()).isEqualTo(code);
            } else if (reply instanceof Reply.Rejected rejected) {
                assertThat(rejected.nothingLanded()).isTrue();
            }
        });
    }

    @Test
    void aLoginThatFailsIsNoVerdictOnTheRecords() throws Exception {
        RestError refused = new RestError("invalid_grant", "Login error code:[invalid_grant] description:[expired]");
        SalesforceException login = new SalesforceException(List.of(refused), 400);

        assertThat(failing(login)).isInstanceOf(Reply.Refused.class);
        assertThat(failing(new SalesforceException("Error {400:Bad Request} executing {POST:…}", 400, login)))
                .isInstanceOf(Reply.Refused.class);
        assertThat(failing(new SalesforceException("Login error status:[503] reason:[down]", 503)))
                .isInstanceOfSatisfying(Reply.TransportFailed.class, failed -> assertThat(failed.nothingLanded())
                        .isTrue());
        assertThat(failing(new SalesforceException("Login request timeout: 60 s", new SocketTimeoutException())))
                .isInstanceOfSatisfying(Reply.TransportFailed.class, failed -> assertThat(failed.nothingLanded())
                        .isTrue());
    }

    @Test
    void noAnswerTellsWhetherTheRequestCameThrough() throws Exception {
        assertThat(failing(new SalesforceException("Unexpected error {0:null}", 0, new ConnectException("refused"))))
                .isInstanceOfSatisfying(Reply.TransportFailed.class, failed -> assertThat(failed.nothingLanded())
                        .isTrue());
        assertThat(failing(new SalesforceException("Unexpected error {0:null}", 0, new SocketTimeoutException())))
                .isInstanceOfSatisfying(Reply.TransportFailed.class, failed -> assertThat(failed.nothingLanded())
                        .isFalse());
        assertThat(failing(new IllegalStateException("no idea")))
                .isInstanceOfSatisfying(Reply.TransportFailed.class, failed -> assertThat(failed.nothingLanded())
                        .isFalse());
    }

    @Test
    void anAnswerThatIsCutOffIsUnknownThoughTheDelegateMakesAFailureOfIt() throws Exception {
        assertThat(kinds(failing(new SalesforceException("Unexpected error {200:OK}", 200, new EOFException()))))
                .containsOnly(Verdict.Kind.UNKNOWN);
    }

    @Test
    void anHttpAnswerWithoutSuccessIsAFailureToo() throws Exception {
        SalesforceApi api = api(Map.of());
        Exchange exchange = new DefaultExchange(context);
        exchange.getMessage().setHeader(Exchange.HTTP_RESPONSE_CODE, 403);
        exchange.getMessage().setHeader("Retry-After", "7");
        exchange.getMessage().setBody("[{\"errorCode\":\"REQUEST_LIMIT_EXCEEDED\",\"message\":\"m\"}]");

        assertThat(api.read(twoItems(api), exchange))
                .isEqualTo(new Reply.Throttled(new Failure(403, "REQUEST_LIMIT_EXCEEDED", "m"), 7000));
    }

    @Test
    void anAnswerOfTheDelegateMayAskForAWait() throws Exception {
        try (SalesforceOrg org = new SalesforceOrg()) {
            SalesforceComponents.add(context, org);
            context.start();
            org.script(List.of(
                    ScriptedReply.of(429, "").withHeader("Retry-After", "7"),
                    ScriptedReply.of(503, "<html>").withHeader("Retry-After", "2.5"),
                    ScriptedReply.of(503, "")));
            Endpoint delegate = context.getEndpoint("salesforce:compositeCreateSObjectCollections");
            SalesforceApi api =
                    new SalesforceApi(new BulkApiContext(context, delegate, Map.of(), ItemKey.FROM_API, MAPPER));

            assertThat(ApiRuns.send(api, delegate, twoItems(api)))
                    .asInstanceOf(InstanceOfAssertFactories.type(Reply.Throttled.class))
                    .returns(7000L, Reply.Throttled::hintMillis);
            for (long hint : new long[] {2500, 0}) {
                assertThat(ApiRuns.send(api, delegate, twoItems(api)))
                        .asInstanceOf(InstanceOfAssertFactories.type(Reply.TransportFailed.class))
                        .returns(hint, Reply.TransportFailed::hintMillis)
                        .returns(false, Reply.TransportFailed::nothingLanded);
            }
        }
    }

    @Test
    void resultsMayAskForAWaitToo() throws Exception {
        String locked = "{\"success\":false,\"errors\":[{\"statusCode\":\"UNABLE_TO_LOCK_ROW\"}]}";
        try (SalesforceOrg org = new SalesforceOrg()) {
            SalesforceComponents.add(context, org);
            context.start();
            org.script(List.of(
                    ScriptedReply.of(200, "[" + locked + "," + locked + "]").withHeader("Retry-After", "7"),
                    ScriptedReply.of(200, "<html>").withHeader("Retry-After", "7")));
            Endpoint delegate = context.getEndpoint("salesforce:compositeCreateSObjectCollections");
            SalesforceApi api =
                    new SalesforceApi(new BulkApiContext(context, delegate, Map.of(), ItemKey.FROM_API, MAPPER));

            for (Verdict.Kind kind : List.of(Verdict.Kind.RESIDUE, Verdict.Kind.UNKNOWN)) {
                Reply reply = ApiRuns.send(api, delegate, twoItems(api));
                assertThat(kinds(reply)).containsOnly(kind);
                assertThat(reply)
                        .asInstanceOf(InstanceOfAssertFactories.type(Reply.Verdicts.class))
                        .returns(7000L, Reply.Verdicts::hintMillis);
            }
        }

        SalesforceApi api = api(Map.of());
        Exchange exchange = new DefaultExchange(context);
        exchange.getMessage().setHeader("Retry-After", "7");
        exchange.getMessage().setBody(MAPPER.readTree("[" + locked + "," + locked + "]"));
        assertThat(api.read(twoItems(api), exchange))
                .asInstanceOf(InstanceOfAssertFactories.type(Reply.Verdicts.class))
                .returns(7000L, Reply.Verdicts::hintMillis);
    }

    @Test
    void aNullAmongTheErrorsThatADelegateThrowsIsNone() throws Exception {
        SalesforceException thrown = new SalesforceException(Collections.singletonList(null), 500, "down");

        assertThat(failing(thrown))
                .isEqualTo(new Reply.TransportFailed(thrown, new Failure(500, null, "down"), false, 0));
    }

    @Test
    void aWaitThatAnotherStepWasAskedForIsNoneHere() throws Exception {
        SalesforceApi api = api(Map.of());
        Exchange exchange = new DefaultExchange(context);
        exchange.getMessage().setHeader("Retry-After", "3600");

        api.write(twoItems(api), exchange);

        assertThat(exchange.getMessage().getHeaders()).doesNotContainKey("Retry-After");
    }

    // ---- Tools

    private SalesforceApi api(Map<String, String> options) {
        return api(options, ItemKey.FROM_API);
    }

    private SalesforceApi api(Map<String, String> options, ItemKey itemKey) {
        return new SalesforceApi(
                new BulkApiContext(context, context.getEndpoint("direct:org"), options, itemKey, MAPPER));
    }

    private static SObjectRecord item(SalesforceApi api, Object element) throws InvalidItemException {
        return (SObjectRecord) api.item(element);
    }

    private static List<BulkItem> twoItems(SalesforceApi api) throws InvalidItemException {
        return List.of(item(api, ofType("A")), item(api, ofType("B")));
    }

    private Reply reply(SalesforceApi api, Object body) throws InvalidItemException {
        Exchange exchange = new DefaultExchange(context);
        exchange.getMessage().setBody(body);
        return api.read(twoItems(api), exchange);
    }

    private Reply failing(Exception exception) throws InvalidItemException {
        SalesforceApi api = api(Map.of());
        Exchange exchange = new DefaultExchange(context);
        exchange.setException(exception);
        return api.read(twoItems(api), exchange);
    }

    private static List<Verdict.Kind> kinds(Reply reply) {
        return ((Reply.Verdicts) reply).verdicts().stream().map(Verdict::kind).toList();
    }
}
