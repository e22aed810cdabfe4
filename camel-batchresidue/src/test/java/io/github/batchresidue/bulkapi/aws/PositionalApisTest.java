/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.batchresidue.bulkapi.ApiRuns;
import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.ItemKey;
import io.github.batchresidue.bulkapi.MissingJars;
import io.github.batchresidue.bulkapi.VirtualTime;
import io.github.batchresidue.bulkapi.Warnings;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Reason;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.RunEnd;
import io.github.batchresidue.engine.RunOptions;
import io.github.batchresidue.engine.Verdict;
import io.github.batchresidue.simulators.ScriptedReply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.core.SdkClient;
import software.amazon.awssdk.core.SdkSystemSetting;

/** What holds for every service that answers by position, with the SDK's own clients over the wire. */
class PositionalApisTest {

    private final VirtualTime time = new VirtualTime();
    private final DefaultCamelContext context = new DefaultCamelContext();
    private Service service;
    private PositionalService server;
    private SdkClient client;
    private Endpoint delegate;

    /** Each time: an endpoint that switches CBOR off lifts the ban for all when it stops. */
    @BeforeEach
    void speakJson() {
        System.setProperty(SdkSystemSetting.CBOR_ENABLED.property(), "false");
    }

    @AfterAll
    static void speakAsBefore() {
        System.clearProperty(SdkSystemSetting.CBOR_ENABLED.property());
    }

    @AfterEach
    void stop() {
        context.stop();
        if (server != null) {
            server.close();
            client.close();
        }
    }

    private void start(Service which) {
        service = which;
        server = new PositionalService(which.shape);
        client = which.client(server.endpoint(), true);
        context.getRegistry().bind("client", client);
        context.start();
        delegate = context.getEndpoint(which.delegateUri("client"));
    }

    // ---- The provider

    @ParameterizedTest
    @EnumSource
    void theProviderKnowsItsDelegates(Service which) {
        start(which);

        for (Service other : Service.values()) {
            assertThat(other.provider().isSpokenBy(delegate)).isEqualTo(other == which);
        }
        assertThat(which.provider().isSpokenBy(context.getEndpoint("direct:x"))).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void namedWithoutItsJarItFailsWithTheCoordinates(Service which) throws Exception {
        assertThat(MissingJars.failureWithout(
                        "camel-aws2-(kinesis|eventbridge)-|kinesis-|firehose-|eventbridge-", which.bulkApi()))
                .contains("bulkApi=" + which.bulkApi() + " needs on the class path: "
                        + which.provider().coordinates().get(0));
    }

    @ParameterizedTest
    @EnumSource
    void aClientThatRetriesIsWarnedAboutOnce(Service which) {
        start(which);
        Warnings warnings = new Warnings(ClientRetries.class);
        try (SdkClient retrying = which.client(server.endpoint(), false)) {
            context.getRegistry().bind("retrying", retrying);
            context.removeEndpoint(delegate);
            // Kinesis keeps one client for its component.
            DefaultCamelContext other = new DefaultCamelContext();
            other.getRegistry().bind("retrying", retrying);
            other.start();
            Endpoint endpoint = other.getEndpoint(which.delegateUri("retrying"));
            ApiRuns.run(api(), endpoint, time, texts(3), options().batchSize(1).build());
            other.stop();
        }

        assertThat(warnings.stop())
                .singleElement()
                .asString()
                .contains("times by itself", which.clientOption, "doNotRetry");
        assertThat(server.taken()).hasSize(3);
    }

    // ---- Replies over the wire

    static Stream<JsonNode> fixtures() throws Exception {
        return Service.MAPPER
                .readTree(PositionalApisTest.class.getResourceAsStream("positional-fixtures.json"))
                .valueStream();
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void theWireFixturesAreReadAsTheSheetSays(JsonNode fixture) {
        start(Service.valueOf(fixture.get("bulkApi").asText().toUpperCase()));
        BulkApi api = service.api(context, delegate, Map.of(), ItemKey.FROM_API);
        List<BulkItem> items = fixture.get("request")
                .get(service.shape.entries())
                .valueStream()
                .map(entry -> item(api, service.itemOf().apply(entry)))
                .toList();
        ScriptedReply reply = ScriptedReply.of(
                fixture.get("status").asInt(), fixture.get("reply").toString());
        for (Map.Entry<String, JsonNode> header : fixture.get("headers").properties()) {
            reply = reply.withHeader(header.getKey(), header.getValue().asText());
        }
        server.script(reply);

        Reply read = ApiRuns.send(api, delegate, items);

        assertThat(server.requests().get(0).get(service.shape.entries()))
                .usingRecursiveComparison()
                .isEqualTo(withBus(fixture.get("request").get(service.shape.entries())));
        if (fixture.get("requestClass").asText().equals("retry")) {
            assertThat(((Reply.Throttled) read).hintMillis())
                    .isEqualTo(fixture.get("waitMillis").asLong());
        } else if (read instanceof Reply.TransportFailed failed) {
            assertThat(failed.nothingLanded()).isFalse();
            assertThat(fixture.get("requestClass").asText()).isEqualTo("unknown");
        } else {
            assertThat(kinds(read)).isEqualTo(expected(fixture));
        }
    }

    /** The bus that the delegate names stands in each entry. */
    private JsonNode withBus(JsonNode entries) {
        JsonNode copy = entries.deepCopy();
        if (service == Service.EVENTBRIDGE) {
            copy.forEach(entry -> ((ObjectNode) entry).put("EventBusName", "bus"));
        }
        return copy;
    }

    private static List<Verdict.Kind> expected(JsonNode fixture) {
        return fixture.get("verdicts")
                .valueStream()
                .map(word -> switch (word.asText()) {
                    case "landed" -> Verdict.Kind.LANDED;
                    case "retry" -> Verdict.Kind.RESIDUE;
                    case "terminal" -> Verdict.Kind.TERMINAL;
                    default -> Verdict.Kind.UNKNOWN;
                })
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void anyOtherNumberOfResultsMakesAllUnknown(Service which) {
        start(which);
        for (int results : new int[] {0, 1, 3}) {
            server.script(answer(IntStream.range(0, results)
                    .mapToObj(i -> "{\"" + which.shape.given() + "\":\"1\"}")
                    .toList()));

            assertThat(kinds(ApiRuns.send(api(), delegate, items(2))))
                    .containsExactly(Verdict.Kind.UNKNOWN, Verdict.Kind.UNKNOWN);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aResultThatSaysNothingOrTwoThingsIsUnknown(Service which) {
        start(which);
        String given = "\"" + which.shape.given() + "\":\"1\"";
        String error = "\"ErrorCode\":\"InternalFailure\"";
        server.script(answer(List.of("{}", "{" + given + "," + error + "}", "{" + given + "}")));

        assertThat(kinds(ApiRuns.send(api(), delegate, items(3))))
                .containsExactly(Verdict.Kind.UNKNOWN, Verdict.Kind.UNKNOWN, Verdict.Kind.LANDED);
    }

    @ParameterizedTest
    @EnumSource
    void aResultThatIsNoneIsUnknownAndNoOther(Service which) throws Exception {
        start(which);
        String given = "\"" + which.shape.given() + "\":";
        List<String> results = List.of(
                "{" + given + "\"1\"}",
                "null",
                "{" + given + "\"\"}",
                "{" + given + "null}",
                "{" + given + "\"\",\"ErrorCode\":\"InternalFailure\"}",
                "{\"ErrorCode\":\"\"}",
                "{" + given + "\"1\",\"ErrorCode\":\"\"}",
                "{" + given + "\"1\"}");
        server.script(answer(results));
        List<Verdict.Kind> expected = new ArrayList<>(Collections.nCopies(8, Verdict.Kind.UNKNOWN));
        expected.set(0, Verdict.Kind.LANDED);
        expected.set(7, Verdict.Kind.LANDED);

        assertThat(kinds(ApiRuns.send(api(), delegate, items(8)))).isEqualTo(expected);
        assertThat(kinds(read(answer(results).body(), 8))).isEqualTo(expected);
        assertThat(kinds(read(
                        answer(List.of("{" + given + "{}}", "{" + given + "[1]}", "{" + given + "true}", "7"))
                                .body(),
                        4)))
                .containsOnly(Verdict.Kind.UNKNOWN);
    }

    @ParameterizedTest
    @EnumSource
    void whatIsNotTheServicesAnswerIsUnknown(Service which) {
        start(which);
        for (String text : List.of("{}", "<html>", "{\"" + which.shape.results() + "\":[{")) {
            server.script(ScriptedReply.of(200, text));

            assertThat(kinds(ApiRuns.send(api(), delegate, items(2)))).containsOnly(Verdict.Kind.UNKNOWN);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theAnswerOfAnotherDelegateIsRead(Service which) throws Exception {
        start(which);
        String json = answer(List.of(
                        "{\"" + which.shape.given() + "\":\"1\"}", "{\"ErrorCode\":\"" + which.retryable + "\"}"))
                .body();
        for (Object body : List.of(
                json,
                json.getBytes(StandardCharsets.UTF_8),
                Service.MAPPER.readTree(json),
                Service.MAPPER.readValue(json, Map.class))) {
            assertThat(kinds(read(body, 2))).containsExactly(Verdict.Kind.LANDED, Verdict.Kind.RESIDUE);
        }
        Map<String, Object> notAList = Map.of(which.shape.results(), "two");
        for (Object body : Arrays.asList("", "null", "[]", "7", json + " {}", Map.of(), notAList, null)) {
            assertThat(kinds(read(body, 2))).containsOnly(Verdict.Kind.UNKNOWN);
        }
        assertThat(api().sender(context.getEndpoint("direct:x"))).isNull();
    }

    // ---- Runs

    @ParameterizedTest
    @EnumSource
    void onlyTheResidueGoesAgainAndWaitsLonger(Service which) {
        start(which);
        Map<String, Integer> refusals = new HashMap<>(Map.of("c", 1, "d", 2, "e", 2, "f", 3));
        server.failing(entry -> refusals.merge(name(entry), -1, Integer::sum) >= 0 ? which.retryable : null);

        Ledger ledger = run(named("a", "b", "c", "d", "e", "f")).ledger();

        assertThat(server.requested(this::name))
                .containsExactly(
                        List.of("a", "b", "c", "d", "e", "f"),
                        List.of("c", "d", "e", "f"),
                        List.of("d", "e", "f"),
                        List.of("f"));
        assertThat(ledger.landed()).isEqualTo(6);
        assertThat(ledger.waitedMillis()).isEqualTo(7000);
        assertThat(server.taken()).hasSize(6);
    }

    @ParameterizedTest
    @EnumSource
    void aThrottledRequestWaitsAndGoesAgainWhole(Service which) {
        start(which);
        server.script(error(400, "ThrottlingException").withHeader("x-amz-retry-after", "1500"));

        Ledger ledger = run(named("a", "b")).ledger();

        assertThat(server.requested(this::name)).containsExactly(List.of("a", "b"), List.of("a", "b"));
        assertThat(ledger.waitedMillis()).isEqualTo(1500);
        assertThat(ledger.landed()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void aRefusedItemIsFoundByHalving(Service which) {
        start(which);
        server.script(
                error(400, which.rejection), // a b c d
                error(400, which.rejection), // a b
                error(400, which.rejection)); // a

        Ledger ledger = run(named("a", "b", "c", "d")).ledger();

        assertThat(server.requested(this::name))
                .containsExactly(
                        List.of("a", "b", "c", "d"), List.of("a", "b"), List.of("a"), List.of("b"), List.of("c", "d"));
        assertThat(ledger.landed()).isEqualTo(3);
        assertThat(ledger.terminalItems()).singleElement().satisfies(item -> {
            assertThat(item.index()).isZero();
            assertThat(item.reason()).isEqualTo(Reason.REJECTED);
            assertThat(item.failure().code()).isEqualTo(which.rejection);
        });
        assertThat(ledger.waitedMillis()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aRequestTooLargeIsHalved(Service which) {
        start(which);
        server.script(ScriptedReply.of(413, "{\"__type\":\"RequestEntityTooLarge\"}"));

        Ledger ledger = run(named("a", "b")).ledger();

        assertThat(server.requested(this::name)).containsExactly(List.of("a", "b"), List.of("a"), List.of("b"));
        assertThat(ledger.landed()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void aMissingTargetFailsAtOnceAndKeepsTheItems(Service which) {
        start(which);
        for (String code : List.of("ResourceNotFoundException", "AccessDeniedException", "ExpiredTokenException")) {
            server.script(error(400, code));

            RunEnd end = run(named("a", "b"));

            assertThat(end.failure()).hasMessageContaining("said so");
            assertThat(end.ledger().pendingItems()).hasSize(2).noneMatch(LedgerItem::maybeLanded);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatMayHaveLandedIsNotSentAgainUnlessToldTo(Service which) {
        start(which);
        server.script(error(500, "InternalFailureException"), error(500, "InternalFailureException"));
        RunOptions.Builder retryTransport = options().retryTransportFailures(true);

        Ledger careful = run(named("a", "b"), retryTransport.build()).ledger();

        assertThat(careful.givenUpItems()).hasSize(2).allSatisfy(item -> {
            assertThat(item.reason()).isEqualTo(Reason.UNKNOWN_OUTCOME);
            assertThat(item.attempts()).isEqualTo(1);
        });

        Ledger told = run(
                        named("a", "b"),
                        retryTransport
                                .unknownOutcome(RunOptions.UnknownOutcome.RETRY)
                                .build())
                .ledger();

        assertThat(told.landed()).isEqualTo(2);
    }

    /** The law: the service holds each item once, and the ledger says so, however often and whatever fails. */
    @ParameterizedTest
    @EnumSource
    void eachItemIsHeldExactlyOnceOrTheLedgerSaysOtherwise(Service which) {
        start(which);
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            double rate = random.nextDouble() * 0.7;
            server.failing(entry -> random.nextDouble() < rate ? which.retryable : null);
            if (seed % 4 == 0) {
                server.script(error(400, "ThrottlingException"));
            }
            int before = server.taken().size();
            String run = "run-" + seed + "-";
            List<Object> body = IntStream.range(0, 1 + random.nextInt(120))
                    .<Object>mapToObj(i -> Map.of("id", run + i))
                    .toList();

            Ledger ledger = run(
                            body,
                            options()
                                    .batchSize(1 + random.nextInt(10))
                                    .maximumRedeliveries(3 + random.nextInt(8))
                                    .build())
                    .ledger();

            List<String> held = server.taken().subList(before, server.taken().size()).stream()
                    .map(this::name)
                    .sorted()
                    .toList();
            assertThat(held).doesNotHaveDuplicates();
            assertThat(ledger.landedItems())
                    .extracting(item -> ((Map<?, ?>) item.body()).get("id").toString())
                    .containsExactlyInAnyOrderElementsOf(held);
            assertThat(ledger.landed() + ledger.givenUp()).isEqualTo(body.size());
            assertThat(ledger.givenUpItems())
                    .allSatisfy(item -> assertThat(item.reason()).isEqualTo(Reason.REDELIVERIES_EXHAUSTED));
        }
    }

    /** Cut off after the service took the request: nobody knows, nothing is doubled, and the ledger says unknown. */
    @ParameterizedTest
    @EnumSource
    void aLostAnswerIsUnknownAndDoublesNothing(Service which) {
        start(which);
        server.script(ScriptedReply.of(ScriptedReply.Fault.RESET));

        RunEnd end = run(
                named("a", "b", "c"),
                options().batchSize(2).retryTransportFailures(true).build());

        assertThat(end.ledger().givenUpItems())
                .extracting(LedgerItem::index, LedgerItem::reason)
                .containsExactly(tuple(0L, Reason.UNKNOWN_OUTCOME), tuple(1L, Reason.UNKNOWN_OUTCOME));
        assertThat(end.ledger().landed()).isEqualTo(1);
        assertThat(server.requested(this::name)).containsExactly(List.of("a", "b"), List.of("c"));
    }

    /** However records fail, those of one key arrive in the order of the body. */
    @ParameterizedTest
    @EnumSource
    void theOrderOfEachKeyIsKept(Service which) {
        start(which);
        BulkApi byGroup = which.api(context, delegate, which.options, ItemKey.parse("group"));
        for (long seed = 1; seed <= 50; seed++) {
            Random random = new Random(seed);
            server.failing(entry -> random.nextInt(3) == 0 ? which.retryable : null);
            int before = server.taken().size();
            List<Object> body = IntStream.range(0, 2 + random.nextInt(40))
                    .<Object>mapToObj(i -> Map.of("id", "i", "group", random.nextInt(4), "number", i))
                    .toList();

            Ledger ledger = ApiRuns.run(
                            byGroup,
                            delegate,
                            time,
                            body,
                            options()
                                    .batchSize(1 + random.nextInt(8))
                                    .parallelRequests(1 + random.nextInt(3))
                                    .maximumRedeliveries(-1)
                                    .build())
                    .ledger();

            assertThat(ledger.landed()).isEqualTo(body.size());
            Map<Integer, List<Integer>> byKey = new HashMap<>();
            for (JsonNode entry : server.taken().subList(before, server.taken().size())) {
                JsonNode data = json(entry);
                byKey.computeIfAbsent(data.get("group").asInt(), key -> new ArrayList<>())
                        .add(data.get("number").asInt());
            }
            assertThat(byKey.values()).allSatisfy(numbers -> assertThat(numbers).isSorted());
        }
    }

    private ScriptedReply answer(List<String> results) {
        return ScriptedReply.of(
                200,
                "{\"" + service.shape.failedCount() + "\":0,\"" + service.shape.results() + "\":["
                        + String.join(",", results) + "]}");
    }

    private static ScriptedReply error(int status, String code) {
        return ScriptedReply.of(status, "{\"__type\":\"x#" + code + "\",\"message\":\"the service said so\"}");
    }

    private BulkApi api() {
        return service.api(context, delegate, service.options, ItemKey.FROM_API);
    }

    private RunOptions.Builder options() {
        return ApiRuns.options(api());
    }

    private RunEnd run(List<Object> body) {
        return run(body, options().build());
    }

    private RunEnd run(List<Object> body, RunOptions options) {
        return ApiRuns.run(api(), delegate, time, body, options);
    }

    private Reply read(Object body, int items) {
        Exchange exchange = new DefaultExchange(context);
        exchange.getMessage().setBody(body);
        return api().read(items(items), exchange);
    }

    private List<BulkItem> items(int count) {
        return texts(count).stream().map(text -> item(api(), text)).toList();
    }

    private static List<Object> texts(int count) {
        return IntStream.range(0, count)
                .<Object>mapToObj(i -> "{\"id\":\"i-" + i + "\"}")
                .toList();
    }

    private static List<Object> named(String... names) {
        return Arrays.stream(names).<Object>map(name -> Map.of("id", name)).toList();
    }

    private String name(JsonNode entry) {
        return json(entry).get("id").asText();
    }

    private JsonNode json(JsonNode entry) {
        try {
            return Service.MAPPER.readTree(service.textOf(entry));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static BulkItem item(BulkApi api, Object element) {
        try {
            return api.item(element);
        } catch (InvalidItemException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static List<Verdict.Kind> kinds(Reply reply) {
        return ((Reply.Verdicts) reply).verdicts().stream().map(Verdict::kind).toList();
    }
}
