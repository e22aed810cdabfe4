/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.AsyncCallback;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.impl.engine.PooledExchangeFactory;
import org.apache.camel.impl.engine.PooledProcessorExchangeFactory;
import org.apache.camel.support.SynchronizationAdapter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Exchanges that a consumer takes from a pool are another call's as soon as the callback has been called. */
class PooledExchangesTest {

    private static final String STEP = "batchresidue:probe:table?bulkApi=#words&jitter=NONE&redeliveryDelay=1";

    private final CamelContext context = new DefaultCamelContext();
    private final ProbeComponent probe = new ProbeComponent();
    private final AtomicInteger begun = new AtomicInteger();
    private final Set<Object> exchanges =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    /** What became of the call with this word. */
    private record Outcome(String word, Ledger ledger, Throwable failure) {}

    private final Queue<Outcome> outcomes = new ConcurrentLinkedQueue<>();

    /** So many calls begin, and end, before any other. */
    private int secondWaveAt = Integer.MAX_VALUE;

    private void start(boolean isPooled, int calls, String step) throws Exception {
        if (isPooled) {
            context.getCamelContextExtension().setExchangeFactory(new PooledExchangeFactory());
            context.getCamelContextExtension().setProcessorExchangeFactory(new PooledProcessorExchangeFactory());
        }
        context.getRegistry().bind("words", new WordApi());
        context.addComponent("probe", probe);
        context.getShutdownStrategy().setTimeUnit(TimeUnit.MILLISECONDS);
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("timer:calls?delay=-1&synchronous=false&repeatCount=" + calls)
                        .process(exchange -> {
                            if (begun.get() == secondWaveAt) {
                                await().atMost(Duration.ofSeconds(60)).until(() -> outcomes.size() == secondWaveAt);
                            }
                            exchanges.add(exchange);
                            exchange.getExchangeExtension().addOnCompletion(new SynchronizationAdapter() {
                                @Override
                                public void onDone(Exchange done) {
                                    outcomes.add(new Outcome(
                                            done.getProperty("word", String.class),
                                            done.getProperty(BatchResidueConstants.LEDGER, Ledger.class),
                                            done.getException()));
                                }
                            });
                            exchange.getMessage().setBody(List.of("w" + begun.incrementAndGet()));
                            exchange.setProperty(
                                    "word",
                                    exchange.getMessage().getBody(List.class).get(0));
                        })
                        .to(step);
            }
        });
        context.start();
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    private void assertEachCallEndedOnceWithItsOwnItem(int calls) {
        assertThat(outcomes).extracting(Outcome::word).doesNotHaveDuplicates().hasSize(calls);
        assertThat(outcomes).allSatisfy(outcome -> {
            Ledger ledger = outcome.ledger();
            assertThat(ledger.items()).isEqualTo(1);
            assertThat(ledger.landed() + ledger.givenUp()).isEqualTo(1);
            List<LedgerItem> items = ledger.landed() == 1 ? ledger.landedItems() : ledger.givenUpItems();
            assertThat(items).singleElement().extracting(LedgerItem::body).isEqualTo(outcome.word());
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everyCallGetsItsOwnLedger(boolean isPooled) throws Exception {
        Set<String> throttledOnce = new HashSet<>();
        probe.behave((exchange, callback) -> {
            synchronized (throttledOnce) {
                WordService.answering(word -> throttledOnce.add(word) ? "residue" : "landed")
                        .process(exchange);
            }
            callback.done(true);
            return true;
        });

        secondWaveAt = 100;
        start(isPooled, 200, STEP);

        await().atMost(Duration.ofSeconds(60)).until(() -> outcomes.size() == 200);
        assertEachCallEndedOnceWithItsOwnItem(200);
        assertThat(outcomes).allMatch(outcome -> outcome.ledger().landed() == 1 && outcome.failure() == null);
        if (isPooled) {
            assertThat(exchanges).as("exchanges were used again").hasSizeLessThan(200);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aStopAccountsForEveryCall(boolean isPooled) throws Exception {
        context.getShutdownStrategy().setTimeout(200);
        probe.behave((exchange, callback) -> {
            WordService.answering(word -> word.endsWith("7") ? "landed" : "residue")
                    .process(exchange);
            callback.done(true);
            return true;
        });
        start(isPooled, 100, STEP.replace("redeliveryDelay=1", "redeliveryDelay=1h"));
        await().until(() -> outcomes.size() == 10 && begun.get() == 100);

        context.stop();

        await().until(() -> outcomes.size() == 100);
        assertEachCallEndedOnceWithItsOwnItem(100);
    }

    @Test
    void aLateReplyReachesNobody() throws Exception {
        Queue<Runnable> late = new ConcurrentLinkedQueue<>();
        probe.behave((exchange, callback) -> {
            late.add(() -> answer(exchange, callback));
            return false;
        });
        start(true, 3, STEP + "&redeliveryTimeout=50");
        await().until(() -> outcomes.size() == 3);

        late.forEach(Runnable::run);

        assertThat(late).hasSize(3);
        assertEachCallEndedOnceWithItsOwnItem(3);
        assertThat(outcomes).allMatch(outcome -> outcome.ledger().givenUp() == 1);
    }

    private static void answer(Exchange exchange, AsyncCallback callback) {
        WordService.landingAll().process(exchange);
        callback.done(false);
    }
}
