/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.github.batchresidue.bulkapi.ItemKey;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Reason;
import io.github.batchresidue.engine.RunEnd;
import io.github.batchresidue.simulators.BatchWrite;
import io.github.batchresidue.simulators.CapacityTable;
import io.github.batchresidue.simulators.ScriptedReply;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Engine, bulk API and the SDK's client together against simulated tables. */
class DynamoDbRunTest {

    private final SimulatedDelegate delegate = new SimulatedDelegate();
    private final CapacityTable orders = delegate.tables.createTable("orders");

    @AfterEach
    void stop() {
        delegate.close();
    }

    @Test
    void theReferenceRun() {
        orders.grants(2, 1, 2, 1);

        Ledger ledger = run(plain("a", "b", "c", "d", "e", "f")).ledger();

        assertThat(delegate.tables.batchWrites())
                .extracting(BatchWrite::atMillis)
                .containsExactly(0L, 1000L, 3000L, 7000L);
        assertThat(delegate.requestedKeys())
                .containsExactly(
                        List.of("a", "b", "c", "d", "e", "f"),
                        List.of("c", "d", "e", "f"),
                        List.of("d", "e", "f"),
                        List.of("f"));
        assertThat(orders.writes().values()).containsOnly(1).hasSize(6);
        assertThat(ledger.landed()).isEqualTo(6);
        assertThat(ledger.rounds()).isEqualTo(4);
        assertThat(ledger.requests()).isEqualTo(4);
        assertThat(ledger.waitedMillis()).isEqualTo(7000);
    }

    @Test
    void threeRoundsInWhichNothingLandsLoseNothing() {
        orders.grants(0, 0, 0);
        delegate.tables.retryAfter(5000);

        Ledger ledger = run(plain("a", "b")).ledger();

        assertThat(delegate.tables.batchWrites())
                .extracting(BatchWrite::atMillis)
                .as("the hint of the service is longer than the own wait")
                .containsExactly(0L, 5000L, 10_000L, 15_000L);
        assertThat(ledger.landed()).isEqualTo(2);
        assertThat(orders.writes().values()).containsOnly(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void severalTablesShortOfCapacityTakeEachItemOnce(long seed) {
        Random random = new Random(seed);
        orders.capacity(40, 10);
        CapacityTable audit = delegate.tables
                .createTable("audit")
                .partitionKey("id", "N")
                .sortKey("at", "S")
                .capacity(25, 3);
        List<String> puts = new ArrayList<>();
        List<String> audits = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            puts.add("{\"PutRequest\":{\"Item\":" + RandomItems.json(random, "pk", "{\"S\":\"o-" + i + "\"}") + "}}");
            audits.add("{\"DeleteRequest\":{\"Key\":{\"at\":{\"S\":\"t\"},\"id\":{\"N\":\"" + i + ".0\"}}}}");
        }
        String body = "{\"RequestItems\":{\"orders\":[" + String.join(",", puts) + "],\"audit\":["
                + String.join(",", audits) + "]}}";

        Ledger ledger = run(stream(body)).ledger();

        assertThat(ledger.landed()).isEqualTo(600);
        assertThat(ledger.givenUp() + ledger.terminal() + ledger.pending()).isZero();
        assertThat(orders.writes().values()).hasSize(300).containsOnly(1);
        assertThat(audit.writes().values()).hasSize(300).containsOnly(1);
        assertThat(delegate.tables.batchWrites())
                .allSatisfy(request -> assertThat(request.operations()).hasSizeLessThanOrEqualTo(25));
    }

    @Test
    void aKeyThatNeverGetsCapacityIsGivenUpAndTheOthersLand() {
        orders.starve("c");

        Ledger ledger = run(plain("a", "b", "c", "d")).ledger();

        assertThat(ledger.landed()).isEqualTo(3);
        assertThat(ledger.givenUpItems()).singleElement().satisfies(item -> {
            assertThat(item.index()).isEqualTo(2);
            assertThat(item.attempts()).isEqualTo(11);
            assertThat(item.reason()).isEqualTo(Reason.REDELIVERIES_EXHAUSTED);
            assertThat(item.failure().code()).isEqualTo("ProvisionedThroughputExceededException");
        });
    }

    @Test
    void twoWritesOfOneKeyKeepTheirOrder() {
        orders.grants(1);
        List<Object> body = List.of(
                Map.of("pk", "s-2", "state", "packed"),
                Map.of("pk", "s-1", "state", "packed"),
                Map.of("pk", "s-1", "state", "sent"),
                Map.of("pk", "s-1", "state", "delivered"));

        Ledger ledger = run(body).ledger();

        assertThat(ledger.landed()).isEqualTo(4);
        assertThat(delegate.requestedKeys())
                .containsExactly(List.of("s-2", "s-1"), List.of("s-1"), List.of("s-1"), List.of("s-1"));
        assertThat(orders.item("s-1").path("state").path("S").asText()).isEqualTo("delivered");
        assertThat(delegate.tables.described()).containsExactly("orders");
    }

    @Test
    void withoutAKeyARefusalForDuplicatesIsIsolated() {
        List<Object> body = List.of(
                Map.of("pk", "a", "n", 1),
                Map.of("pk", "b", "n", 1),
                Map.of("pk", "a", "n", 2),
                Map.of("pk", "c", "n", 1));

        Ledger ledger = delegate.run(
                        delegate.api(ItemKey.NONE), body, delegate.options().build())
                .ledger();

        assertThat(ledger.landed()).isEqualTo(4);
        assertThat(delegate.requestedKeys())
                .containsExactly(List.of("a", "b", "a", "c"), List.of("a", "b"), List.of("a", "c"));
        assertThat(delegate.tables.described()).isEmpty();
    }

    @Test
    void aRefusedItemIsFoundAndTheOthersLand() {
        Ledger ledger = run(plain("a", "b", "c", "")).ledger();

        assertThat(orders.writes().keySet()).containsExactlyInAnyOrder(List.of("a"), List.of("b"), List.of("c"));
        assertThat(ledger.terminalItems()).singleElement().satisfies(item -> {
            assertThat(item.index()).isEqualTo(3);
            assertThat(item.reason()).isEqualTo(Reason.REJECTED);
            assertThat(item.failure().status()).isEqualTo(400);
            assertThat(item.failure().code()).isEqualTo("ValidationException");
        });
    }

    @Test
    void anItemTooLargeIsNeverSent() {
        Ledger ledger = run(List.of(
                        Map.of("pk", "a"), Map.of("pk", "b", "text", "x".repeat(410_000)), Map.of("pk", "c")))
                .ledger();

        assertThat(delegate.requestedKeys()).containsExactly(List.of("a", "c"));
        assertThat(ledger.terminalItems()).singleElement().satisfies(item -> {
            assertThat(item.reason()).isEqualTo(Reason.TOO_LARGE);
            assertThat(item.attempts()).isZero();
            assertThat(item.failure().message()).contains("410007").contains("409600");
        });
    }

    @Test
    void whatIsNoItemIsTerminalAndTheOthersLand() {
        Ledger ledger = run(List.of(Map.of("pk", "a"), 7, Map.of("pk", "b"))).ledger();

        assertThat(ledger.landed()).isEqualTo(2);
        assertThat(ledger.terminalItems())
                .extracting(LedgerItem::index, LedgerItem::attempts)
                .containsExactly(tuple(1L, 0));
    }

    @Test
    void aStrangersEchoMakesTheUnnamedUnknown() {
        delegate.tables.script(
                List.of(unprocessed("{\"orders\":[" + put("b") + "," + put("zz") + "]}"), unprocessed("{}")));

        Ledger ledger = run(plain("a", "b", "c")).ledger();

        assertThat(delegate.requestedKeys()).containsExactly(List.of("a", "b", "c"), List.of("a", "b", "c"));
        assertThat(ledger.landed()).isEqualTo(3);
    }

    @Test
    void aMissingTableFailsAtOnceAndKeepsTheItems() {
        RunEnd end = run(Map.of(
                "orders", List.of(Map.of("PutRequest", Map.of("Item", Map.of("pk", Map.of("S", "a"))))),
                "nowhere", List.of(Map.of("PutRequest", Map.of("Item", Map.of("pk", Map.of("S", "b")))))));

        assertThat(end.failure()).hasMessageContaining("Requested resource not found");
        assertThat(end.ledger().pending()).isEqualTo(2);
        assertThat(end.ledger().pendingItems()).noneMatch(LedgerItem::maybeLanded);
        assertThat(orders.writes()).isEmpty();
    }

    private RunEnd run(Object body) {
        return delegate.run(delegate.api(), body, delegate.options().build());
    }

    private static List<Object> plain(String... keys) {
        return IntStream.range(0, keys.length)
                .<Object>mapToObj(i -> Map.of("pk", keys[i], "qty", i))
                .toList();
    }

    private static String put(String key) {
        return "{\"PutRequest\":{\"Item\":{\"qty\":{\"N\":\"1\"},\"pk\":{\"S\":\"" + key + "\"}}}}";
    }

    private static ScriptedReply unprocessed(String tables) {
        return ScriptedReply.of(200, "{\"UnprocessedItems\":" + tables + "}");
    }

    private static ByteArrayInputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
}
