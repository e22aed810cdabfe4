/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.github.batchresidue.bulkapi.RawJson;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

class RequestItemsTest {

    private static final String TEXT = """
            {"ReturnConsumedCapacity": "TOTAL",
             "RequestItems": {
               "b": [{"PutRequest": {"Item": {"pk": {"S": "1"}}}}, {"DeleteRequest": {"Key": {"pk": {"S": "2"}}}}],
               "empty": [],
               "a": [{"PutRequest": {"Item": {"pk": {"S": "1"}}}}]},
             "ReturnItemCollectionMetrics": "NONE"}
            """;

    private static final WriteRequest PUT = WriteRequest.builder()
            .putRequest(put -> put.item(Map.of("pk", AttributeValue.fromS("1"))))
            .build();

    @Test
    void aTextIsReadInItsOrder() {
        assertThat(all(stream(TEXT)))
                .extracting(TableOperation::table, operation -> ((RawJson) operation.operation()).text())
                .containsExactly(
                        tuple("b", "{\"PutRequest\":{\"Item\":{\"pk\":{\"S\":\"1\"}}}}"),
                        tuple("b", "{\"DeleteRequest\":{\"Key\":{\"pk\":{\"S\":\"2\"}}}}"),
                        tuple("a", "{\"PutRequest\":{\"Item\":{\"pk\":{\"S\":\"1\"}}}}"));
    }

    @Test
    void aTreeIsReadLikeItsText() throws Exception {
        assertThat(all(SimulatedDelegate.MAPPER.readTree(TEXT)))
                .extracting(
                        TableOperation::table,
                        operation -> operation.operation().toString())
                .isEqualTo(all(stream(TEXT)).stream()
                        .map(operation -> tuple(operation.table(), ((RawJson) operation.operation()).text()))
                        .toList());
    }

    @Test
    void mapsAreReadInTheirOrder() {
        Map<String, List<WriteRequest>> tables = new LinkedHashMap<>();
        tables.put("b", List.of(PUT, PUT));
        tables.put("a", List.of(PUT));

        assertThat(all(tables)).extracting(TableOperation::table).containsExactly("b", "b", "a");
        assertThat(all(Map.of("RequestItems", tables, "ReturnConsumedCapacity", "TOTAL")))
                .extracting(TableOperation::table)
                .containsExactly("b", "b", "a");
        assertThat(all(Map.of("RequestItems", Map.of("a", List.of())))).isEmpty();
    }

    @Test
    void theEnvelopeOfAnSdkRequestIsKept() {
        BatchWriteItemRequest request = BatchWriteItemRequest.builder()
                .requestItems(Map.of("t", List.of(PUT)))
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                .overrideConfiguration(c -> c.putHeader("a", "b"))
                .build();

        assertThat(all(request)).singleElement().satisfies(operation -> {
            assertThat(operation.operation()).isEqualTo(PUT);
            assertThat(operation.envelope().hasRequestItems()).isFalse();
            assertThat(operation.envelope().returnConsumedCapacity()).isEqualTo(ReturnConsumedCapacity.TOTAL);
            assertThat(operation.envelope().overrideConfiguration()).isEqualTo(request.overrideConfiguration());
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[{\"RequestItems\":{}}]",
                "{\"pk\":\"a\"}\n{\"pk\":\"b\"}",
                "{\"RequestItems\":7}",
                "{\"RequestItems\":{\"a\":1}}",
                "{\"pk\":\"a\",\"RequestItems\":{\"t\":[]}}",
                "<html>",
                "{\"RequestItems\""
            })
    void anotherTextIsLeftAsItWas(String text) throws IOException {
        InputStream stream = stream(text);

        assertThat(RequestItems.of(stream, SimulatedDelegate.MAPPER.getFactory()))
                .isNull();
        assertThat(new String(stream.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(text);
    }

    @Test
    void aLongTextIsLeftAsItWas() throws IOException {
        String text = "[" + "\"x\",".repeat(10_000) + "1]";
        InputStream stream = new BufferedInputStream(stream(text), 10_000);

        assertThat(RequestItems.of(stream, SimulatedDelegate.MAPPER.getFactory()))
                .isNull();
        assertThat(new String(stream.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(text);
    }

    @Test
    void otherBodiesAreNoRequest() throws Exception {
        for (Object body : List.of(
                List.of(PUT),
                Map.of("pk", "a"),
                Map.of(),
                Map.of("id", List.of(), "tags", List.of()),
                Map.of("pk", "a", "RequestItems", Map.of("t", List.of())),
                SimulatedDelegate.MAPPER.readTree("{\"pk\":\"a\",\"RequestItems\":{\"t\":[]}}"),
                Map.of("PutRequest", Map.of("Item", Map.of())),
                Map.of("tags", List.of("a")),
                "text",
                SimulatedDelegate.MAPPER.readTree("[]"),
                SimulatedDelegate.MAPPER.readTree("{\"pk\":1}"))) {
            assertThat(RequestItems.of(body, SimulatedDelegate.MAPPER.getFactory()))
                    .as("%s", body)
                    .isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"RequestItems\":{\"t\":[{\"PutRequest\":{\"Item\":{}}}",
                "{\"RequestItems\":{\"t\":[{\"PutRequest\":{\"Item\":{}}}]}",
                "{\"RequestItems\":{\"t\":[{\"PutRequest\":{\"Item\":{}}}],\"u\":1}}",
                "{\"RequestItems\":{\"t\":[{\"PutRequest\":{\"Item\":{}}}]}} {}",
                "{\"RequestItems\":{\"t\":[{\"PutRequest\":{\"Item\":{}}}]},\"RequestItem\":{\"u\":[]}}",
                "{\"RequestItems\":{\"t\":[{\"PutRequest\":{\"Item\":{}}}, nonsense"
            })
    void aTextThatGoesWrongIsNotPassedOverInSilence(String text) {
        Iterator<TableOperation> operations = RequestItems.of(stream(text), SimulatedDelegate.MAPPER.getFactory());

        assertThat(operations.next().table()).isEqualTo("t");
        assertThatThrownBy(operations::hasNext).isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void aMemberThatNoRequestHasIsRefusedAndNotPassedOver() throws Exception {
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("RequestItem", Map.of("t", List.of()));
        request.put("RequestItems", Map.of("t", List.of(Map.of("PutRequest", Map.of("Item", Map.of())))));
        String text = SimulatedDelegate.MAPPER.writeValueAsString(request);

        for (Object body : List.of(request, SimulatedDelegate.MAPPER.readTree(text), stream(text))) {
            assertThatThrownBy(() -> RequestItems.of(body, SimulatedDelegate.MAPPER.getFactory()))
                    .as("%s", body.getClass())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no member RequestItem:");
        }
    }

    @Test
    void aStreamIsReadAsItIsAskedForAndClosed() throws Exception {
        AtomicBoolean closed = new AtomicBoolean();
        String head = "{\"RequestItems\":{\"t\":[";
        String operation = "{\"PutRequest\":{\"Item\":{\"pk\":{\"S\":\"1\"}}}},";
        InputStream endless = new InputStream() {
            private long position;

            @Override
            public int read() {
                long inOperation = position - head.length();
                int c = inOperation < 0
                        ? head.charAt((int) position)
                        : operation.charAt((int) (inOperation % operation.length()));
                position++;
                return c;
            }

            @Override
            public void close() {
                closed.set(true);
            }
        };

        Iterator<TableOperation> operations =
                RequestItems.of(new BufferedInputStream(endless), SimulatedDelegate.MAPPER.getFactory());
        for (int i = 0; i < 10_000; i++) {
            assertThat(operations.next().table()).isEqualTo("t");
        }
        ((AutoCloseable) operations).close();

        assertThat(closed).isTrue();
    }

    private static List<TableOperation> all(Object body) {
        List<TableOperation> all = new ArrayList<>();
        RequestItems.of(body, SimulatedDelegate.MAPPER.getFactory()).forEachRemaining(all::add);
        return all;
    }

    private static ByteArrayInputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
}
