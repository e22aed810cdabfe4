/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.batchresidue.bulkapi.ApiRuns;
import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkApiContext;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.ItemKey;
import io.github.batchresidue.bulkapi.VirtualTime;
import io.github.batchresidue.bulkapi.aws.TestClients;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Reason;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.RunEnd;
import io.github.batchresidue.engine.Verdict;
import io.github.batchresidue.simulators.ScriptedReply;
import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

/** Reads of several keys, with the SDK's own client over the wire. */
class DynamoDbReadTest {

    private static final String OPTIONS =
            "?amazonDDBClient=#client&enabledInitialDescribeTable=false&operation=BatchGetItems";

    private final VirtualTime time = new VirtualTime();
    private final ReadableTables tables = new ReadableTables();
    private final DynamoDbClient client = TestClients.sendingOnce(tables.endpoint());
    private final DefaultCamelContext context = new DefaultCamelContext();
    private Endpoint delegate;

    @BeforeEach
    void start() {
        context.getRegistry().bind("client", client);
        context.start();
        delegate = context.getEndpoint("aws2-ddb:orders" + OPTIONS);
    }

    @AfterEach
    void stop() {
        context.stop();
        client.close();
        tables.close();
    }

    // ---- Results

    @Test
    void whatIsFoundIsTheResultOfItsKeyAndAMissingKeyHasNone() {
        tables.put("orders", "{\"pk\":{\"S\":\"a\"},\"qty\":{\"N\":\"3\"}}");
        tables.put("orders", "{\"pk\":{\"S\":\"c\"},\"qty\":{\"N\":\"1.50\"}}");

        Ledger ledger = run(keys("a", "b", "c")).ledger();

        assertThat(ledger.landed()).isEqualTo(3);
        assertThat(results(ledger))
                .isEqualTo(mapOf(
                        0L, Map.of("pk", "a", "qty", new BigDecimal("3")),
                        1L, null,
                        2L, Map.of("pk", "c", "qty", new BigDecimal("1.50"))));
        assertThat(ledger.landedItems()).extracting(LedgerItem::body).containsExactlyElementsOf(keys("a", "b", "c"));
    }

    @Test
    void valuesOfEveryTypeComeBackPlain() throws Exception {
        tables.put(
                "orders",
                "{\"pk\":{\"S\":\"a\"},\"b\":{\"B\":\"AQI=\"},\"yes\":{\"BOOL\":true},\"none\":{\"NULL\":true},"
                        + "\"m\":{\"M\":{\"l\":{\"L\":[{\"N\":\"1\"},{\"S\":\"x\"}]}}},\"ss\":{\"SS\":[\"p\",\"q\"]},"
                        + "\"ns\":{\"NS\":[\"1\",\"2.5\"]},\"bs\":{\"BS\":[\"AQ==\"]}}");

        Map<?, ?> found =
                (Map<?, ?>) run(keys("a")).ledger().landedItems().get(0).result();

        assertThat(found.get("b")).isEqualTo(new byte[] {1, 2});
        assertThat(found.get("yes")).isEqualTo(true);
        assertThat(found.containsKey("none")).isTrue();
        assertThat(found.get("none")).isNull();
        assertThat(found.get("m")).isEqualTo(Map.of("l", List.of(BigDecimal.ONE, "x")));
        assertThat(found.get("ss")).isEqualTo(Set.of("p", "q"));
        assertThat(found.get("ns")).isEqualTo(Set.of(BigDecimal.ONE, new BigDecimal("2.5")));
        assertThat((Set<?>) found.get("bs")).singleElement().isEqualTo(new byte[] {1});
        assertThat(new AttributeValues(SimulatedDelegate.MAPPER).ofPlainMap(found))
                .containsEntry("ns", AttributeValue.fromNs(List.of("1", "2.5")))
                .containsEntry("none", AttributeValue.fromNul(true));
    }

    @Test
    void pagesFollowAtOnceAndUseNoRedelivery() {
        IntStream.range(0, 100).forEach(i -> tables.put("orders", "{\"pk\":{\"S\":\"k" + i + "\"}}"));
        tables.pages(() -> 2);

        Ledger ledger = run(keys(IntStream.range(0, 100).mapToObj(i -> "k" + i).toArray(String[]::new)))
                .ledger();

        assertThat(ledger.landedItems()).hasSize(100).allSatisfy(item -> assertThat(item.result())
                .isEqualTo(item.body()));
        assertThat(ledger.requests()).isEqualTo(50);
        assertThat(ledger.rounds()).isEqualTo(50);
        assertThat(ledger.waitedMillis()).isZero();
    }

    @Test
    void aTableWithoutCapacityIsWaitedFor() {
        tables.put("orders", "{\"pk\":{\"S\":\"b\"}}");
        List<Integer> pages = new ArrayList<>(List.of(1, 0, 0, 1));
        tables.pages(() -> pages.remove(0));

        Ledger ledger = run(keys("a", "b")).ledger();

        assertThat(tables.requestedKeys("orders"))
                .containsExactly(List.of("a", "b"), List.of("b"), List.of("b"), List.of("b"));
        assertThat(ledger.waitedMillis()).isEqualTo(3000);
        assertThat(results(ledger)).isEqualTo(mapOf(0L, null, 1L, Map.of("pk", "b")));
    }

    /** The law of reads: each key ends once, with its own item if the table has it, whatever the pages. */
    @Test
    void randomReadsBringEachKeyItsOwnItem() {
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            String table = "t" + seed;
            int size = 1 + random.nextInt(300);
            List<Object> body = new ArrayList<>();
            Map<Long, Object> expected = new HashMap<>();
            for (int i = 0; i < size; i++) {
                String pk = "k" + random.nextInt(200); // Some twice: not in one request.
                body.add(Map.of("pk", pk));
            }
            for (int i = 0; i < size; i++) {
                String pk = (String) ((Map<?, ?>) body.get(i)).get("pk");
                boolean isThere = pk.hashCode() % 3 != 0;
                if (isThere) {
                    tables.put(table, "{\"pk\":{\"S\":\"" + pk + "\"},\"of\":{\"S\":\"" + pk + "\"}}");
                }
                expected.put((long) i, isThere ? Map.of("pk", pk, "of", pk) : null);
            }
            tables.pages(() -> random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(60));
            Endpoint endpoint = context.getEndpoint("aws2-ddb:" + table + OPTIONS);
            BulkApi api = api(endpoint, ItemKey.FROM_API);

            Ledger ledger = ApiRuns.run(
                            api,
                            endpoint,
                            time,
                            body,
                            ApiRuns.options(api).maximumRedeliveries(-1).build())
                    .ledger();

            assertThat(results(ledger)).isEqualTo(expected);
        }
    }

    @Test
    void withoutAKeyARefusalForDuplicatesIsIsolated() {
        tables.put("orders", "{\"pk\":{\"S\":\"a\"}}");
        BulkApi api = api(delegate, ItemKey.NONE);

        Ledger ledger = ApiRuns.run(
                        api,
                        delegate,
                        time,
                        keys("a", "a"),
                        ApiRuns.options(api).build())
                .ledger();

        assertThat(tables.requestedKeys("orders")).containsExactly(List.of("a", "a"), List.of("a"), List.of("a"));
        assertThat(ledger.landed()).isEqualTo(2);
    }

    @Test
    void aMissingTableFailsAtOnce() {
        tables.script(ScriptedReply.of(400, "{\"__type\":\"x#ResourceNotFoundException\",\"message\":\"no table\"}"));

        RunEnd end = run(keys("a", "b"));

        assertThat(end.failure()).hasMessageContaining("no table");
        assertThat(end.ledger().pending()).isEqualTo(2);
    }

    @Test
    void aRouteHandsTheFoundItemsOver() throws Exception {
        tables.put("orders", "{\"pk\":{\"S\":\"a\"},\"qty\":{\"N\":\"3\"}}");
        tables.pages(() -> 1);
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:read").to("batchresidue:aws2-ddb:orders" + OPTIONS);
            }
        });

        Exchange done = context.createProducerTemplate()
                .request("direct:read", exchange -> exchange.getMessage().setBody("[{\"pk\":\"a\"},{\"pk\":\"b\"}]"));

        assertThat(done.getException()).isNull();
        assertThat(done.getMessage().getBody(Ledger.class).landedItems().get(0).result())
                .isEqualTo(Map.of("pk", "a", "qty", new BigDecimal(3)));
        assertThat(done.getMessage().getBody(String.class))
                .contains("\"landedItems\":[{\"index\":0,\"result\":{\"pk\":\"a\",\"qty\":3}},{\"index\":1}]");
    }

    // ---- Requests

    static Stream<Object> wholeRequests() throws Exception {
        String json = "{\"RequestItems\":{\"orders\":{\"Keys\":[{\"pk\":{\"S\":\"a\"}},{\"pk\":{\"S\":\"b\"}}],"
                + "\"ProjectionExpression\":\"#k, qty\",\"ExpressionAttributeNames\":{\"#k\":\"pk\"},"
                + "\"ConsistentRead\":true},\"audit\":{\"Keys\":[{\"pk\":{\"S\":\"x\"}}]}}}";
        Map<?, ?> map = SimulatedDelegate.MAPPER.readValue(json, Map.class);
        return Stream.of(
                new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)),
                map,
                map.get("RequestItems"),
                SimulatedDelegate.MAPPER.readTree(json),
                BatchGetItemRequest.builder()
                        .requestItems(mapOf(
                                "orders",
                                KeysAndAttributes.builder()
                                        .keys(List.of(
                                                Map.of("pk", AttributeValue.fromS("a")),
                                                Map.of("pk", AttributeValue.fromS("b"))))
                                        .projectionExpression("#k, qty")
                                        .expressionAttributeNames(Map.of("#k", "pk"))
                                        .consistentRead(true)
                                        .build(),
                                "audit",
                                KeysAndAttributes.builder()
                                        .keys(List.of(Map.of("pk", AttributeValue.fromS("x"))))
                                        .build()))
                        .build());
    }

    @ParameterizedTest
    @MethodSource("wholeRequests")
    void aWholeRequestKeepsWhatItSaysOfEachTable(Object body) {
        tables.put("orders", "{\"pk\":{\"S\":\"b\"}}");
        tables.put("audit", "{\"pk\":{\"S\":\"x\"}}");
        tables.pages(() -> 1);

        Ledger ledger = run(body).ledger();

        assertThat(ledger.landed()).isEqualTo(3);
        assertThat(results(ledger)).isEqualTo(mapOf(0L, null, 1L, Map.of("pk", "b"), 2L, Map.of("pk", "x")));
        JsonNode second = tables.requests().get(1).get("RequestItems");
        assertThat(second.get("orders").toString())
                .contains("\"ConsistentRead\":true", "\"#k\":\"pk\"", "\"ProjectionExpression\":\"#k, qty\"");
        assertThat(second.get("audit").properties()).hasSize(1);
    }

    @Test
    void aProjectionWithoutTheKeyIsRefused() {
        Map<String, Object> request = Map.of(
                "orders",
                Map.of("Keys", List.of(Map.of("pk", Map.of("S", "a"))), "ProjectionExpression", "qty, note.pk"));

        assertThatThrownBy(() -> api().wholeRequest(request))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("table orders")
                .hasMessageContaining("key attribute pk");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"ConsistentRead\":\"true\"",
                "\"ProjectionExpression\":[\"pk\"]",
                "\"AttributesToGet\":\"pk\"",
                "\"ExpressionAttributeNames\":[]",
                "\"Limit\":1"
            })
    void whatIsSaidOfATableInAWrongFormIsNamed(String member) throws Exception {
        JsonNode request = SimulatedDelegate.MAPPER.readTree(
                "{\"RequestItems\":{\"orders\":{\"Keys\":[{\"pk\":{\"S\":\"a\"}}]," + member + "}}}");

        assertThatThrownBy(() -> api().wholeRequest(request))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("table orders: ")
                .hasMessageContaining(member.substring(1, member.indexOf('"', 1)));
    }

    @Test
    void whatIsNoWholeRequestIsLeftAsItWas() throws Exception {
        for (String text : List.of(
                "[{\"pk\":\"a\"}]", "{\"pk\":\"a\"}", "{\"RequestItems\":7}", "{\"RequestItems\":{\"t\":[]}}", "")) {
            ByteArrayInputStream stream = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));

            assertThat(api().wholeRequest(stream)).isNull();
            assertThat(new String(stream.readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo(text);
        }
        assertThat(api().wholeRequest(Map.of("pk", "a"))).isNull();
        assertThat(api().wholeRequest(List.of())).isNull();
    }

    @Test
    void keysComeInEveryFormAndTheDelegateSaysHowTheyAreRead() throws Exception {
        Endpoint consistent = context.getEndpoint("aws2-ddb:orders" + OPTIONS + "&consistentRead=true");
        BulkApi api = api(consistent, ItemKey.FROM_API);
        BulkItem key = api.item(Map.of("pk", "a", "sk", 1));
        for (Object same : List.of(
                "{\"sk\":1.0,\"pk\":\"a\"}",
                Map.of("pk", AttributeValue.fromS("a"), "sk", AttributeValue.fromN("1")),
                SimulatedDelegate.MAPPER.readTree("{\"pk\":\"a\",\"sk\":1}"))) {
            assertThat(api.item(same).key()).isEqualTo(key.key());
        }
        assertThat(key.safeToResend()).isTrue();
        assertThat(key.bytes()).isPositive();
        assertThat(api.limits().maxItems()).isEqualTo(100);

        ApiRuns.send(api, consistent, List.of(key));

        assertThat(tables.requests()
                        .get(0)
                        .at("/RequestItems/orders/ConsistentRead")
                        .booleanValue())
                .isTrue();
        assertThatThrownBy(() -> api.item("{\"PutRequest\":{\"Item\":{\"pk\":{\"S\":\"a\"}}}}"))
                .isInstanceOf(InvalidItemException.class);
        assertThatThrownBy(() -> api.item(7)).isInstanceOf(InvalidItemException.class);
    }

    // ---- Replies

    static Stream<JsonNode> fixtures() throws Exception {
        return SimulatedDelegate.MAPPER
                .readTree(DynamoDbReadTest.class.getResourceAsStream("read-fixtures.json"))
                .valueStream();
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void theWireFixturesAreReadAsTheSheetSays(JsonNode fixture) {
        tables.script(ScriptedReply.of(
                fixture.get("status").asInt(), fixture.get("reply").toString()));

        Reply reply = ApiRuns.send(api(), delegate, items(fixture.get("request")));

        assertThat(tables.requests().get(0)).isEqualTo(fixture.get("request"));
        if (fixture.get("requestClass").asText().equals("retry")) {
            assertThat(reply).isInstanceOf(Reply.Throttled.class);
        } else {
            assertThat(kinds(reply))
                    .isEqualTo(fixture.get("verdicts")
                            .valueStream()
                            .map(word ->
                                    word.asText().equals("landed") ? Verdict.Kind.LANDED : Verdict.Kind.NOT_REACHED)
                            .toList());
            assertThat(((Reply.Verdicts) reply).verdicts().get(0).result()).isNotNull();
        }
    }

    @Test
    void whatIsNotTheServicesAnswerIsUnknown() {
        for (String text : List.of(
                "{}",
                "<html>",
                "{\"Responses\":{}}",
                "{\"UnprocessedKeys\":{}}",
                "{\"Responses\":{\"orders\":[{\"pk\":{\"S\":\"zz\"}}]},\"UnprocessedKeys\":{}}",
                "{\"Responses\":{},\"UnprocessedKeys\":{\"orders\":{\"Keys\":[{\"pk\":{\"S\":\"zz\"}}]}}}")) {
            tables.script(ScriptedReply.of(200, text));

            assertThat(kinds(ApiRuns.send(api(), delegate, items("a", "b"))))
                    .as(text)
                    .containsOnly(Verdict.Kind.UNKNOWN);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"orders\":null} | {}",
                "{\"orders\":[null]} | {}",
                "{\"orders\":[{}]} | {}",
                "{\"orders\":[{\"pk\":null}]} | {}",
                "{\"orders\":[{\"pk\":{\"S\":\"b\"},\"qty\":null}]} | {}",
                "{\"orders\":[{\"pk\":{\"S\":\"b\"},\"qty\":{}}]} | {}",
                "{\"orders\":[{\"pk\":{\"S\":\"b\"},\"qty\":{\"N\":\"few\"}}]} | {}",
                "{\"orders\":[{\"pk\":{\"S\":\"b\"},\"qty\":{\"L\":[{\"M\":{\"a\":null}}]}}]} | {}",
                "{\"orders\":[7]} | {}",
                "{\"orders\":{}} | {}",
                "{} | {\"orders\":null}",
                "{} | {\"orders\":{}}",
                "{} | {\"orders\":[]}",
                "{} | {\"orders\":{\"Keys\":null}}",
                "{} | {\"orders\":{\"Keys\":{}}}",
                "{} | {\"orders\":{\"Keys\":[null]}}",
                "{} | {\"orders\":{\"Keys\":[{}]}}"
            })
    void whatIsAnsweredInABrokenFormProvesNoReading(String parts) {
        String[] each = parts.split(" \\| ");
        String answer = "{\"Responses\":" + each[0] + ",\"UnprocessedKeys\":" + each[1] + "}";
        tables.script(ScriptedReply.of(200, answer));
        Exchange mock = new DefaultExchange(context);
        mock.getMessage().setBody(answer);

        assertThat(kinds(ApiRuns.send(api(), delegate, items("a", "b")))).containsOnly(Verdict.Kind.UNKNOWN);
        assertThat(kinds(api().read(items("a", "b"), mock))).containsOnly(Verdict.Kind.UNKNOWN);
    }

    /** It would match whatever is found. */
    @Test
    void aKeyWithoutAttributesIsNone() {
        for (Object element : List.of(Map.of(), "{}")) {
            assertThatThrownBy(() -> api().item(element))
                    .isInstanceOf(InvalidItemException.class)
                    .hasMessageContaining("the table's key");
        }
        List<Object> elements = new ArrayList<>();
        api().wholeRequest(Map.of("orders", Map.of("Keys", List.of(Map.of())))).forEachRemaining(elements::add);
        assertThatThrownBy(() -> api().item(elements.get(0))).isInstanceOf(InvalidItemException.class);
        assertThat(api().wholeRequest(Map.of())).isNull();
    }

    @Test
    void theAnswerOfAMockIsRead() throws Exception {
        String json = "{\"Responses\":{\"orders\":[{\"pk\":{\"S\":\"a\"}}]},"
                + "\"UnprocessedKeys\":{\"orders\":{\"Keys\":[{\"pk\":{\"S\":\"b\"}}]}}}";
        Exchange inBody = new DefaultExchange(context);
        Exchange inHeaders = new DefaultExchange(context);
        Map<?, ?> map = SimulatedDelegate.MAPPER.readValue(json, Map.class);
        inBody.getMessage().setBody(json);
        inHeaders.getMessage().setHeader("CamelAwsDdbBatchResponse", map.get("Responses"));
        inHeaders.getMessage().setHeader("CamelAwsDdbUnprocessedKeys", map.get("UnprocessedKeys"));
        for (Exchange answer : Arrays.asList(inBody, inHeaders)) {
            assertThat(kinds(api().read(items("a", "b", "c"), answer)))
                    .containsExactly(Verdict.Kind.LANDED, Verdict.Kind.NOT_REACHED, Verdict.Kind.LANDED);
        }
    }

    @Test
    void refusalsForCountAreHalved() {
        tables.script(ScriptedReply.of(
                400,
                "{\"__type\":\"x#ValidationException\",\"message\":\"Too many items requested for the BatchGetItem"
                        + " call.\"}"));

        assertThat(ApiRuns.send(api(), delegate, items("a", "b"))).isInstanceOf(Reply.TooLarge.class);
    }

    @Test
    void whatIsUnknownIsReadAgain() {
        tables.script(ScriptedReply.of(200, "{}"));

        Ledger ledger = run(keys("a")).ledger();

        assertThat(ledger.landed()).isEqualTo(1);
        assertThat(ledger.givenUpItems()).extracting(LedgerItem::reason).doesNotContain(Reason.UNKNOWN_OUTCOME);
        assertThat(tables.requests()).hasSize(2);
    }

    private BulkApi api() {
        return api(delegate, ItemKey.FROM_API);
    }

    private BulkApi api(Endpoint endpoint, ItemKey itemKey) {
        return new DynamoDbProvider()
                .create(new BulkApiContext(context, endpoint, Map.of(), itemKey, SimulatedDelegate.MAPPER));
    }

    private RunEnd run(Object body) {
        return ApiRuns.run(api(), delegate, time, body, ApiRuns.options(api()).build());
    }

    private List<BulkItem> items(String... keys) {
        return keys(keys).stream().map(this::item).toList();
    }

    private List<BulkItem> items(JsonNode request) {
        List<BulkItem> items = new ArrayList<>();
        api().wholeRequest(request).forEachRemaining(element -> items.add(item(element)));
        return items;
    }

    private BulkItem item(Object element) {
        try {
            return api().item(element);
        } catch (InvalidItemException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static List<Object> keys(String... keys) {
        return Arrays.stream(keys).<Object>map(key -> Map.of("pk", key)).toList();
    }

    private static Map<Long, Object> results(Ledger ledger) {
        Map<Long, Object> results = new HashMap<>();
        ledger.landedItems().forEach(item -> results.put(item.index(), item.result()));
        return results;
    }

    /** In order, and with nulls. */
    private static <K, V> Map<K, V> mapOf(K key1, V value1, K key2, V value2) {
        Map<K, V> map = new LinkedHashMap<>();
        map.put(key1, value1);
        map.put(key2, value2);
        return map;
    }

    private static Map<Long, Object> mapOf(
            Long key1, Object value1, Long key2, Object value2, Long key3, Object value3) {
        Map<Long, Object> map = mapOf(key1, value1, key2, value2);
        map.put(key3, value3);
        return map;
    }

    private static List<Verdict.Kind> kinds(Reply reply) {
        return ((Reply.Verdicts) reply).verdicts().stream().map(Verdict::kind).toList();
    }
}
