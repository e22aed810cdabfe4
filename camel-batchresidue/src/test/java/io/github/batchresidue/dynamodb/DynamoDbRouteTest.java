/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.camel.BatchResidueConstants;
import io.github.batchresidue.camel.BatchResidueException;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.Reason;
import io.github.batchresidue.simulators.CapacityTable;
import io.github.batchresidue.simulators.CapacityTables;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** The whole chain: a route, the aws2-ddb component, the real client and a table that is short of capacity. */
class DynamoDbRouteTest {

    private final CapacityTables tables = new CapacityTables();
    private final CapacityTable table = tables.createTable("orders");
    private final DynamoDbClient client = DynamoDbClient.builder()
            .endpointOverride(tables.endpoint())
            .region(Region.EU_WEST_1)
            .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("key", "secret")))
            .overrideConfiguration(override -> override.retryStrategy(AwsRetryStrategy.doNotRetry()))
            .build();
    private final CamelContext context = new DefaultCamelContext();

    @BeforeEach
    void start() throws Exception {
        context.getRegistry().bind("client", client);
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:orders")
                        .to("batchresidue:aws2-ddb:orders?amazonDDBClient=#client&redeliveryDelay=20"
                                + "&maximumRedeliveryDelay=400&maximumRedeliveries=-1");
                from("direct:short-of-patience")
                        .to("batchresidue:aws2-ddb:orders?amazonDDBClient=#client&redeliveryDelay=1"
                                + "&maximumRedeliveries=2");
            }
        });
        context.start();
    }

    @AfterEach
    void stop() throws Exception {
        context.stop();
        client.close();
        tables.close();
    }

    @Test
    void fiftyCallersShareATableAndEachLedgerIsRight() throws Exception {
        table.capacity(1000, 50);
        List<CompletableFuture<Exchange>> calls = new ArrayList<>();
        Set<String> expected = new HashSet<>();
        for (int caller = 0; caller < 50; caller++) {
            List<Map<String, Object>> orders = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                String key = "c" + caller + "-" + i;
                orders.add(Map.of("pk", key, "caller", caller));
                expected.add(key);
            }
            Exchange exchange = new DefaultExchange(context);
            exchange.getMessage().setBody(orders);
            calls.add(context.createProducerTemplate().asyncSend("direct:orders", exchange));
        }

        for (CompletableFuture<Exchange> call : calls) {
            Exchange done = call.get(60, TimeUnit.SECONDS);
            assertThat(done.getException()).isNull();
            Ledger ledger = done.getMessage().getBody(Ledger.class);
            assertThat(ledger.items()).isEqualTo(20);
            assertThat(ledger.landedItems()).hasSize(20).allSatisfy(item -> assertThat(
                            ((Map<?, ?>) item.body()).get("pk"))
                    .isEqualTo("c" + ((Map<?, ?>) item.body()).get("caller") + "-" + item.index()));
        }
        assertThat(table.items())
                .extracting(item -> item.get("pk").get("S").asText())
                .hasSameElementsAs(expected);
        assertThat(table.writes()).hasSize(1000).allSatisfy((key, writes) -> assertThat(writes)
                .isEqualTo(1));
    }

    @Test
    void aKeyThatNeverGetsCapacityDoesNotHoldUpTheRestAndIsHandedBack() {
        table.starve("hot");
        List<Map<String, Object>> orders = new ArrayList<>();
        orders.add(Map.of("pk", "hot"));
        for (int i = 0; i < 60; i++) {
            orders.add(Map.of("pk", "cold-" + i));
        }

        Exchange done = context.createProducerTemplate()
                .request("direct:short-of-patience", exchange -> exchange.getMessage()
                        .setBody(orders));

        assertThat(done.getException()).isInstanceOf(BatchResidueException.class);
        Ledger ledger = BatchResidueException.of(done).orElseThrow().getLedger();
        assertThat(ledger.landed()).isEqualTo(60);
        assertThat(ledger.givenUpItems()).singleElement().satisfies(item -> {
            assertThat(item.body()).isEqualTo(Map.of("pk", "hot"));
            assertThat(item.attempts()).isEqualTo(3);
            assertThat(item.reason()).isEqualTo(Reason.REDELIVERIES_EXHAUSTED);
        });
        assertThat(table.items()).hasSize(60);
        assertThat(done.getMessage().getBody()).isSameAs(orders);
    }

    @Test
    void anItemTooLargeForTheTableIsNeverSent() {
        String large = "x".repeat(401 * 1024);

        Exchange done = context.createProducerTemplate().request("direct:orders", exchange -> exchange.getMessage()
                .setBody(List.of(Map.of("pk", "a"), Map.of("pk", "b", "note", large), Map.of("pk", "c"))));

        Ledger ledger = done.getProperty(BatchResidueConstants.LEDGER, Ledger.class);
        assertThat(ledger.landed()).isEqualTo(2);
        assertThat(ledger.terminalItems()).singleElement().satisfies(item -> {
            assertThat(item.index()).isEqualTo(1);
            assertThat(item.reason()).isEqualTo(Reason.TOO_LARGE);
            assertThat(item.attempts()).isZero();
        });
        assertThat(tables.batchWrites()).singleElement().satisfies(write -> assertThat(write.operations())
                .hasSize(2));
        assertThat(table.items()).hasSize(2);
    }

    @Test
    void anElementOfAWholeRequestThatIsNoOperationIsHandedBackAsItStood() {
        Exchange done = context.createProducerTemplate()
                .request(
                        "direct:orders",
                        exchange -> exchange.getMessage()
                                .setBody(
                                        "{\"RequestItems\":{\"orders\":[{\"PutRequst\":1},{\"PutRequest\":{\"Item\":{\"pk\":{\"S\":\"a\"}}}}]}}"));

        Ledger ledger = done.getProperty(BatchResidueConstants.LEDGER, Ledger.class);
        assertThat(ledger.landed()).isEqualTo(1);
        assertThat(ledger.terminalItems()).singleElement().satisfies(item -> assertThat(item.body())
                .isEqualTo("{\"PutRequst\":1}"));
    }

    @Test
    void anItemThatHoldsItselfIsTerminalAndLosesNobody() {
        Map<String, Object> endless = new HashMap<>(Map.of("pk", "endless"));
        endless.put("self", endless);

        Exchange done = context.createProducerTemplate().request("direct:orders", exchange -> exchange.getMessage()
                .setBody(List.of(Map.of("pk", "a"), endless, Map.of("pk", "c"))));

        Ledger ledger = done.getProperty(BatchResidueConstants.LEDGER, Ledger.class);
        assertThat(ledger.items()).isEqualTo(3);
        assertThat(ledger.landed()).isEqualTo(2);
        assertThat(ledger.terminalItems()).singleElement().satisfies(item -> {
            assertThat(item.index()).isEqualTo(1);
            assertThat(item.failure().message()).contains("item 1: it is nested too deep");
        });
    }

    static Stream<Object> elementsThatBreakWhatReadsThem() {
        CharSequence withoutText = new CharSequence() {
            @Override
            public int length() {
                return 1;
            }

            @Override
            public char charAt(int index) {
                return 'a';
            }

            @Override
            public CharSequence subSequence(int start, int end) {
                return this;
            }

            @Override
            public String toString() {
                throw new IllegalStateException("no text");
            }
        };
        Map<String, Object> withoutEntries = new AbstractMap<>() {
            @Override
            public Set<Map.Entry<String, Object>> entrySet() {
                throw new ConcurrentModificationException("no entries");
            }
        };
        return Stream.of(
                put(null),
                put(AttributeValue.builder().ss((String) null).build()),
                put(AttributeValue.fromL(Collections.singletonList(null))),
                Map.of("pk", "b", "note", withoutText),
                withoutEntries);
    }

    private static WriteRequest put(AttributeValue note) {
        Map<String, AttributeValue> item = new HashMap<>();
        item.put("pk", AttributeValue.fromS("b"));
        item.put("note", note);
        return WriteRequest.builder().putRequest(put -> put.item(item)).build();
    }

    @ParameterizedTest
    @MethodSource("elementsThatBreakWhatReadsThem")
    void anElementThatBreaksWhatReadsItIsTerminalAndLosesNobody(Object breaking) {
        Exchange done = context.createProducerTemplate().request("direct:orders", exchange -> exchange.getMessage()
                .setBody(List.of(Map.of("pk", "a"), breaking, Map.of("pk", "c"))));

        Ledger ledger = done.getProperty(BatchResidueConstants.LEDGER, Ledger.class);
        assertThat(ledger.items()).isEqualTo(3);
        assertThat(ledger.landed()).isEqualTo(2);
        assertThat(ledger.inputExhausted()).isTrue();
        assertThat(ledger.terminalItems()).singleElement().satisfies(item -> {
            assertThat(item.index()).isEqualTo(1);
            assertThat(item.body()).isSameAs(breaking);
            assertThat(item.failure().message()).contains("item 1: ", "Exception");
        });
        assertThat(table.items()).hasSize(2);
    }
}
