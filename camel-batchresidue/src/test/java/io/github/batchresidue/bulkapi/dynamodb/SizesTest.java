/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchresidue.bulkapi.aws.TestClients;
import io.github.batchresidue.simulators.CapacityTables;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

class SizesTest {

    /** Its digits cannot be counted: the service refuses it by itself. */
    @Test
    void aNumberOutOfEveryRangeBreaksNothing() {
        AttributeValue number = AttributeValue.fromN("1000E2147483647");

        assertThat(Sizes.storedBytes(Map.of("n", number))).isEqualTo(1);
        assertThat(Canonical.of(number)).isEqualTo(Canonical.of(AttributeValue.fromN("1000E2147483647")));
    }

    /** Its own JSON writer says what a request has on the wire. */
    @Test
    void wireBytesAreThoseOfTheSdk() {
        AtomicLong sent = new AtomicLong();
        ExecutionInterceptor measure = new ExecutionInterceptor() {
            @Override
            public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
                sent.set(Long.parseLong(context.httpRequest()
                        .firstMatchingHeader("Content-Length")
                        .orElseThrow()));
            }
        };
        try (CapacityTables tables = new CapacityTables();
                DynamoDbClient client = TestClients.withDefaults(tables.endpoint())
                        .overrideConfiguration(c -> c.addExecutionInterceptor(measure))
                        .build()) {
            tables.createTable("t\u00e4ble");
            for (long seed = 0; seed < 200; seed++) {
                Random random = new Random(seed);
                Map<String, AttributeValue> attributes = RandomItems.attributes(random, 3);
                boolean isPut = random.nextBoolean();
                attributes.put("pk", AttributeValue.fromS("" + seed));
                WriteRequest request = isPut
                        ? put(attributes)
                        : WriteRequest.builder()
                                .deleteRequest(delete -> delete.key(Map.of("pk", AttributeValue.fromS("k"))))
                                .build();

                client.batchWriteItem(batch -> batch.requestItems(Map.of("t\u00e4ble", List.of(request))));

                long bytes = Sizes.ENVELOPE + Sizes.wireBytes("t\u00e4ble", request);
                // Two commas that a single operation does not have, and "false" where "true" is one shorter.
                assertThat(bytes - sent.get()).as("seed %d", seed).isBetween(2L, 2L + flags(attributes));
            }
        }
    }

    @Test
    void storedBytesAreCountedAsInTheGuide() {
        assertThat(stored(AttributeValue.fromS("\u00e4\u20ac\ud83d\ude80"))).isEqualTo(2 + 3 + 4);
        assertThat(stored(AttributeValue.fromN("123"))).isEqualTo(2);
        assertThat(stored(AttributeValue.fromN("-1200000"))).isEqualTo(1);
        assertThat(stored(AttributeValue.fromN("0.0012"))).isEqualTo(1);
        assertThat(stored(AttributeValue.fromN("no number"))).isZero();
        assertThat(stored(AttributeValue.fromB(SdkBytes.fromByteArray(new byte[7]))))
                .isEqualTo(7);
        assertThat(stored(AttributeValue.fromBool(true))).isEqualTo(1);
        assertThat(stored(AttributeValue.fromNul(true))).isEqualTo(1);
        assertThat(stored(AttributeValue.fromSs(List.of("a", "bc")))).isEqualTo(3);
        assertThat(stored(AttributeValue.fromNs(List.of("1", "345")))).isEqualTo(3);
        assertThat(stored(AttributeValue.fromBs(List.of(SdkBytes.fromByteArray(new byte[2])))))
                .isEqualTo(2);
        assertThat(stored(AttributeValue.fromL(List.of(AttributeValue.fromS("ab")))))
                .isEqualTo(3 + 1 + 2);
        assertThat(stored(AttributeValue.fromM(Map.of("k", AttributeValue.fromS("ab")))))
                .isEqualTo(3 + 1 + 1 + 2);
        assertThat(Sizes.storedBytes(Map.of("name", AttributeValue.fromS("x")))).isEqualTo(5);
    }

    @Test
    void nothingIsRefusedThatTheServiceTakes() {
        try (CapacityTables tables = new CapacityTables();
                DynamoDbClient client = TestClients.sendingOnce(tables.endpoint())) {
            tables.createTable("t");
            int rest = 400 * 1024 - "pk".length() - "k".length() - "text".length();

            Operation largest = operation("x".repeat(rest));
            assertThat(largest.refusal()).isNull();
            client.batchWriteItem(batch -> batch.requestItems(Map.of("t", List.of(largest.request()))));

            Operation tooLarge = operation("x".repeat(rest + 1));
            assertThat(tooLarge.refusal()).isNotNull();
            assertThatThrownBy(() -> client.batchWriteItem(
                            batch -> batch.requestItems(Map.of("t", List.of(tooLarge.request())))))
                    .hasMessageContaining("maximum allowed size");
        }
    }

    private static Operation operation(String text) {
        Map<String, AttributeValue> attributes =
                Map.of("pk", AttributeValue.fromS("k"), "text", AttributeValue.fromS(text));
        return Operation.of("t", put(attributes), null, attributes, null, null);
    }

    private static WriteRequest put(Map<String, AttributeValue> attributes) {
        return WriteRequest.builder()
                .putRequest(put -> put.item(new LinkedHashMap<>(attributes)))
                .build();
    }

    private static long stored(AttributeValue value) {
        return Sizes.storedBytes(Map.of("", value));
    }

    private static long flags(Map<String, AttributeValue> attributes) {
        return attributes.values().stream().mapToLong(SizesTest::flags).sum();
    }

    private static long flags(AttributeValue value) {
        return switch (value.type()) {
            case BOOL, NUL -> 1;
            case M -> flags(value.m());
            case L -> value.l().stream().mapToLong(SizesTest::flags).sum();
            default -> 0;
        };
    }
}
