/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.kinesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import io.github.batchresidue.bulkapi.ApiRuns;
import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.ItemKey;
import io.github.batchresidue.bulkapi.RawJson;
import io.github.batchresidue.bulkapi.aws.Service;
import io.github.batchresidue.engine.Reason;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Verdict;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.SdkClient;
import software.amazon.awssdk.services.kinesis.model.PutRecordsRequest;
import software.amazon.awssdk.services.kinesis.model.PutRecordsRequestEntry;

class KinesisApiTest {

    private static final int MOST_BYTES = 10 * 1024 * 1024;

    private final DefaultCamelContext context = new DefaultCamelContext();
    private final Endpoint delegate = context.getEndpoint("aws2-kinesis:s?accessKey=a&secretKey=b&region=eu-west-1");

    @AfterEach
    void stop() {
        context.stop();
    }

    // ---- Items

    @Test
    void dataComesInEveryForm() throws Exception {
        BulkApi api = api(Map.of("partitionKey", "p"));
        for (Object element : List.of(
                "{\"a\":1}",
                "{\"a\":1}".getBytes(StandardCharsets.UTF_8),
                ByteBuffer.wrap("{\"a\":1}".getBytes(StandardCharsets.UTF_8)),
                SdkBytes.fromUtf8String("{\"a\":1}"),
                Map.of("a", 1),
                Service.MAPPER.readTree("{\"a\": 1}"))) {
            KinesisRecord item = (KinesisRecord) api.item(element);

            assertThat(item.entry().data().asUtf8String()).isEqualTo("{\"a\":1}");
            assertThat(item.entry().partitionKey()).isEqualTo("p");
            assertThat(item.body()).isSameAs(element);
            assertThat(item.safeToResend()).isFalse();
            assertThat(item.key()).isNull();
        }
        assertThatThrownBy(() -> api.item(new ByteArrayInputStream(new byte[1])))
                .isInstanceOf(InvalidItemException.class)
                .hasMessageContaining("read only once");
    }

    @Test
    void aFieldIsThePartitionKeyOfItsRecord() throws Exception {
        BulkApi api = api(Map.of("partitionKeyField", "/who/id"));

        assertThat(entry(api, "{\"who\":{\"id\":17}}").partitionKey()).isEqualTo("17");
        assertThat(entry(api, Map.of("who", Map.of("id", "x"))).partitionKey()).isEqualTo("x");
        for (Object without : List.of("{\"who\":{}}", "{\"who\":{\"id\":null}}", "{\"who\":{\"id\":{}}}", "no JSON")) {
            assertThatThrownBy(() -> api.item(without))
                    .isInstanceOf(InvalidItemException.class)
                    .hasMessageContaining("bulkApi.partitionKeyField, who/id");
        }
    }

    @Test
    void theHeaderOfTheDelegateIsThePartitionKeyOfData() throws Exception {
        Exchange exchange = new DefaultExchange(context);
        exchange.getMessage().setHeader("CamelAwsKinesisPartitionKey", "h");

        assertThat(((KinesisRecord) api(Map.of()).item("x", 0, exchange))
                        .entry()
                        .partitionKey())
                .isEqualTo("h");
        assertThat(((KinesisRecord) api(Map.of("partitionKey", "p")).item("x", 0, exchange))
                        .entry()
                        .partitionKey())
                .isEqualTo("p");
    }

    @Test
    void aRecordHasItsOwnPartitionKey() throws Exception {
        BulkApi api = api(Map.of());
        for (Object element : List.of(
                "{\"Data\":\"YQ==\",\"PartitionKey\":\"p\",\"ExplicitHashKey\":\"7\"}",
                Map.of("Data", new byte[] {'a'}, "PartitionKey", "p", "ExplicitHashKey", "7"),
                record("p", "a").toBuilder().explicitHashKey("7").build())) {
            assertThat(entry(api, element))
                    .isEqualTo(record("p", "a").toBuilder().explicitHashKey("7").build());
        }
        for (Object wrong : List.of(
                "{\"Data\":\"YQ==\"}",
                "{\"PartitionKey\":\"p\"}",
                "{\"Data\":\"?\",\"PartitionKey\":\"p\"}",
                "{\"Data\":\"YQ==\",\"PartitionKey\":\"\"}",
                "{\"Data\":\"YQ==\",\"PartitionKey\":\"" + "p".repeat(257) + "\"}",
                "{\"qty\":1}",
                "[]",
                "{",
                PutRecordsRequestEntry.builder().partitionKey("p").build())) {
            assertThatThrownBy(() -> api.item(wrong)).isInstanceOf(InvalidItemException.class);
        }
    }

    /** The first mistake of who is new to it. */
    @Test
    void withoutAPartitionKeyItIsSaidWhereItMayComeFrom() throws Exception {
        BulkApi api = api(Map.of());
        for (Object element : List.of(
                "a line",
                "{\"qty\":1}",
                Map.of("qty", 1),
                7,
                new byte[] {1},
                Map.of("Data", "YQ=="),
                new RawJson("{\"qty\":1}".getBytes(StandardCharsets.UTF_8)))) {
            assertThatThrownBy(() -> api.item(element))
                    .isInstanceOf(InvalidItemException.class)
                    .hasMessageContaining("bulkApi.partitionKeyField")
                    .hasMessageContaining("bulkApi.partitionKey, ")
                    .hasMessageContaining("CamelAwsKinesisPartitionKey")
                    .hasMessageContaining("delegateHeaders");
        }
    }

    @Test
    void noMemberIsPassedOver() throws Exception {
        BulkApi api = api(Map.of());

        assertThat(
                        entry(
                                api,
                                "{\"Data\":\"YQ==\",\"PartitionKey\":5,\"ExplicitHashKey\":340282366920938463463374607431768211455}"))
                .isEqualTo(record("5", "a").toBuilder()
                        .explicitHashKey("340282366920938463463374607431768211455")
                        .build());
        assertThat(entry(api, Map.of("Data", ByteBuffer.wrap(new byte[] {'a'}), "PartitionKey", "p")))
                .isEqualTo(record("p", "a"));
        for (Object wrong : List.of(
                "{\"Data\":\"YQ==\",\"PartitionKey\":\"p\",\"ExplicitHashKey\":{}}",
                "{\"Data\":\"YQ==\",\"PartitionKey\":[\"p\"]}",
                "{\"Data\":1234,\"PartitionKey\":\"p\"}",
                Map.of("Data", Map.of("a", 1), "PartitionKey", "p"))) {
            assertThatThrownBy(() -> api.item(wrong))
                    .isInstanceOf(InvalidItemException.class)
                    .hasMessageMatching("its (ExplicitHashKey|PartitionKey|Data) is no .*");
        }
    }

    @Test
    void nullAndOtherObjectsOfTheSdkAreNoRecords() {
        for (Map<String, String> options :
                List.of(Map.<String, String>of(), Map.of("partitionKey", "p"), Map.of("partitionKeyField", "id"))) {
            BulkApi api = api(options);
            for (Object element :
                    List.of(new RawJson("null".getBytes(StandardCharsets.UTF_8)), Service.MAPPER.nullNode())) {
                assertThatThrownBy(() -> api.item(element))
                        .isInstanceOf(InvalidItemException.class)
                        .hasMessage("it is null");
            }
            assertThatThrownBy(() -> api.item(PutRecordsRequest.builder().build()))
                    .isInstanceOf(InvalidItemException.class)
                    .hasMessageContaining("only a PutRecordsRequestEntry is one");
        }
    }

    @Test
    void aKeyIsWhatTheUserSays() throws Exception {
        PutRecordsRequestEntry entry = record("p", "{\"id\":1.0}");

        assertThat(api(ItemKey.FROM_API).item(entry).key()).isNull();
        assertThat(api(ItemKey.NONE).item(entry).key()).isNull();
        assertThat(api(ItemKey.parse("PartitionKey")).item(entry).key()).isEqualTo("p");
        assertThat(api(ItemKey.parse("id")).item(entry).key())
                .isEqualTo(
                        api(ItemKey.parse("id")).item(record("q", "{\"id\":1}")).key())
                .isNotNull();
        assertThat(api(ItemKey.parse("id")).item(record("p", "no JSON")).key()).isNull();
        assertThat(api(ItemKey.of(body -> "all")).item(entry).key()).isEqualTo("all");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "partitionKey=p,partitionKeyField=id | give one of them",
                "partitionKey= | bulkApi.partitionKey=: expected 1 to 256",
                "partitionKeyField=a;b | bulkApi.partitionKeyField=a,b: expected one name",
                "maxRecordBytes=0 | bulkApi.maxRecordBytes=0: expected a whole number from 1",
                "maxRecordBytes=1MB | bulkApi.maxRecordBytes=1MB: expected",
                "maxRecordBytes=10485761 | bulkApi.maxRecordBytes=10485761: expected"
            })
    void aBadOptionFails(String options, String message) {
        Map<String, String> map = new HashMap<>();
        for (String option : options.split(",")) {
            String[] pair = option.split("=", 2);
            map.put(pair[0], pair[1].replace(';', ','));
        }

        assertThatThrownBy(() -> api(map))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    // ---- Bytes

    @Test
    void dataAndPartitionKeyCount() throws Exception {
        assertThat(api(Map.of()).item(record("schlüssel", "\u20ac")).bytes()).isEqualTo(10 + 3);
    }

    @Test
    void aRecordIsRefusedFromOneByteMoreThanTheStreamTakes() throws Exception {
        BulkApi api = api(Map.of("maxRecordBytes", "10"));

        assertThat(api.item(record("p", "123456789")).refusal()).isNull();
        assertThat(api.item(record("pq", "123456789")).refusal().reason()).isEqualTo(Reason.TOO_LARGE);
        assertThat(api(Map.of()).item(record("p", new byte[MOST_BYTES - 1])).refusal())
                .isNull();
        assertThat(api(Map.of())
                        .item(record("p", new byte[MOST_BYTES]))
                        .refusal()
                        .reason())
                .isEqualTo(Reason.TOO_LARGE);
        assertThat(api.limits().maxBytes()).isEqualTo(MOST_BYTES);
        assertThat(api.limits().maxItems()).isEqualTo(500);
    }

    // ---- Requests

    @Test
    void aWholeRequestKeepsItsEnvelope() throws Exception {
        BulkApi api = api(Map.of());
        PutRecordsRequest whole = PutRecordsRequest.builder()
                .streamARN("arn:aws:kinesis:eu-west-1:1:stream/other")
                .records(record("p", "a"), record("q", "b"))
                .build();
        List<BulkItem> items = new ArrayList<>();
        api.wholeRequest(whole).forEachRemaining(element -> items.add(item(api, element)));
        Exchange exchange = new DefaultExchange(context);

        api.write(items, exchange);

        assertThat(exchange.getMessage().getBody()).isEqualTo(whole);
        assertThat(items.get(0).body()).isSameAs(whole.records().get(0));

        api.write(List.of(item(api, record("p", "a"))), exchange);
        assertThat(exchange.getMessage().getBody(PutRecordsRequest.class).streamName())
                .isEqualTo("s");
        assertThat(api.wholeRequest(Map.of("Records", List.of()))).isNull();
        assertThat(api.wholeRequest(new ByteArrayInputStream("{\"Records\":[]}".getBytes(StandardCharsets.UTF_8))))
                .isNull();
    }

    /** The SDK's default encoding for this service. */
    @Test
    void anAnswerInCborIsReadTheSameWay() throws Exception {
        WireMockServer server = new WireMockServer(
                WireMockConfiguration.options().bindAddress("127.0.0.1").dynamicPort());
        server.start();
        server.stubFor(WireMock.any(WireMock.anyUrl())
                .willReturn(WireMock.aResponse()
                        .withHeader("Content-Type", "application/x-amz-cbor-1.1")
                        .withBody(cborAnswer())));
        // In a context of its own: a component keeps the client of its first endpoint.
        try (SdkClient client = Service.KINESIS.client(URI.create("http://127.0.0.1:" + server.port()), true);
                DefaultCamelContext other = new DefaultCamelContext()) {
            other.getRegistry().bind("client", client);
            other.start();
            Endpoint endpoint = other.getEndpoint(Service.KINESIS.delegateUri("client"));
            BulkApi api = api(Map.of());

            Reply reply =
                    ApiRuns.send(api, endpoint, List.of(item(api, record("p", "a")), item(api, record("q", "b"))));

            assertThat(reply).isInstanceOf(Reply.Verdicts.class);
            assertThat(((Reply.Verdicts) reply).verdicts())
                    .extracting(
                            Verdict::kind,
                            verdict -> verdict.failure() == null
                                    ? null
                                    : verdict.failure().code())
                    .containsExactly(tuple(Verdict.Kind.LANDED, null), tuple(Verdict.Kind.RESIDUE, "InternalFailure"));
            server.verify(WireMock.postRequestedFor(WireMock.anyUrl())
                    .withHeader("Content-Type", WireMock.equalTo("application/x-amz-cbor-1.1")));
        } finally {
            server.stop();
        }
    }

    private static byte[] cborAnswer() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(0xa1); // A map of one, whose value is a list of two maps.
        text(out, "Records");
        out.write(0x82);
        out.write(0xa2);
        text(out, "SequenceNumber");
        text(out, "1");
        text(out, "ShardId");
        text(out, "s-0");
        out.write(0xa2);
        text(out, "ErrorCode");
        text(out, "InternalFailure");
        text(out, "ErrorMessage");
        text(out, "not now");
        return out.toByteArray();
    }

    private static void text(ByteArrayOutputStream out, String text) {
        out.write(0x60 + text.length());
        out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }

    private BulkApi api(Map<String, String> options) {
        return Service.KINESIS.api(context, delegate, options, ItemKey.FROM_API);
    }

    private BulkApi api(ItemKey itemKey) {
        return Service.KINESIS.api(context, delegate, Map.of(), itemKey);
    }

    private static PutRecordsRequestEntry entry(BulkApi api, Object element) throws InvalidItemException {
        return ((KinesisRecord) api.item(element)).entry();
    }

    private static PutRecordsRequestEntry record(String partitionKey, String data) {
        return record(partitionKey, data.getBytes(StandardCharsets.UTF_8));
    }

    private static PutRecordsRequestEntry record(String partitionKey, byte[] data) {
        return PutRecordsRequestEntry.builder()
                .partitionKey(partitionKey)
                .data(SdkBytes.fromByteArray(data))
                .build();
    }

    private static BulkItem item(BulkApi api, Object element) {
        try {
            return api.item(element);
        } catch (InvalidItemException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
