/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.sqs;

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
import io.github.batchresidue.bulkapi.Warnings;
import io.github.batchresidue.bulkapi.aws.BatchEntry;
import io.github.batchresidue.bulkapi.aws.ClientRetries;
import io.github.batchresidue.engine.Reason;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.component.aws2.sqs.MessageDeduplicationIdStrategy;
import org.apache.camel.component.aws2.sqs.MessageGroupIdStrategy;
import org.apache.camel.component.aws2.sqs.Sqs2Endpoint;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeValue;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

class SqsApiTest {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String FIFO = "orders.fifo?messageGroupIdStrategy=useConstant&";

    private final DefaultCamelContext context = new DefaultCamelContext();
    private final ScriptedQueues queues = new ScriptedQueues();
    /** Confirms any text, so that fixtures need no true checksums. */
    private final SqsClient client =
            queues.builder().checksumValidationEnabled(false).build();

    private Sqs2Endpoint endpoint;

    @BeforeEach
    void start() {
        context.getRegistry().bind("client", client);
        context.start();
    }

    @AfterEach
    void stop() {
        context.stop();
        client.close();
        queues.close();
    }

    // ---- Which operation

    @ParameterizedTest
    @CsvSource({
        "orders, SendMessageBatch",
        "orders?operation=sendBatchMessage, SendMessageBatch",
        "orders?operation=deleteMessage, DeleteMessageBatch",
        "orders?bulkApi.operation=changeMessageVisibility&bulkApi.visibilityTimeout=5, ChangeMessageVisibilityBatch"
    })
    void theDelegatesOperationDecides(String uri, String operation) throws Exception {
        SqsApi api = api(uri);
        queues.answer(200, "{\"Successful\":[{\"Id\":\"{{id:0}}\"}]}");

        Reply reply = ApiRuns.send(api, endpoint, List.of(api.item("a")));

        assertThat(kinds(reply)).containsExactly(Verdict.Kind.LANDED);
        JsonNode request = queues.batches().get(0);
        assertThat(request.get("QueueUrl").asText()).endsWith("/orders");
        assertThat(request.at("/Entries/0").has(operation.equals("SendMessageBatch") ? "MessageBody" : "ReceiptHandle"))
                .isTrue();
        assertThat(request.at("/Entries/0").has("VisibilityTimeout")).isEqualTo(operation.startsWith("Change"));
        assertThat(queues.operations()).contains("GetQueueUrl");
        assertThat(queues.operations().contains(operation)).isNotEqualTo(operation.equals("SendMessageBatch"));
    }

    @ParameterizedTest
    @CsvSource({
        "operation=purgeQueue, operation=purgeQueue",
        "operation=deleteMessage&bulkApi.operation=changeMessageVisibility, bulkApi.operation=changeMessageVisibility",
        "bulkApi.operation=purge, bulkApi.operation=purge",
        "bulkApi.queueUrl=http://q, bulkApi.queueUrl=http://q",
        "bulkApi.maximumMessageSize=1023, bulkApi.maximumMessageSize=1023",
        "bulkApi.maximumMessageSize=1048577, bulkApi.maximumMessageSize=1048577",
        "bulkApi.maximumMessageSize=much, bulkApi.maximumMessageSize=much",
        "bulkApi.visibilityTimeout=5, bulkApi.visibilityTimeout=5",
        "operation=deleteMessage&bulkApi.visibilityTimeout=5, bulkApi.visibilityTimeout=5",
        "operation=deleteMessage&bulkApi.maximumMessageSize=2048, bulkApi.maximumMessageSize=2048",
        "bulkApi.operation=changeMessageVisibility&bulkApi.visibilityTimeout=43201, bulkApi.visibilityTimeout=43201"
    })
    void badOptionsFailAtCreation(String options, String named) {
        assertThatThrownBy(() -> api("orders?" + options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(named + ": ");
    }

    @Test
    void itIsRegisteredAndToldFromTheDelegate() throws Exception {
        BulkApiProvider provider = ServiceLoader.load(BulkApiProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(known -> known.names().contains("sqs"))
                .findFirst()
                .orElseThrow();
        api("orders");

        assertThat(provider.isSpokenBy(endpoint)).isTrue();
        assertThat(provider.isSpokenBy(context.getEndpoint("mock:aws2-sqs"))).isFalse();
        assertThat(MissingJars.failureWithout("camel-aws2-sqs-|sqs-", "sqs"))
                .contains("bulkApi=sqs needs on the class path: org.apache.camel:camel-aws2-sqs");
    }

    @Test
    void aClientThatRepeatsRequestsIsWarnedOf() throws Exception {
        context.getRegistry()
                .bind(
                        "client",
                        SqsClient.builder()
                                .region(client.serviceClientConfiguration().region())
                                .build());
        SqsApi api = api("orders?queueUrl=http://q");
        Warnings warnings = new Warnings(ClientRetries.class);

        api.sender(endpoint);
        api.write(List.of(api.item("a")), new DefaultExchange(context));

        assertThat(warnings.stop()).singleElement().asString().contains("amazonSQSClient");
    }

    // ---- What an answer means

    static Stream<JsonNode> fixtures() throws Exception {
        return MAPPER.readTree(SqsApiTest.class.getResourceAsStream("fixtures.json"))
                .get("replies")
                .valueStream();
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void theWireFixturesAreReadAsTheSheetSays(JsonNode fixture) throws Exception {
        SqsApi api = api(FIFO);
        JsonNode request = MAPPER.readTree(SqsApiTest.class.getResourceAsStream("fixtures.json"))
                .get("request");
        List<BulkItem> items = new ArrayList<>();
        for (JsonNode entry : request.get("Entries")) {
            items.add(api.item(entry));
        }
        String body = fixture.get("replyBody").asText();
        for (int i = 0; i < items.size(); i++) {
            body = body.replace("\"m" + i + "\"", "\"{{id:" + i + "}}\"");
        }
        queues.answer(fixture.get("status").asInt(), body);

        Reply reply = ApiRuns.send(api, endpoint, items);

        switch (fixture.get("requestClass").asText()) {
            case "inspect" ->
                assertThat(kinds(reply))
                        .isEqualTo(fixture.get("verdicts")
                                .valueStream()
                                .map(verdict -> verdict.asText().equals("retry") ? "RESIDUE" : verdict.asText())
                                .map(verdict -> Verdict.Kind.valueOf(verdict.toUpperCase()))
                                .toList());
            case "retry" -> assertThat(reply).isInstanceOf(Reply.Throttled.class);
            case "split" -> assertThat(reply).isInstanceOf(Reply.TooLarge.class);
            case "terminal" ->
                assertThat(((Reply.Rejected) reply).nothingLanded()).isTrue();
            default -> throw new IllegalArgumentException(fixture.toString());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "400, AWS.SimpleQueueService.TooManyEntriesInBatchRequest, TooLarge",
        "400, TooManyEntriesInBatchRequest, TooLarge",
        "400, BatchRequestTooLong, TooLarge",
        "400, InvalidParameterValue, Rejected",
        "400, MissingParameter, Rejected",
        "403, RequestThrottled, Throttled",
        "400, KmsThrottled, Throttled",
        "400, KMS.ThrottlingException, Throttled",
        "403, OverLimit, Throttled",
        "400, AWS.SimpleQueueService.NonExistentQueue, Refused",
        "400, QueueDoesNotExist, Refused",
        "400, UnsupportedOperation, Refused",
        "400, KmsAccessDenied, Refused",
        "403, AccessDenied, Refused",
        "500, InternalError, TransportFailed",
        "503, ServiceUnavailable, TransportFailed"
    })
    void aRequestThatFailsAsAWhole(int status, String code, String reply) throws Exception {
        SqsApi api = api("orders");
        queues.answer(status, "{\"__type\":\"com.amazonaws.sqs#" + code + "\",\"message\":\"said so\"}");

        assertThat(ApiRuns.send(api, endpoint, List.of(api.item("a")))
                        .getClass()
                        .getSimpleName())
                .isEqualTo(reply);
    }

    @ParameterizedTest
    @CsvSource({
        "true, InvalidMessageContents, TERMINAL",
        "false, InvalidMessageContents, RESIDUE",
        "true, ReceiptHandleIsInvalid, TERMINAL",
        "true, RequestThrottled, RESIDUE",
        "true, AWS.SimpleQueueService.OverLimit, RESIDUE",
        "true, KmsThrottled, RESIDUE",
        "true, KMS.ThrottlingException, RESIDUE",
        "true, KmsDisabled, TERMINAL",
        "false, InternalError, RESIDUE"
    })
    void theFaultDecidesButForWhatHeals(boolean isSendersFault, String code, Verdict.Kind kind) throws Exception {
        SqsApi api = api("orders");
        queues.answer(
                200,
                "{\"Failed\":[{\"Id\":\"{{id:0}}\",\"SenderFault\":" + isSendersFault + ",\"Code\":\"" + code
                        + "\",\"Message\":\"said so\"}]}");

        Reply.Verdicts reply = (Reply.Verdicts) ApiRuns.send(api, endpoint, List.of(api.item("a")));

        assertThat(reply.verdicts()).singleElement().satisfies(verdict -> {
            assertThat(verdict.kind()).isEqualTo(kind);
            assertThat(verdict.failure().status()).isEqualTo(200);
            assertThat(verdict.failure().code()).isEqualTo(code.replace("AWS.SimpleQueueService.", ""));
            assertThat(verdict.failure().message()).isEqualTo("said so");
        });
    }

    @Test
    void aTextThatIsConfirmedWronglyMakesAllUnknown() throws Exception {
        try (SqsClient checking = queues.client()) {
            context.getRegistry().bind("client", checking);
            SqsApi api = api("orders");
            queues.answer(
                    200,
                    "{\"Successful\":[{\"Id\":\"{{id:0}}\",\"MessageId\":\"1\",\"MD5OfMessageBody\":\"{{md5:0}}\"},"
                            + "{\"Id\":\"{{id:1}}\",\"MessageId\":\"2\",\"MD5OfMessageBody\":\"{{md5:0}}\"}]}");

            assertThat(kinds(ApiRuns.send(api, endpoint, List.of(api.item("a"), api.item("b")))))
                    .containsExactly(Verdict.Kind.UNKNOWN, Verdict.Kind.UNKNOWN);
        }
    }

    /** The SDK's check of checksums fails with a NullPointerException then. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"Successful\":[null]}",
                "{\"Successful\":[{\"Id\":\"stranger\",\"MessageId\":\"1\",\"MD5OfMessageBody\":\"{{md5:0}}\"}]}"
            })
    void anAnswerThatTheClientStumblesOverMakesAllUnknown(String answer) throws Exception {
        try (SqsClient checking = queues.client()) {
            context.getRegistry().bind("client", checking);
            SqsApi api = api("orders");
            queues.answer(200, answer);

            assertThat(kinds(ApiRuns.send(api, endpoint, List.of(api.item("a")))))
                    .containsExactly(Verdict.Kind.UNKNOWN);
        }
    }

    @Test
    void aTextThatAnotherDelegateConfirmsWronglyIsUnknown() throws Exception {
        SqsApi api = new SqsApi(apiContext(context.getEndpoint("mock:q"), Map.of("queueUrl", "http://q/1/a")));
        List<BulkItem> items = List.of(api.item("a"), api.item("b"), api.item("c"), api.item("d"));
        Exchange exchange = new DefaultExchange(context);
        exchange.getMessage()
                .setBody("{\"Successful\":["
                        + "{\"Id\":\"0\",\"MD5OfMessageBody\":\"0CC175b9c0f1b6a831c399e269772661\"},"
                        + "{\"Id\":\"1\",\"MD5OfMessageBody\":\"0cc175b9c0f1b6a831c399e269772661\"},"
                        + "{\"Id\":\"2\"},{\"Id\":\"3\",\"MD5OfMessageBody\":\"stub\"}]}");

        assertThat(kinds(api.read(items, exchange)))
                .containsExactly(Verdict.Kind.LANDED, Verdict.Kind.UNKNOWN, Verdict.Kind.LANDED, Verdict.Kind.LANDED);
    }

    @Test
    void aResetMayHaveLanded() throws Exception {
        SqsApi api = api("orders");
        queues.reset();

        assertThat(((Reply.TransportFailed) ApiRuns.send(api, endpoint, List.of(api.item("a")))).nothingLanded())
                .isFalse();
    }

    @Test
    void anotherDelegateMayAnswerInJson() throws Exception {
        SqsApi api = new SqsApi(apiContext(context.getEndpoint("mock:q"), Map.of("queueUrl", "http://q/1/a.fifo")));
        List<BulkItem> items = List.of(api.item("a"), api.item("b"), api.item("c"));
        Exchange exchange = new DefaultExchange(context);
        api.write(items, exchange);
        assertThat(exchange.getMessage().getBody(SendMessageBatchRequest.class).queueUrl())
                .isEqualTo("http://q/1/a.fifo");
        exchange.getMessage()
                .setBody("{\"Successful\":[{\"Id\":\"0\"}],\"Failed\":[{\"Id\":\"2\",\"SenderFault\":true}]}");

        assertThat(kinds(api.read(items, exchange)))
                .containsExactly(Verdict.Kind.LANDED, Verdict.Kind.UNKNOWN, Verdict.Kind.TERMINAL);
        assertThat(api.sender(context.getEndpoint("mock:q"))).isNull();
    }

    // ---- Items

    static Stream<Object> texts() {
        return Stream.of(
                "{\"a\":1}",
                "{\"a\":1}".getBytes(StandardCharsets.UTF_8),
                new RawJson("{\"a\":1}".getBytes(StandardCharsets.UTF_8)),
                Map.of("a", 1),
                MAPPER.createObjectNode().put("a", 1),
                MAPPER.getNodeFactory().textNode("{\"a\":1}"),
                new RawJson("\"{\\\"a\\\":1}\"".getBytes(StandardCharsets.UTF_8)),
                Map.of("MessageBody", "{\"a\":1}"),
                SendMessageBatchRequestEntry.builder()
                        .id("x")
                        .messageBody("{\"a\":1}")
                        .build());
    }

    @ParameterizedTest
    @MethodSource("texts")
    void aMessageMayBeWrittenInManyWays(Object element) throws Exception {
        BulkItem item = api("orders").item(element);

        assertThat(entry(item).messageBody()).isEqualTo("{\"a\":1}");
        assertThat(item.body()).isEqualTo(RawJson.body(element));
        assertThat(item.bytes()).isEqualTo(7);
        assertThat(item.safeToResend()).isFalse();
        assertThat(item.key()).isNull();
        assertThat(item.toString()).doesNotContain("a\"");
    }

    @Test
    void anEntryInJsonSaysAllThatTheServiceKnows() throws Exception {
        SendMessageBatchRequestEntry entry = entry(api("orders.fifo?messageGroupIdStrategy=useConstant")
                .item(new RawJson("""
                                {"Id":"mine","MessageBody":"ü","DelaySeconds":3,"MessageGroupId":"g","MessageDeduplicationId":"d",
                                 "MessageAttributes":{"n":{"DataType":"Number","StringValue":"7"},
                                                      "b":{"DataType":"Binary","BinaryValue":"AQI="}},
                                 "MessageSystemAttributes":{"AWSTraceHeader":{"DataType":"String","StringValue":"t"}}}""".getBytes(StandardCharsets.UTF_8))));

        assertThat(entry)
                .isEqualTo(SendMessageBatchRequestEntry.builder()
                        .id("mine")
                        .messageBody("ü")
                        .delaySeconds(3)
                        .messageGroupId("g")
                        .messageDeduplicationId("d")
                        .messageAttributes(Map.of(
                                "n",
                                MessageAttributeValue.builder()
                                        .dataType("Number")
                                        .stringValue("7")
                                        .build(),
                                "b",
                                MessageAttributeValue.builder()
                                        .dataType("Binary")
                                        .binaryValue(SdkBytes.fromByteArray(new byte[] {1, 2}))
                                        .build()))
                        .messageSystemAttributesWithStrings(Map.of(
                                "AWSTraceHeader",
                                MessageSystemAttributeValue.builder()
                                        .dataType("String")
                                        .stringValue("t")
                                        .build()))
                        .build());
    }

    @Test
    void bytesAreCountedAsTheServiceCountsThem() throws Exception {
        BulkItem item = api("orders")
                .item(Map.of(
                        "MessageBody",
                        "\u00fc\u20ac\ud83d\ude00", // 2 + 3 + 4
                        "MessageAttributes",
                        Map.of(
                                "n", Map.of("DataType", "Number", "StringValue", "77"), // 1 + 6 + 2
                                "bin", Map.of("DataType", "Binary", "BinaryValue", new byte[5])), // 3 + 6 + 5
                        "MessageSystemAttributes",
                        Map.of("AWSTraceHeader", Map.of("DataType", "String", "StringValue", "not counted"))));

        assertThat(item.bytes()).isEqualTo(9 + 9 + 14);
        assertThat(api("orders").limits().maxBytes()).isEqualTo(1_048_576);
        assertThat(api("orders").limits().maxItems()).isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"orders?bulkApi.maximumMessageSize=1024", "orders?maximumMessageSize=1024&queueUrl=http://q/1/q"
            })
    void aQueueMayTakeLess(String uri) throws Exception {
        SqsApi api = api(uri);

        assertThat(api.item("x".repeat(1024)).refusal()).isNull();
        assertThat(api.item("x".repeat(1025)).refusal()).satisfies(refusal -> {
            assertThat(refusal.reason()).isEqualTo(Reason.TOO_LARGE);
            assertThat(refusal.failure().message()).contains("1025").contains("1024");
        });
    }

    static Stream<Object> noMessages() {
        return Stream.of(
                "",
                new byte[] {(byte) 0xff},
                Map.of("MessageBody", ""),
                Map.of("MessageBody", List.of()),
                Map.of("MessageBody", "a", "MesageGroupId", "g"),
                Map.of("MessageBody", "a", "DelaySeconds", "soon"),
                Map.of("MessageBody", "a", "MessageAttributes", Map.of("n", "7")),
                Map.of(
                        "MessageBody",
                        "a",
                        "MessageAttributes",
                        Map.of("n", Map.of("DataType", "Binary", "BinaryValue", "?"))),
                Map.of(
                        "MessageBody",
                        "a",
                        "MessageAttributes",
                        Map.of("n", Map.of("DataType", "Binary", "BinaryValue", 1234))),
                new RawJson("null".getBytes(StandardCharsets.UTF_8)),
                MAPPER.nullNode(),
                SendMessageBatchRequestEntry.builder().id("x").build());
    }

    @Test
    void otherObjectsOfTheSdkAreNoMessages() throws Exception {
        SqsApi api = api("orders");

        for (Object foreign : List.of(
                SendMessageRequest.builder().messageBody("a").build(),
                Message.builder().body("a").build(),
                SendMessageBatchRequest.builder().build())) {
            assertThatThrownBy(() -> api.item(foreign))
                    .isInstanceOf(InvalidItemException.class)
                    .hasMessageContaining(foreign.getClass().getSimpleName() + " of the SDK is no item")
                    .hasMessageContaining("only a SendMessageBatchRequestEntry is one");
        }
    }

    @Test
    void aNumberForATextKeepsItsDigits() throws Exception {
        assertThat(entry(api("orders")
                                .item(new RawJson(
                                        "{\"MessageBody\":12345678901234567890.25}".getBytes(StandardCharsets.UTF_8))))
                        .messageBody())
                .isEqualTo("12345678901234567890.25");
    }

    @ParameterizedTest
    @MethodSource("noMessages")
    void whatIsNoMessageIsSaidSo(Object element) throws Exception {
        SqsApi api = api("orders");

        assertThatThrownBy(() -> api.item(element))
                .isInstanceOf(InvalidItemException.class)
                .hasMessageMatching("its? .*");
    }

    @Test
    void aMisspeltMemberIsNamed() throws Exception {
        SqsApi api = api("orders");

        assertThatThrownBy(() -> api.item(Map.of("MessageBody", "a", "MesageGroupId", "secret")))
                .hasMessageContaining("MesageGroupId")
                .hasMessageContaining("MessageGroupId")
                .hasMessageNotContaining("secret");
    }

    // ---- What a message takes from the delegate

    @Test
    void headersAndOptionsOfTheDelegateArePutIntoMessages() throws Exception {
        SqsApi api = api("orders?delaySeconds=4");
        Exchange exchange = new DefaultExchange(context);
        exchange.getMessage().setHeader("tenant", "blue");
        exchange.getMessage().setHeader("urgent", true);
        exchange.getMessage().setHeader("CamelFileName", "x");
        exchange.getMessage().setHeader("thing", new Object());

        SendMessageBatchRequestEntry plain = entry(api.item("a", 0, exchange));
        SendMessageBatchRequestEntry own = entry(api.item(
                Map.of(
                        "MessageBody",
                        "a",
                        "DelaySeconds",
                        9,
                        "MessageAttributes",
                        Map.of("tenant", Map.of("DataType", "String", "StringValue", "red"))),
                1,
                exchange));

        assertThat(plain.messageAttributes()).containsOnlyKeys("tenant", "urgent");
        assertThat(plain.messageAttributes().get("tenant").stringValue()).isEqualTo("blue");
        assertThat(plain.delaySeconds()).isEqualTo(4);
        assertThat(own.messageAttributes()).containsOnlyKeys("tenant", "urgent");
        assertThat(own.messageAttributes().get("tenant").stringValue()).isEqualTo("red");
        assertThat(own.delaySeconds()).isEqualTo(9);
        assertThat(api.item("a", 0, exchange).bytes())
                .isEqualTo(1 + "tenantStringblue".length() + "urgentNumber.Boolean1".length());
        exchange.getMessage().setHeader("CamelAwsSqsDelaySeconds", 7);
        assertThat(entry(api.item("a", 0, exchange)).delaySeconds()).isEqualTo(7);
        assertThat(entry(api("orders?delaySeconds=4&delayQueue=true&queueUrl=http://q/1/orders")
                                .item("a", 0, new DefaultExchange(context)))
                        .delaySeconds())
                .isNull();
    }

    @Test
    void aMessageHasNoMoreThanTenAttributes() throws Exception {
        Exchange exchange = new DefaultExchange(context);
        IntStream.range(0, 12).forEach(i -> exchange.getMessage().setHeader("h" + i, "x"));

        assertThat(entry(api("orders?messageHeaderExceededLimit=IGNORE").item("a", 0, exchange))
                        .messageAttributes())
                .hasSize(10);
        SqsApi strict = api("orders?messageHeaderExceededLimit=FAIL");
        assertThatThrownBy(() -> strict.item("a", 0, exchange))
                .isInstanceOf(InvalidItemException.class)
                .hasMessageContaining("10");
    }

    @Test
    void aDelayThatIsNoNumberIsSaidSo() throws Exception {
        SqsApi api = api("orders");
        Exchange exchange = new DefaultExchange(context);
        exchange.getMessage().setHeader("CamelAwsSqsDelaySeconds", "soon");

        assertThatThrownBy(() -> api.item("a", 0, exchange))
                .isInstanceOf(InvalidItemException.class)
                .hasMessageContaining("header CamelAwsSqsDelaySeconds");
    }

    @Test
    void theDelegatesStrategiesNameGroupAndDuplicate() throws Exception {
        SqsApi api = api("orders.fifo?messageGroupIdStrategy=usePropertyValue");
        Exchange exchange = new DefaultExchange(context);
        exchange.setProperty("CamelAwsMessageGroupId", "g");

        BulkItem third = api.item("a", 2, exchange);
        SendMessageBatchRequestEntry own = entry(api.item(
                Map.of("MessageBody", "a", "MessageGroupId", "mine", "MessageDeduplicationId", "d"), 3, exchange));

        assertThat(third.key()).isEqualTo("g");
        assertThat(entry(third).messageGroupId()).isEqualTo("g");
        assertThat(entry(third).messageDeduplicationId()).isEqualTo(exchange.getExchangeId() + "-2");
        assertThat(own.messageGroupId()).isEqualTo("mine");
        assertThat(own.messageDeduplicationId()).isEqualTo("d");
        assertThat(entry(api(FIFO + "messageDeduplicationIdStrategy=useContentBasedDeduplication")
                                .item("a", 0, exchange))
                        .messageDeduplicationId())
                .isNull();
    }

    @Test
    void aStrategyOfTheUsersOwnSeesTheMessage() throws Exception {
        MessageGroupIdStrategy byFirst =
                exchange -> exchange.getMessage().getBody(String.class).substring(0, 1);
        MessageDeduplicationIdStrategy byAll =
                exchange -> exchange.getExchangeId() + exchange.getMessage().getBody(String.class);
        SqsApi api = api(FIFO);
        endpoint.getConfiguration().setMessageGroupIdStrategy(byFirst);
        endpoint.getConfiguration().setMessageDeduplicationIdStrategy(byAll);
        Exchange exchange = new DefaultExchange(context);

        BulkItem item = api.item("xyz", 0, exchange);

        assertThat(item.key()).isEqualTo("x");
        assertThat(entry(item).messageDeduplicationId()).isEqualTo(exchange.getExchangeId() + "xyz");
        assertThat(exchange.getMessage().getBody()).isNull();
    }

    // ---- Keys, and what may be sent again

    @Test
    void theKeyIsTheGroupOfAFifoQueueUnlessTheUserSaysOtherwise() throws Exception {
        Map<String, Object> message = Map.of("MessageBody", "{\"o\":{\"id\":1.0}}", "MessageGroupId", "g");

        assertThat(api(FIFO).item(message).key()).isEqualTo("g");
        assertThat(api("orders").item(message).key()).isNull(); // A standard queue keeps no order of its groups.
        assertThat(api(FIFO, ItemKey.NONE).item(message).key()).isNull();
        assertThat(api(FIFO, ItemKey.parse("/o/id")).item(message).key())
                .isEqualTo(api("orders", ItemKey.parse("/o/id"))
                        .item("{\"o\":{\"id\":1}}")
                        .key());
        assertThat(api("orders", ItemKey.parse("/o/id")).item("no json").key()).isNull();
        assertThat(api("orders", ItemKey.of(body -> "k" + body)).item("a").key())
                .isEqualTo("ka");
    }

    @Test
    void theGroupIsAKeyOfAnyQueueForWhoAsksForIt() throws Exception {
        SqsApi api = api("orders", ItemKey.parse("MessageGroupId"));

        assertThat(api.item(Map.of("MessageBody", "a", "MessageGroupId", "g")).key())
                .isEqualTo("g");
        assertThat(api.item("a").key()).isNull();
    }

    @Test
    void aMessageForAFifoQueueMayBeSentAgainAsLongAsTheQueueKnowsIt() throws Exception {
        AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
        api(FIFO);
        SqsApi api = new SqsApi(apiContext(endpoint, Map.of()), nanos::get);
        BulkItem item = api.item(Map.of("MessageBody", "a", "MessageGroupId", "g"));
        nanos.addAndGet(TimeUnit.HOURS.toNanos(1)); // It has waited for its group.
        assertThat(item.safeToResend()).isTrue();

        api.write(List.of(item), new DefaultExchange(context));
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(200));
        assertThat(item.safeToResend()).isTrue();
        api.write(List.of(item), new DefaultExchange(context)); // The queue goes by the first.
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(69));
        assertThat(item.safeToResend()).isTrue();
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
        assertThat(item.safeToResend()).isFalse();
    }

    @Test
    void withoutAQueueADeduplicationIdSaysThatItIsFifo() throws Exception {
        SqsApi api = new SqsApi(apiContext(context.getEndpoint("mock:q"), Map.of()));

        BulkItem fifo = api.item(Map.of("MessageBody", "a", "MessageGroupId", "g", "MessageDeduplicationId", "d"));
        BulkItem standard = api.item(Map.of("MessageBody", "a", "MessageGroupId", "g"));

        assertThat(fifo.safeToResend()).isTrue();
        assertThat(fifo.key()).isEqualTo("g");
        assertThat(standard.safeToResend()).isFalse();
        assertThat(standard.key()).isNull();
    }

    // ---- Whole requests

    @Test
    void aWholeRequestGoesAsItWasWritten() throws Exception {
        SqsApi api = api("orders");
        SendMessageBatchRequest request = SendMessageBatchRequest.builder()
                .queueUrl("http://elsewhere/1/other.fifo")
                .overrideConfiguration(override -> override.putHeader("x-mine", "1"))
                .entries(IntStream.range(0, 12)
                        .mapToObj(i -> SendMessageBatchRequestEntry.builder()
                                .id("same")
                                .messageBody("m" + i)
                                .messageGroupId("g")
                                .build())
                        .toList())
                .build();
        Exchange caller = new DefaultExchange(context);
        caller.getMessage().setHeader("tenant", "blue");
        List<BulkItem> items = new ArrayList<>();
        for (Iterator<?> entries = api.wholeRequest(request); entries.hasNext(); ) {
            items.add(api.item(entries.next(), items.size(), caller));
        }

        Exchange exchange = new DefaultExchange(context);
        api.write(items.subList(3, 5), exchange);

        SendMessageBatchRequest sent = exchange.getMessage().getBody(SendMessageBatchRequest.class);
        assertThat(sent.queueUrl()).isEqualTo("http://elsewhere/1/other.fifo");
        assertThat(sent.overrideConfiguration()).isEqualTo(request.overrideConfiguration());
        assertThat(sent.entries())
                .containsExactly(
                        request.entries().get(3).toBuilder().id("0").build(),
                        request.entries().get(4).toBuilder().id("1").build());
        assertThat(items.get(3).body()).isSameAs(request.entries().get(3));
        assertThat(items.get(3).id()).isEqualTo("same");
        assertThat(items.get(3).key()).isEqualTo("g");
        assertThat(api.wholeRequest(Map.of("Entries", List.of()))).isNull();
    }

    // ---- Receipts

    static Stream<Object> receipts() {
        return Stream.of(
                "r",
                new RawJson("\"r\"".getBytes(StandardCharsets.UTF_8)),
                Map.of("ReceiptHandle", "r"),
                Message.builder().body("b").receiptHandle("r").build(),
                DeleteMessageBatchRequestEntry.builder()
                        .id("x")
                        .receiptHandle("r")
                        .build());
    }

    @ParameterizedTest
    @MethodSource("receipts")
    void aReceiptMayBeGivenInManyWays(Object element) throws Exception {
        SqsApi api = api("orders?operation=deleteMessage");

        BulkItem item = api.item(element);
        Exchange exchange = new DefaultExchange(context);
        api.write(List.of(item), exchange);

        assertThat(exchange.getMessage()
                        .getBody(DeleteMessageBatchRequest.class)
                        .entries())
                .containsExactly(DeleteMessageBatchRequestEntry.builder()
                        .id("0")
                        .receiptHandle("r")
                        .build());
        assertThat(item.safeToResend()).isTrue();
        assertThat(item.bytes()).isZero();
        assertThat(item.body()).isEqualTo(RawJson.body(element));
    }

    static Stream<Object> noReceipts() {
        return Stream.of(
                Map.of("Foo", "h"),
                5,
                List.of("h"),
                new RawJson("5".getBytes(StandardCharsets.UTF_8)),
                new RawJson("null".getBytes(StandardCharsets.UTF_8)),
                new RawJson("{\"Foo\":\"h\"}".getBytes(StandardCharsets.UTF_8)),
                Message.builder().body("b").build());
    }

    @ParameterizedTest
    @MethodSource("noReceipts")
    void whatIsNoReceiptIsSaidSo(Object element) throws Exception {
        for (String operation : List.of("operation=deleteMessage", "bulkApi.operation=changeMessageVisibility")) {
            SqsApi api = api("orders?" + operation);

            assertThatThrownBy(() -> api.item(element))
                    .isInstanceOf(InvalidItemException.class)
                    .hasMessageContaining("it has no ReceiptHandle");
        }
    }

    @Test
    void aReceiptHasNoFieldsForAKey() {
        assertThatThrownBy(() -> api("orders?operation=deleteMessage", ItemKey.parse("id")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("itemKey");
    }

    @Test
    void aTimeoutOfTheEntrysOwnGoesBeforeTheOption() throws Exception {
        SqsApi api = api("orders?bulkApi.operation=changeMessageVisibility&bulkApi.visibilityTimeout=5");

        assertThat(timeout(api.item("r"))).isEqualTo(5);
        assertThat(timeout(api.item(Map.of("ReceiptHandle", "r", "VisibilityTimeout", 0))))
                .isZero();
        assertThat(timeout(api.item(ChangeMessageVisibilityBatchRequestEntry.builder()
                        .receiptHandle("r")
                        .visibilityTimeout(9)
                        .build())))
                .isEqualTo(9);
        assertThatThrownBy(() ->
                        api("orders?bulkApi.operation=changeMessageVisibility").item("r"))
                .isInstanceOf(InvalidItemException.class)
                .hasMessageContaining("bulkApi.visibilityTimeout");
        assertThatThrownBy(() -> api.item(Map.of("ReceiptHandle", "")))
                .isInstanceOf(InvalidItemException.class)
                .hasMessageContaining("ReceiptHandle");
    }

    @SuppressWarnings("unchecked")
    private static int timeout(BulkItem item) {
        return ((BatchEntry<ChangeMessageVisibilityBatchRequestEntry>) item)
                .entry()
                .visibilityTimeout();
    }

    // ---- The queue

    @ParameterizedTest
    @CsvSource({
        "orders?queueUrl=http://q/9/orders, http://q/9/orders",
        "orders?region=eu-west-3&queueOwnerAWSAccountId=42, https://sqs.eu-west-3.amazonaws.com/42/orders",
        "orders?region=eu-west-3&queueOwnerAWSAccountId=42&amazonAWSHost=localhost:9/&protocol=http, http://localhost:9/42/orders",
        "arn:aws:sqs:eu-west-1:7:orders, https://sqs.eu-west-1.amazonaws.com/7/orders"
    })
    void aQueueThatTheDelegateKnowsIsNotAskedFor(String uri, String url) throws Exception {
        SqsApi api = api(uri);
        Exchange exchange = new DefaultExchange(context);

        api.write(List.of(api.item("a")), exchange);

        assertThat(exchange.getMessage().getBody(SendMessageBatchRequest.class).queueUrl())
                .isEqualTo(url);
        assertThat(queues.operations()).isEmpty();
    }

    private static SendMessageBatchRequestEntry entry(BulkItem item) {
        return (SendMessageBatchRequestEntry) ((BatchEntry<?>) item).entry();
    }

    private static List<Verdict.Kind> kinds(Reply reply) {
        return ((Reply.Verdicts) reply).verdicts().stream().map(Verdict::kind).toList();
    }

    private SqsApi api(String uri) {
        return api(uri, ItemKey.FROM_API);
    }

    /** @param uri what stands behind {@code aws2-sqs:}; options {@code bulkApi.*} are ours */
    private SqsApi api(String uri, ItemKey itemKey) {
        Map<String, String> options = new LinkedHashMap<>();
        StringBuilder delegate =
                new StringBuilder("aws2-sqs:" + uri.replaceAll("\\?.*", "") + "?amazonSQSClient=#client");
        if (uri.contains("?")) {
            for (String option : uri.replaceAll("^[^?]*\\?", "").split("&")) {
                if (option.startsWith("bulkApi.")) {
                    options.put(option.substring(8, option.indexOf('=')), option.substring(option.indexOf('=') + 1));
                } else if (!option.isEmpty()) {
                    delegate.append('&').append(option);
                }
            }
        }
        endpoint = context.getEndpoint(delegate.toString(), Sqs2Endpoint.class);
        return new SqsApi(new BulkApiContext(context, endpoint, options, itemKey, MAPPER));
    }

    private BulkApiContext apiContext(Endpoint delegate, Map<String, String> options) {
        assertThat(delegate).isInstanceOfAny(MockEndpoint.class, Sqs2Endpoint.class);
        return new BulkApiContext(context, delegate, options, ItemKey.FROM_API, MAPPER);
    }
}
