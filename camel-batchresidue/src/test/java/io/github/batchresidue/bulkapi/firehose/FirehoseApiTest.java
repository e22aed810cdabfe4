/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.firehose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.ItemKey;
import io.github.batchresidue.bulkapi.RawJson;
import io.github.batchresidue.bulkapi.aws.Service;
import io.github.batchresidue.engine.Reason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.firehose.model.PutRecordBatchRequest;
import software.amazon.awssdk.services.firehose.model.Record;

class FirehoseApiTest {

    private final DefaultCamelContext context = new DefaultCamelContext();
    private final Endpoint delegate =
            context.getEndpoint("aws2-kinesis-firehose:d?accessKey=a&secretKey=b&region=eu-west-1");

    @AfterEach
    void stop() {
        context.stop();
    }

    @Test
    void anItemIsDataOrARecord() throws Exception {
        BulkApi api = api(Map.of());

        assertThat(data(api, "a")).isEqualTo("a");
        assertThat(data(api, Map.of("Data", "YQ=="))).isEqualTo("{\"Data\":\"YQ==\"}");
        assertThat(data(api, record(1))).isEqualTo("x");
        assertThat(api.item(record(1)).safeToResend()).isFalse();
        assertThatThrownBy(() -> api.item(Record.builder().build())).isInstanceOf(InvalidItemException.class);
        assertThatThrownBy(() -> api.item(new RawJson("null".getBytes(StandardCharsets.UTF_8))))
                .isInstanceOf(InvalidItemException.class)
                .hasMessage("it is null");
        assertThatThrownBy(() -> api.item(PutRecordBatchRequest.builder().build()))
                .isInstanceOf(InvalidItemException.class)
                .hasMessageContaining("only a Record is one");
    }

    @Test
    void aLineEndIsPutBehindDataIfAskedFor() throws Exception {
        BulkApi api = api(Map.of("appendNewLine", "true"));

        assertThat(data(api, Map.of("a", 1))).isEqualTo("{\"a\":1}\n");
        assertThat(api.item("ab").bytes()).isEqualTo(3);
        assertThat(data(api, record(1))).as("a record is as it is").isEqualTo("x");
        assertThatThrownBy(() -> api(Map.of("appendNewLine", "yes")))
                .hasMessageContaining("bulkApi.appendNewLine=yes: expected true or false");
    }

    @Test
    void aRecordIsRefusedFromOneByteMoreThanTheServiceTakes() throws Exception {
        BulkApi api = api(Map.of());

        assertThat(api.item(record(1_024_000)).refusal()).isNull();
        assertThat(api.item(record(1_024_001)).refusal().reason()).isEqualTo(Reason.TOO_LARGE);
        assertThat(api.limits().maxItems()).isEqualTo(500);
        assertThat(api.limits().maxBytes()).isEqualTo(4_194_304);
    }

    @Test
    void aWholeRequestKeepsItsStream() throws Exception {
        BulkApi api = api(Map.of());
        PutRecordBatchRequest whole = PutRecordBatchRequest.builder()
                .deliveryStreamName("other")
                .records(record(1), record(2))
                .build();
        List<BulkItem> items = new ArrayList<>();
        api.wholeRequest(whole).forEachRemaining(element -> items.add(item(api, element)));
        Exchange exchange = new DefaultExchange(context);

        api.write(items, exchange);
        assertThat(exchange.getMessage().getBody()).isEqualTo(whole);

        api.write(List.of(item(api, "a")), exchange);
        assertThat(exchange.getMessage().getBody(PutRecordBatchRequest.class).deliveryStreamName())
                .isEqualTo("d");
    }

    @Test
    void anOperationThatSendsNothingFails() {
        Endpoint describing = context.getEndpoint(
                "aws2-kinesis-firehose:d?operation=describeDeliveryStream&accessKey=a&secretKey=b&region=eu-west-1");
        Endpoint sending = context.getEndpoint(
                "aws2-kinesis-firehose:d?operation=sendBatchRecord&accessKey=a&secretKey=b&region=eu-west-1");

        assertThatThrownBy(() -> Service.FIREHOSE.api(context, describing, Map.of(), ItemKey.FROM_API))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("operation=describeDeliveryStream");
        assertThat(Service.FIREHOSE.api(context, sending, Map.of(), ItemKey.FROM_API))
                .isNotNull();
    }

    private BulkApi api(Map<String, String> options) {
        return Service.FIREHOSE.api(context, delegate, options, ItemKey.FROM_API);
    }

    private static String data(BulkApi api, Object element) throws InvalidItemException {
        return ((FirehoseRecord) api.item(element)).entry().data().asUtf8String();
    }

    private static Record record(int bytes) {
        return Record.builder().data(SdkBytes.fromUtf8String("x".repeat(bytes))).build();
    }

    private static BulkItem item(BulkApi api, Object element) {
        try {
            return api.item(element);
        } catch (InvalidItemException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
