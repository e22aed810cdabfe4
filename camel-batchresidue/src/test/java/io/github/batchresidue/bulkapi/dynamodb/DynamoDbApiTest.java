/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkApiContext;
import io.github.batchresidue.bulkapi.BulkApiProvider;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.ItemKey;
import io.github.batchresidue.bulkapi.MissingJars;
import io.github.batchresidue.bulkapi.Warnings;
import io.github.batchresidue.bulkapi.aws.ClientRetries;
import io.github.batchresidue.bulkapi.aws.TestClients;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Verdict;
import io.github.batchresidue.simulators.ScriptedReply;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.apache.camel.CamelExecutionException;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

class DynamoDbApiTest {

    private final SimulatedDelegate delegate = new SimulatedDelegate();

    @AfterEach
    void stop() {
        delegate.close();
    }

    // ---- The provider

    @Test
    void theProviderIsFoundAndKnowsItsDelegates() {
        BulkApiProvider provider = provider();

        assertThat(provider.names()).containsExactly("dynamodb");
        assertThat(provider.isSpokenBy(delegate.endpoint)).isTrue();
        assertThat(provider.isSpokenBy(delegate.context.getEndpoint("direct:aws2-ddb")))
                .isFalse();
        assertThat(provider.create(context(delegate.endpoint, Map.of(), ItemKey.FROM_API))
                        .limits()
                        .maxItems())
                .isEqualTo(25);
    }

    @Test
    void namedWithoutItsJarItFailsWithTheCoordinates() throws Exception {
        assertThat(MissingJars.failureWithout("camel-aws2-ddb-|dynamodb-", "dynamodb"))
                .contains("bulkApi=dynamodb needs on the class path: org.apache.camel:camel-aws2-ddb");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UpdateItem", "Query", "Scan"})
    void anOperationThatIsNoWriteFailsAtCreation(String operation) {
        try (SimulatedDelegate other = new SimulatedDelegate("&operation=" + operation)) {
            assertThatThrownBy(other::api)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("operation=" + operation)
                    .hasMessageContaining("DeleteItem");
        }
    }

    @Test
    void theTableIsNamedOnce() {
        assertThatThrownBy(() -> provider().create(context(delegate.endpoint, Map.of("table", "x"), ItemKey.FROM_API)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bulkApi.table=x");
    }

    // ---- Items

    @Test
    void aPlainItemMeansWhatTheOperationSays() throws Exception {
        try (SimulatedDelegate deleting = new SimulatedDelegate("&operation=DeleteItem")) {
            Operation delete = (Operation) deleting.api(ItemKey.NONE).item(Map.of("pk", "a"));
            Operation put = (Operation) delegate.api(ItemKey.NONE).item(Map.of("pk", "a"));

            assertThat(delete.request().deleteRequest().key()).containsOnlyKeys("pk");
            assertThat(put.request().putRequest().item()).containsOnlyKeys("pk");
            assertThat(put.table()).isEqualTo("orders");
            assertThat(put.body()).isEqualTo(Map.of("pk", "a"));
            assertThat(put.safeToResend()).isTrue();
        }
    }

    @Test
    void theKeyIsThatOfTheTable() throws Exception {
        delegate.tables.createTable("orders").partitionKey("pk", "N").sortKey("sk", "S");
        DynamoDbApi api = delegate.api();

        BulkItem item = api.item("{\"pk\":1,\"sk\":\"a\",\"x\":1}");
        assertThat(item.key()).isNotNull();
        assertThat(item.id()).isEqualTo("1/a");
        assertThat(api.item(Map.of("pk", 1.0, "sk", "a", "x", 2)).key()).isEqualTo(item.key());
        assertThat(api.item("{\"DeleteRequest\":{\"Key\":{\"sk\":{\"S\":\"a\"},\"pk\":{\"N\":\"1E0\"}}}}")
                        .key())
                .isEqualTo(item.key());
        assertThat(api.item(Map.of("pk", 1, "sk", "b")).key()).isNotEqualTo(item.key());
        assertThat(api.item(Map.of("pk", "1", "sk", "a")).key()).isNotEqualTo(item.key());
        assertThat(api.item(Map.of("pk", 1)).key()).isNull();
        assertThat(delegate.tables.described()).containsExactly("orders");
    }

    @Test
    void theKeyIncludesTheTable() throws Exception {
        delegate.tables.createTable("orders");
        delegate.tables.createTable("audit");
        DynamoDbApi api = delegate.api();
        List<Object> keys = new ArrayList<>();
        api.wholeRequest(stream("{\"RequestItems\":{\"orders\":[" + PUT_A + "],\"audit\":[" + PUT_A + "]}}"))
                .forEachRemaining(element -> keys.add(item(api, element).key()));

        assertThat(keys).doesNotContainNull().doesNotHaveDuplicates().hasSize(2);
    }

    @Test
    void fieldsMakeAKey() throws Exception {
        DynamoDbApi api = delegate.api(ItemKey.parse("/who/id, kind"));

        BulkItem item = api.item(Map.of("who", Map.of("id", 1), "kind", "a"));
        assertThat(item.key()).isNotNull();
        assertThat(item.id()).isNull();
        assertThat(api.item("{\"kind\":\"a\",\"who\":{\"id\":1.00},\"x\":2}").key())
                .isEqualTo(item.key());
        assertThat(api.item(Map.of("who", Map.of("id", 2), "kind", "a")).key()).isNotEqualTo(item.key());
        assertThat(api.item(Map.of("who", Map.of(), "kind", "a")).key()).isNull();
        assertThat(api.item(Map.of("who", "b", "kind", "a")).key()).isNull();
        assertThat(delegate.tables.described()).isEmpty();
    }

    @Test
    void aFunctionMakesAKeyOfTheBody() throws Exception {
        DynamoDbApi api = delegate.api(ItemKey.of(body -> body.toString().length() > 20 ? null : body));

        assertThat(api.item("{\"pk\":\"a\"}").key())
                .isEqualTo(api.item("{\"pk\":\"a\"}").key());
        assertThat(api.item("{\"pk\":\"a\"}").key())
                .isNotEqualTo(api.item("{\"pk\":\"b\"}").key());
        assertThat(api.item("{\"pk\":\"a\",\"other\":\"bbbbbb\"}").key()).isNull();
        assertThat(delegate.api(ItemKey.NONE).item("{\"pk\":\"a\"}").key()).isNull();
    }

    // ---- Requests

    @Test
    void theRequestKeepsTablesItemsAndEnvelopeInOrder() {
        DynamoDbApi api = delegate.api(ItemKey.NONE);
        WriteRequest a = put("a");
        WriteRequest b = put("b");
        BatchWriteItemRequest whole = BatchWriteItemRequest.builder()
                .requestItems(Map.of("z", List.of(a, b)))
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                .build();
        List<BulkItem> items = new ArrayList<>();
        api.wholeRequest(whole).forEachRemaining(element -> items.add(item(api, element)));
        items.add(item(api, new TableOperation("y", a, null)));
        items.add(item(api, new TableOperation("z", put("c"), null)));
        Exchange exchange = new DefaultExchange(delegate.context);

        api.write(items, exchange);

        BatchWriteItemRequest request = exchange.getMessage().getBody(BatchWriteItemRequest.class);
        assertThat(request.requestItems().entrySet())
                .extracting(Map.Entry::getKey, Map.Entry::getValue)
                .containsExactly(tuple("z", List.of(a, b, put("c"))), tuple("y", List.of(a)));
        assertThat(request.returnConsumedCapacity()).isEqualTo(ReturnConsumedCapacity.TOTAL);
        assertThat(exchange.getMessage().getHeader("CamelAwsDdbBatchWriteItems"))
                .isEqualTo(request.requestItems());
    }

    @Test
    void aClientThatRetriesIsWarnedAboutOnce() throws Exception {
        delegate.tables.createTable("orders");
        Warnings warnings = new Warnings(ClientRetries.class);
        try (DynamoDbClient retrying =
                TestClients.withDefaults(delegate.tables.endpoint()).build()) {
            delegate.context.getRegistry().bind("retrying", retrying);
            Endpoint endpoint = delegate.context.getEndpoint(
                    "aws2-ddb:orders?amazonDDBClient=#retrying&enabledInitialDescribeTable=false");
            DynamoDbApi api = new DynamoDbApi(context(endpoint, Map.of(), ItemKey.NONE));
            Processor sender = api.sender(endpoint);
            for (int i = 0; i < 2; i++) {
                Exchange exchange = new DefaultExchange(delegate.context);
                api.write(items(), exchange);
                sender.process(exchange);
                assertThat(kinds(api.read(items(), exchange))).containsOnly(Verdict.Kind.LANDED);
            }
        }
        delegate.api().sender(delegate.endpoint);

        assertThat(warnings.stop())
                .singleElement()
                .asString()
                .contains("up to 9 times", "amazonDDBClient", "doNotRetry");
    }

    // ---- Replies over the wire

    static Stream<JsonNode> fixtures() throws Exception {
        JsonNode fixtures =
                SimulatedDelegate.MAPPER.readTree(DynamoDbApiTest.class.getResourceAsStream("fixtures.json"));
        return fixtures.get("replies").valueStream().peek(reply -> ((ObjectNode) reply)
                .set("request", fixtures.get("request")));
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void theWireFixturesAreReadAsTheSheetSays(JsonNode fixture) throws Exception {
        DynamoDbApi api = delegate.api(ItemKey.NONE);
        List<BulkItem> items = new ArrayList<>();
        api.wholeRequest(fixture.get("request")).forEachRemaining(element -> items.add(item(api, element)));

        Reply reply = answer(api, items, fixture);

        switch (fixture.get("requestClass").asText()) {
            case "inspect" -> assertThat(kinds(reply)).isEqualTo(expected(fixture));
            case "retry" ->
                assertThat(
                                reply instanceof Reply.TransportFailed failed
                                        ? failed.nothingLanded()
                                        : reply instanceof Reply.Throttled)
                        .isTrue();
            case "split" -> assertThat(reply).isInstanceOf(Reply.TooLarge.class);
            case "terminal" ->
                assertThat(((Reply.Rejected) reply).nothingLanded()).isTrue();
            default -> {
                if (reply instanceof Reply.TransportFailed failed) {
                    assertThat(failed.nothingLanded()).isFalse();
                } else {
                    assertThat(kinds(reply)).isEqualTo(expected(fixture));
                }
            }
        }
    }

    private Reply answer(DynamoDbApi api, List<BulkItem> items, JsonNode fixture) throws Exception {
        String failure = fixture.path("transportFailure").asText();
        if (failure.equals("connect")) {
            return failing(api, items, TestClients.sendingOnce(URI.create("http://127.0.0.1:1")));
        }
        if (failure.equals("read-timeout")) {
            delegate.tables.script(List.of(ScriptedReply.of(ScriptedReply.Fault.HANG)));
            return failing(api, items, TestClients.impatient(delegate.tables.endpoint()));
        }
        delegate.tables.script(List.of(ScriptedReply.of(
                fixture.get("status").asInt(), fixture.get("replyBody").asText())));
        return delegate.send(api, items);
    }

    private Reply failing(DynamoDbApi api, List<BulkItem> items, DynamoDbClient client) {
        Exchange exchange = new DefaultExchange(delegate.context);
        api.write(items, exchange);
        try {
            client.batchWriteItem(exchange.getMessage().getBody(BatchWriteItemRequest.class));
        } catch (RuntimeException e) {
            exchange.setException(new CamelExecutionException("wrapped", exchange, e));
        }
        return api.read(items, exchange);
    }

    private static List<Verdict.Kind> expected(JsonNode fixture) {
        return fixture.get("verdicts")
                .valueStream()
                .map(word -> switch (word.asText()) {
                    case "landed" -> Verdict.Kind.LANDED;
                    case "retry" -> Verdict.Kind.RESIDUE;
                    default -> Verdict.Kind.UNKNOWN;
                })
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Too many items requested for the BatchWriteItem call",
                "1 validation error detected: Value '{orders=[]}' at 'requestItems' failed to satisfy constraint: Map"
                        + " value must satisfy constraint: [Member must have length less than or equal to 25]",
                "Item size has exceeded the maximum allowed size"
            })
    void aRefusalForCountOrSizeIsHalved(String message) {
        assertThat(errorReply(400, "ValidationException", message)).isInstanceOf(Reply.TooLarge.class);
    }

    @Test
    void otherErrorsOfTheService() {
        assertThat(errorReply(400, "ValidationException", "The provided key element does not match the schema"))
                .isInstanceOf(Reply.Rejected.class);
        assertThat(errorReply(400, "ItemCollectionSizeLimitExceededException", "Collection size exceeded."))
                .isInstanceOf(Reply.Rejected.class);
        assertThat(errorReply(400, "SerializationException", "not the type expected"))
                .isInstanceOf(Reply.Rejected.class);
        assertThat(errorReply(409, "ReplicatedWriteConflictException", "another Region"))
                .isInstanceOf(Reply.Throttled.class);
        assertThat(errorReply(400, "ResourceNotFoundException", "Requested resource not found"))
                .isInstanceOf(Reply.Refused.class);
    }

    private Reply errorReply(int status, String code, String message) {
        delegate.tables.script(
                List.of(ScriptedReply.of(status, "{\"__type\":\"x#" + code + "\",\"message\":\"" + message + "\"}")));
        return delegate.send(delegate.api(ItemKey.NONE), items());
    }

    // ---- Replies of other delegates

    static Stream<Object> answers() throws Exception {
        String json = "{\"UnprocessedItems\":{\"orders\":[" + put1("b") + "]}}";
        return Stream.of(
                json,
                json.getBytes(StandardCharsets.UTF_8),
                stream(json),
                SimulatedDelegate.MAPPER.readTree(json),
                SimulatedDelegate.MAPPER.readValue(json, Map.class),
                Map.of("UnprocessedItems", Map.of("orders", List.of(put("b")))),
                BatchWriteItemResponse.builder()
                        .unprocessedItems(Map.of("orders", List.of(put("b"))))
                        .build());
    }

    @ParameterizedTest
    @MethodSource("answers")
    void anAnswerIsReadInEveryForm(Object body) {
        assertThat(kinds(read(body))).containsExactly(Verdict.Kind.LANDED, Verdict.Kind.RESIDUE);
    }

    @Test
    void theHeaderOfLaterCamelVersionsIsRead() {
        DynamoDbApi api = delegate.api(ItemKey.NONE);
        Exchange exchange = new DefaultExchange(delegate.context);
        api.write(items(), exchange);
        exchange.getMessage().setHeader("CamelAwsDdbBatchWriteUnprocessedItems", Map.of("orders", List.of(put("a"))));

        assertThat(kinds(api.read(items(), exchange))).containsExactly(Verdict.Kind.RESIDUE, Verdict.Kind.LANDED);

        exchange.getMessage().setHeader("CamelAwsDdbBatchWriteUnprocessedItems", Map.of());
        assertThat(kinds(api.read(items(), exchange))).containsOnly(Verdict.Kind.LANDED);
    }

    static Stream<Object> noAnswers() throws Exception {
        return Stream.of(
                "",
                "null",
                "{}",
                "[]",
                "7",
                "<html>",
                "{\"UnprocessedItems\":null}",
                "{\"UnprocessedItems\":[]}",
                "{\"UnprocessedItems\":{}} {}",
                "{\"UnprocessedItems\":{",
                Map.of(),
                7,
                SimulatedDelegate.MAPPER.readTree("[]"),
                SimulatedDelegate.MAPPER.readTree("null"),
                BatchWriteItemResponse.builder().build(),
                BatchWriteItemRequest.builder().build());
    }

    @ParameterizedTest
    @MethodSource("noAnswers")
    void whatIsNotTheServicesAnswerIsUnknown(Object body) {
        assertThat(kinds(read(body))).containsExactly(Verdict.Kind.UNKNOWN, Verdict.Kind.UNKNOWN);
    }

    @Test
    void noBodyAtAllIsUnknown() {
        assertThat(kinds(read(null))).containsExactly(Verdict.Kind.UNKNOWN, Verdict.Kind.UNKNOWN);
    }

    static Stream<String> brokenEchoes() {
        return Stream.of(
                "null",
                "{}",
                "\"x\"",
                "[null]",
                "[[]]",
                "[{}]",
                "[{\"PutRequest\":null}]",
                "[{\"PutRequest\":{}}]",
                "[{\"PutRequest\":{\"Item\":null}}]",
                "[{\"PutRequest\":{\"Item\":{\"pk\":null}}}]",
                "[{\"PutRequest\":{\"Item\":{\"pk\":{}}}}]",
                "[{\"PutRequest\":{\"Item\":{\"pk\":{\"M\":{\"a\":null}}}}}]",
                "[{\"PutRequest\":{\"Item\":{\"pk\":{\"NS\":[null]}}}}]");
    }

    @ParameterizedTest
    @MethodSource("brokenEchoes")
    void whatIsLeftInABrokenFormProvesNoLanding(String echoes) {
        String answer = "{\"UnprocessedItems\":{\"orders\":" + echoes + "}}";
        delegate.tables.script(List.of(ScriptedReply.of(200, answer)));

        assertThat(kinds(delegate.send(delegate.api(ItemKey.NONE), items()))).containsOnly(Verdict.Kind.UNKNOWN);
        assertThat(kinds(read(answer))).containsOnly(Verdict.Kind.UNKNOWN);
    }

    @Test
    void anItemWithoutAttributesIsNone() {
        for (Object element : List.of(Map.of(), "{}", "{\"DeleteRequest\":{\"Key\":{}}}")) {
            assertThatThrownBy(() -> delegate.api(ItemKey.NONE).item(element))
                    .isInstanceOf(InvalidItemException.class)
                    .hasMessageContaining("the table's key");
        }
    }

    @Test
    void aListThatCannotBeReadLeavesTheNamedResidue() {
        assertThat(kinds(read("{\"UnprocessedItems\":{\"orders\":[" + put1("b") + "],\"x\":7}}")))
                .containsExactly(Verdict.Kind.UNKNOWN, Verdict.Kind.RESIDUE);
    }

    @Test
    void anotherDelegateNeedsATableForPlainItems() throws Exception {
        Endpoint direct = delegate.context.getEndpoint("direct:writes");

        BulkApi without = provider().create(context(direct, Map.of(), ItemKey.FROM_API));
        assertThatThrownBy(() -> without.item(Map.of("pk", "a")))
                .isInstanceOf(InvalidItemException.class)
                .hasMessageContaining("bulkApi.table");
        assertThat(without.sender(direct)).isNull();

        BulkApi with = provider().create(context(direct, Map.of("table", "t"), ItemKey.FROM_API));
        assertThat(((Operation) with.item(Map.of("pk", "a"))).table()).isEqualTo("t");
        assertThat(with.item(Map.of("pk", "a")).key()).isNull();
    }

    private static final String PUT_A = put1("a");

    private static String put1(String key) {
        return "{\"PutRequest\":{\"Item\":{\"pk\":{\"S\":\"" + key + "\"}}}}";
    }

    private static WriteRequest put(String key) {
        return WriteRequest.builder()
                .putRequest(put -> put.item(Map.of("pk", AttributeValue.fromS(key))))
                .build();
    }

    private Reply read(Object body) {
        Exchange exchange = new DefaultExchange(delegate.context);
        exchange.getMessage().setBody(body);
        return delegate.api(ItemKey.NONE).read(items(), exchange);
    }

    private List<BulkItem> items() {
        DynamoDbApi api = delegate.api(ItemKey.NONE);
        return List.of(item(api, Map.of("pk", "a")), item(api, Map.of("pk", "b")));
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

    private BulkApiContext context(Endpoint endpoint, Map<String, String> options, ItemKey itemKey) {
        return new BulkApiContext(delegate.context, endpoint, options, itemKey, SimulatedDelegate.MAPPER);
    }

    private static BulkApiProvider provider() {
        return ServiceLoader.load(BulkApiProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.names().contains("dynamodb"))
                .findFirst()
                .orElseThrow();
    }

    private static ByteArrayInputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
}
