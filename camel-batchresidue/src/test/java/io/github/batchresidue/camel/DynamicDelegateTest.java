/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.batchresidue.engine.Ledger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A dynamic step names the delegate of each exchange. Its cache keeps one producer, so each call evicts the one before. */
class DynamicDelegateTest {

    private static final int TABLES = 5;

    private final CamelContext context = new DefaultCamelContext();

    /** The words that each table was sent, in their order. */
    private final Map<String, String> sent = new ConcurrentHashMap<>();

    private final Set<String> open = ConcurrentHashMap.newKeySet();

    @AfterEach
    void stop() {
        context.stop();
    }

    @Test
    void anEvictionEndsNoRun() throws Exception {
        context.getRegistry().bind("words", new WordApi());
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:in")
                        .toD(
                                "batchresidue:direct:table${header.table}?bulkApi=#words&redeliveryDelay=20"
                                        + "&jitter=NONE&maximumRedeliveries=-1&batchSize=${header.size}",
                                1);
                for (int i = 0; i < TABLES; i++) {
                    String table = "table" + i;
                    from("direct:" + table).process(exchange -> {
                        String words = String.join("", exchange.getMessage().getBody(String[].class));
                        sent.merge(table, words, (before, now) -> before + " " + now);
                        (open.contains(table) ? WordService.landingAll() : WordService.taking("a")).process(exchange);
                    });
                }
            }
        });
        context.start();

        List<CompletableFuture<Exchange>> calls = new ArrayList<>();
        for (int i = 0; i < TABLES; i++) {
            Map<String, Object> headers = Map.of("table", i, "size", 10 + i);
            calls.add(context.createProducerTemplate().asyncSend("direct:in", exchange -> {
                exchange.getMessage().setBody(List.of("a", "b"));
                exchange.getMessage().setHeaders(new TreeMap<>(headers));
            }));
            String table = "table" + i;
            await().until(() -> sent.getOrDefault(table, "").endsWith(" b"));
        }
        assertThat(calls).noneMatch(CompletableFuture::isDone);
        for (int i = 0; i < TABLES; i++) {
            open.add("table" + i);
        }

        for (int i = 0; i < TABLES; i++) {
            Exchange done = calls.get(i).get(20, TimeUnit.SECONDS);
            assertThat(done.getException()).isNull();
            Ledger ledger = done.getMessage().getBody(Ledger.class);
            assertThat(ledger.landed()).isEqualTo(2);
            assertThat(sent.get("table" + i)).matches("ab( b)+");
            assertThat(ledger.requests()).isEqualTo(sent.get("table" + i).split(" ").length);
        }
    }
}
