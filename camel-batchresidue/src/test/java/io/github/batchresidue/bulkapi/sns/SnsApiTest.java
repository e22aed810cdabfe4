/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.sns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import io.github.batchresidue.bulkapi.ApiRuns;
import io.github.batchresidue.bulkapi.BulkApiContext;
import io.github.batchresidue.bulkapi.BulkApiProvider;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.ItemKey;
import io.github.batchresidue.bulkapi.MissingJars;
import io.github.batchresidue.bulkapi.RawJson;
import io.github.batchresidue.bulkapi.VirtualTime;
import io.github.batchresidue.bulkapi.aws.BatchEntry;
import io.github.batchresidue.bulkapi.aws.TestClients;
import io.github.batchresidue.docs.PageTable;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.Reason;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Verdict;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Date;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.camel.Exchange;
import org.apache.camel.component.aws2.sns.Sns2Endpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.sns.SnsClient;
import software.amazon.awssdk.services.sns.model.PublishBatchRequest;
import software.amazon.awssdk.services.sns.model.PublishBatchRequestEntry;
import software.amazon.awssdk.services.sns.model.PublishRequest;

/** With the SDK's own client over the wire, which is XML here. */
class SnsApiTest {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String TOPIC = "arn:aws:sns:eu-west-1:123456789012:orders";

    private final DefaultCamelContext context = new DefaultCamelContext();
    private final WireMockServer server = new WireMockServer(
            WireMockConfiguration.options().bindAddress("127.0.0.1").dynamicPort());
    private SnsClient client;
    private Sns2Endpoint endpoint;
    private int answers;

    @BeforeEach
    void start() {
        server.start();
        client = TestClients.of(SnsClient.builder(), URI.create("http://127.0.0.1:" + server.port()), true);
        context.getRegistry().bind("client", client);
        context.start();
    }

    @AfterEach
    void stop() {
        context.stop();
        client.close();
        server.stop();
    }

    @Test
    void itIsRegisteredAndToldFromTheDelegate() throws Exception {
        BulkApiProvider provider = ServiceLoader.load(BulkApiProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(known -> known.names().contains("sns"))
                .findFirst()
                .orElseThrow();
        api("");

        assertThat(provider.isSpokenBy(endpoint)).isTrue();
        assertThat(provider.isSpokenBy(context.getEndpoint("mock:aws2-sns"))).isFalse();
        assertThat(MissingJars.failureWithout("camel-aws2-sns-|sns-", "sns"))
                .contains("bulkApi=sns needs on the class path: org.apache.camel:camel-aws2-sns");
    }

    @ParameterizedTest
    @CsvSource({"maximumMessageSize, 1048577", "maximumMessageSize, 1", "topicArn, arn:x"})
    void badOptionsFailAtCreation(String option, String value) {
        assertThatThrownBy(() -> api("", Map.of(option, value), ItemKey.FROM_API))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("bulkApi." + option + "=" + value + ": ");
    }

    static Stream<JsonNode> fixtures() throws Exception {
        return MAPPER.readTree(SnsApiTest.class.getResourceAsStream("fixtures.json"))
                .get("replies")
                .valueStream();
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void theWireFixturesAreReadAsTheSheetSays(JsonNode fixture) throws Exception {
        SnsApi api = api("");
        JsonNode request = MAPPER.readTree(SnsApiTest.class.getResourceAsStream("fixtures.json"))
                .get("request");
        List<BulkItem> items = new ArrayList<>();
        for (JsonNode entry : request.get("PublishBatchRequestEntries")) {
            items.add(api.item(entry));
        }
        // Ids are ours, and begin with 0.
        answer(
                fixture.get("status").asInt(),
                fixture.get("replyBody").asText().replace("<Id>1<", "<Id>0<").replace("<Id>2<", "<Id>1<"));

        Reply reply = ApiRuns.send(api, endpoint, items);

        if (fixture.get("requestClass").asText().equals("split")) {
            assertThat(reply).isInstanceOf(Reply.TooLarge.class);
        } else {
            assertThat(((Reply.Verdicts) reply)
                            .verdicts().stream()
                                    .map(verdict -> verdict.kind() == Verdict.Kind.RESIDUE
                                            ? "retry"
                                            : verdict.kind().name().toLowerCase())
                                    .toList())
                    .isEqualTo(fixture.get("verdicts")
                            .valueStream()
                            .map(JsonNode::asText)
                            .toList());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "400, BatchRequestTooLong, TooLarge",
        "400, InvalidParameter, Rejected",
        "400, InvalidBatchEntryId, Rejected",
        "429, Throttled, Throttled",
        "400, Throttled, Throttled",
        "400, KMSThrottling, Throttled",
        "404, NotFound, Refused",
        "403, AuthorizationError, Refused",
        "400, KMSDisabled, Refused",
        "400, EndpointDisabled, Refused",
        "500, InternalError, TransportFailed"
    })
    void aRequestThatFailsAsAWhole(int status, String code, String reply) throws Exception {
        SnsApi api = api("");
        answer(
                status,
                "<ErrorResponse xmlns=\"http://sns.amazonaws.com/doc/2010-03-31/\"><Error><Type>Sender</Type><Code>"
                        + code + "</Code><Message>said so</Message></Error><RequestId>r</RequestId></ErrorResponse>");

        assertThat(ApiRuns.send(api, endpoint, List.of(api.item("a")))
                        .getClass()
                        .getSimpleName())
                .isEqualTo(reply);
    }

    @ParameterizedTest
    @CsvSource({"true, InvalidParameter, TERMINAL", "true, KMSThrottling, RESIDUE", "false, InternalError, RESIDUE"})
    void theFaultDecidesButForWhatHeals(boolean isSendersFault, String code, Verdict.Kind kind) throws Exception {
        SnsApi api = api("");
        answer(200, response("", failed(0, isSendersFault, code)));

        assertThat(((Reply.Verdicts) ApiRuns.send(api, endpoint, List.of(api.item("a")))).verdicts())
                .singleElement()
                .returns(kind, Verdict::kind);
    }

    @Test
    void onlyWhatFailedGoesAgainWhetherOrNotTheDelegateBatches() throws Exception {
        SnsApi api = api("batchEnabled=false");
        answer(
                200,
                response(
                        landed(0) + landed(3),
                        failed(1, false, "InternalError") + failed(2, true, "InvalidParameter")));
        answer(200, response(landed(0), ""));

        Ledger ledger = ApiRuns.run(
                        api,
                        endpoint,
                        new VirtualTime(),
                        List.of("a", "b", "c", "d"),
                        ApiRuns.options(api).build())
                .ledger();

        assertThat(ledger.landed()).isEqualTo(3);
        assertThat(ledger.terminalItems()).singleElement().satisfies(item -> assertThat(item.index())
                .isEqualTo(2));
        assertThat(requests()).hasSize(2);
        assertThat(requests().get(0)).contains("Action=PublishBatch", "TopicArn=" + TOPIC, ".4.Message=d");
        assertThat(requests().get(1)).contains(".1.Message=b").doesNotContain(".2.Message");
    }

    @Test
    void aMessageTakesFromTheExchangeWhatItDoesNotSay() throws Exception {
        SnsApi api = api("subject=news&messageStructure=json");
        Exchange exchange = new DefaultExchange(context);
        exchange.getMessage().setHeader("tenant", "blue");
        exchange.getMessage().setHeader("weight", 7);
        exchange.getMessage().setHeader("at", new Date(0));
        exchange.getMessage().setHeader("bytes", new byte[] {1});
        exchange.getMessage().setHeader("list", List.of("a", 1));
        exchange.getMessage().setHeader("CamelFileName", "x");
        exchange.getMessage().setHeader("thing", new Object());

        PublishBatchRequestEntry plain = entry(api.item("a", 0, exchange));
        PublishBatchRequestEntry own =
                entry(api.item(Map.of("Message", "a", "Subject", "mine", "MessageStructure", "raw"), 1, exchange));

        assertThat(plain.subject()).isEqualTo("news");
        assertThat(plain.messageStructure()).isEqualTo("json");
        assertThat(plain.messageAttributes()).containsOnlyKeys("tenant", "weight", "at", "bytes", "list");
        assertThat(plain.messageAttributes().get("list").dataType()).isEqualTo("String.Array");
        assertThat(plain.messageAttributes().get("list").stringValue()).isEqualTo("[\"a\", 1]");
        assertThat(plain.messageAttributes().get("weight").dataType()).isEqualTo("String");
        assertThat(own.subject()).isEqualTo("mine");
        assertThat(own.messageStructure()).isEqualTo("raw");
        exchange.getMessage().setHeader("CamelAwsSnsSubject", "of the header");
        assertThat(entry(api.item("a", 0, exchange)).subject()).isEqualTo("of the header");
    }

    @Test
    void whatIsNoMessageIsSaidSo() {
        for (Object element : List.of(
                new RawJson("null".getBytes(StandardCharsets.UTF_8)),
                MAPPER.nullNode(),
                Map.of("Message", List.of()),
                Map.of("Message", "a", "MessageAttributes", "n"),
                PublishRequest.builder().message("a").build())) {
            assertThatThrownBy(() -> api("").item(element))
                    .isInstanceOf(InvalidItemException.class)
                    .hasMessageMatching(
                            "it is null|its Message.* is no .*|.* only a PublishBatchRequestEntry is one.*");
        }
    }

    @Test
    void aTopicIsNamedOnce() {
        assertThatThrownBy(() -> api("", Map.of("topicArn", "x"), ItemKey.FROM_API))
                .hasMessageEndingWith("the delegate names the topic, " + TOPIC);
    }

    @Test
    void theGroupIsAKeyOfAnyTopicForWhoAsksForIt() throws Exception {
        assertThat(api("", Map.of(), ItemKey.parse("MessageGroupId"))
                        .item(Map.of("Message", "a", "MessageGroupId", "g"))
                        .key())
                .isEqualTo("g");
    }

    @Test
    void aFifoTopicHasGroupsAndDropsDuplicates() throws Exception {
        SnsApi fifo = api("messageGroupIdStrategy=useConstant", ".fifo");
        Exchange exchange = new DefaultExchange(context);
        BulkItem item = fifo.item("a", 4, exchange);

        assertThat(item.key()).isNotNull().isEqualTo(entry(item).messageGroupId());
        assertThat(entry(item).messageDeduplicationId()).isEqualTo(exchange.getExchangeId() + "-4");
        assertThat(item.safeToResend()).isTrue();
        BulkItem standard = api("").item(Map.of("Message", "a", "MessageGroupId", "g"), 4, exchange);
        assertThat(standard.key()).isNull();
        assertThat(standard.safeToResend()).isFalse();
        assertThat(entry(standard).messageDeduplicationId()).isNull();
    }

    @Test
    void bytesAreThoseOfTheMessageAndItsAttributes() throws Exception {
        SnsApi api = api("");
        Object message = Map.of(
                "Message",
                "\u20ac",
                "Subject",
                "not counted",
                "MessageAttributes",
                Map.of("n", Map.of("DataType", "Number", "StringValue", "77")));

        assertThat(api.item(message).bytes()).isEqualTo(3 + 1 + 6 + 2);
        assertThat(api.limits().maxBytes()).isEqualTo(262_144);
        assertThat(api.item("x".repeat(262_145)).refusal().reason()).isEqualTo(Reason.TOO_LARGE);
        SnsApi large = api("", Map.of("maximumMessageSize", "1048576"), ItemKey.FROM_API);
        assertThat(large.limits().maxBytes()).isEqualTo(1_048_576);
        assertThat(large.item("x".repeat(262_145)).refusal()).isNull();
        assertThatThrownBy(() -> api.item("")).isInstanceOf(InvalidItemException.class);
    }

    @Test
    void aWholeRequestGoesAsItWasWritten() throws Exception {
        SnsApi api = api("subject=news");
        PublishBatchRequest request = PublishBatchRequest.builder()
                .topicArn("arn:other.fifo")
                .publishBatchRequestEntries(IntStream.range(0, 3)
                        .mapToObj(i -> PublishBatchRequestEntry.builder()
                                .id("m" + i)
                                .message("text " + i)
                                .messageGroupId("g")
                                .build())
                        .toList())
                .build();
        List<BulkItem> items = new ArrayList<>();
        for (Iterator<?> entries = api.wholeRequest(request); entries.hasNext(); ) {
            items.add(api.item(entries.next(), items.size(), new DefaultExchange(context)));
        }
        Exchange exchange = new DefaultExchange(context);

        api.write(items.subList(1, 2), exchange);

        assertThat(exchange.getMessage().getBody())
                .isEqualTo(request.toBuilder()
                        .publishBatchRequestEntries(request.publishBatchRequestEntries().get(1).toBuilder()
                                .id("0")
                                .build())
                        .build());
        assertThat(items.get(1).id()).isEqualTo("m1");
        assertThat(items.get(1).key()).isEqualTo("g");
    }

    @Test
    void thePageSaysWhatErrorsMean() {
        assertThat(PageTable.meanings("sns", "entries")).isEqualTo(PageTable.words(SnsErrors.OF_ENTRIES));
        assertThat(PageTable.meanings("sns", "requests")).isEqualTo(PageTable.words(SnsErrors.OF_REQUESTS.meanings()));
    }

    private void answer(int status, String body) {
        server.stubFor(WireMock.post(WireMock.anyUrl())
                .inScenario("script")
                .whenScenarioStateIs(answers == 0 ? Scenario.STARTED : "after " + answers)
                .willReturn(WireMock.aResponse()
                        .withStatus(status)
                        .withHeader("Content-Type", "text/xml")
                        .withBody(body))
                .willSetStateTo("after " + ++answers));
    }

    private static String response(String successful, String failed) {
        return "<PublishBatchResponse xmlns=\"http://sns.amazonaws.com/doc/2010-03-31/\"><PublishBatchResult><Failed>"
                + failed + "</Failed><Successful>" + successful
                + "</Successful></PublishBatchResult></PublishBatchResponse>";
    }

    private static String landed(int id) {
        return "<member><Id>" + id + "</Id><MessageId>m</MessageId></member>";
    }

    private static String failed(int id, boolean isSendersFault, String code) {
        return "<member><Id>" + id + "</Id><Code>" + code + "</Code><SenderFault>" + isSendersFault
                + "</SenderFault></member>";
    }

    /** The forms that were sent, in order. */
    private List<String> requests() {
        List<String> forms = new ArrayList<>();
        server.getAllServeEvents()
                .forEach(event ->
                        forms.add(0, URLDecoder.decode(event.getRequest().getBodyAsString(), StandardCharsets.UTF_8)));
        return forms;
    }

    private static PublishBatchRequestEntry entry(BulkItem item) {
        return (PublishBatchRequestEntry) ((BatchEntry<?>) item).entry();
    }

    private SnsApi api(String delegateOptions) {
        return api(delegateOptions, "");
    }

    private SnsApi api(String delegateOptions, String suffix) {
        endpoint = context.getEndpoint(
                "aws2-sns:" + TOPIC + suffix + "?amazonSNSClient=#client"
                        + (delegateOptions.isEmpty() ? "" : "&" + delegateOptions),
                Sns2Endpoint.class);
        return new SnsApi(new BulkApiContext(context, endpoint, Map.of(), ItemKey.FROM_API, MAPPER));
    }

    private SnsApi api(String delegateOptions, Map<String, String> options, ItemKey itemKey) {
        api(delegateOptions);
        return new SnsApi(new BulkApiContext(context, endpoint, options, itemKey, MAPPER));
    }
}
