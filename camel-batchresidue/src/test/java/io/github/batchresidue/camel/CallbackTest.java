/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.Reply;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.apache.camel.AsyncCallback;
import org.apache.camel.AsyncProducer;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** However a delegate or a bulk API behaves, the caller is called back once. */
class CallbackTest {

    private static final ExecutorService ELSEWHERE = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "elsewhere");
        thread.setDaemon(true);
        return thread;
    });

    private final CamelContext context = new DefaultCamelContext();
    private final ProbeComponent probe = new ProbeComponent();
    private final AtomicInteger callbacks = new AtomicInteger();

    @BeforeEach
    void start() {
        context.addComponent("probe", probe);
        context.start();
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    private record Behaviour(String name, boolean lands, BiFunction<Exchange, AsyncCallback, Boolean> process) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Behaviour> behaviours() {
        return Stream.of(
                new Behaviour("answers at once", true, (exchange, callback) -> {
                    land(exchange);
                    callback.done(true);
                    return true;
                }),
                new Behaviour("answers at once from another thread", true, (exchange, callback) -> {
                    ELSEWHERE.execute(() -> {
                        land(exchange);
                        callback.done(false);
                    });
                    return false;
                }),
                new Behaviour("answers on its thread before it returns", true, (exchange, callback) -> {
                    land(exchange);
                    callback.done(false);
                    return false;
                }),
                new Behaviour("answers twice", true, (exchange, callback) -> {
                    land(exchange);
                    callback.done(true);
                    callback.done(true);
                    return true;
                }),
                new Behaviour("answers twice from two threads", true, (exchange, callback) -> {
                    land(exchange);
                    ELSEWHERE.execute(() -> callback.done(false));
                    callback.done(false);
                    return false;
                }),
                new Behaviour("answers and then throws", false, (exchange, callback) -> {
                    land(exchange);
                    callback.done(true);
                    throw new IllegalArgumentException("after the answer");
                }),
                new Behaviour("throws", false, (exchange, callback) -> {
                    throw new IllegalArgumentException("instead of an answer");
                }),
                new Behaviour("throws an error", false, (exchange, callback) -> {
                    throw new AssertionError("instead of an answer");
                }),
                new Behaviour("fails", false, (exchange, callback) -> {
                    exchange.setException(new IllegalArgumentException("failed"));
                    callback.done(true);
                    return true;
                }));
    }

    @ParameterizedTest
    @MethodSource("behaviours")
    void aDelegate(Behaviour behaviour) throws Exception {
        probe.behave(behaviour.process);

        for (int parallel : new int[] {1, 3}) {
            Exchange done = send(new WordApi(), "&batchSize=1&parallelRequests=" + parallel);

            assertThat(callbacks.get()).isEqualTo(1);
            Ledger ledger = done.getProperty(BatchResidueConstants.LEDGER, Ledger.class);
            if (behaviour.lands) {
                assertThat(done.getException()).isNull();
                assertThat(ledger.landed()).isEqualTo(3);
            } else if (!behaviour.name.equals("answers and then throws")) {
                assertThat(done.getException()).isNotNull();
                assertThat(ledger.pending()).isPositive();
                assertThat(ledger.landed()).isZero();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aBulkApiThatCannotWrite(int parallel) throws Exception {
        for (Throwable fault : faults()) {
            Exchange done = send(
                    new WordApi() {
                        @Override
                        public void write(List<BulkItem> items, Exchange exchange) {
                            sneak(fault);
                        }
                    },
                    "&batchSize=1&parallelRequests=" + parallel);

            assertThat(callbacks.get()).isEqualTo(1);
            assertThat(BatchResidueException.of(done)).isPresent();
            assertThat(causesOf(done)).contains(fault);
            assertThat(done.getProperty(BatchResidueConstants.LEDGER, Ledger.class)
                            .pendingItems())
                    .isNotEmpty()
                    .noneMatch(item -> item.maybeLanded());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aBulkApiThatCannotRead(int parallel) throws Exception {
        probe.behave((exchange, callback) -> {
            ELSEWHERE.execute(() -> {
                land(exchange);
                callback.done(false);
            });
            return false;
        });
        for (Throwable fault : faults()) {
            Exchange done = send(
                    new WordApi() {
                        @Override
                        public Reply read(List<BulkItem> items, Exchange exchange) {
                            sneak(fault);
                            return null;
                        }
                    },
                    "&batchSize=1&maximumRedeliveries=0&parallelRequests=" + parallel);

            assertThat(callbacks.get()).isEqualTo(1);
            Ledger ledger = done.getProperty(BatchResidueConstants.LEDGER, Ledger.class);
            assertThat(ledger.landed()).isZero();
            assertThat(Stream.concat(ledger.givenUpItems().stream(), ledger.pendingItems().stream()))
                    .anyMatch(item -> item.maybeLanded());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aBulkApiThatGivesNoReply(int parallel) throws Exception {
        Exchange done = send(
                new WordApi() {
                    @Override
                    public Reply read(List<BulkItem> items, Exchange exchange) {
                        return null;
                    }
                },
                "&batchSize=1&maximumRedeliveries=0&parallelRequests=" + parallel);

        assertThat(callbacks.get()).isEqualTo(1);
        assertThat(done.getProperty(BatchResidueConstants.LEDGER, Ledger.class).landed())
                .isZero();
    }

    @Test
    void aBodyWhoseItemsThrow() throws Exception {
        for (Throwable fault : faults()) {
            Exchange done = send(
                    new WordApi() {
                        @Override
                        public BulkItem item(Object element) {
                            sneak(fault);
                            return null;
                        }
                    },
                    "");

            assertThat(callbacks.get()).isEqualTo(1);
            assertThat(done.getException()).isNotNull();
        }
    }

    private static List<Throwable> faults() {
        return List.of(
                new IllegalArgumentException("a fault"), new AssertionError("an error"), new NoClassDefFoundError("x"));
    }

    private static List<Throwable> causesOf(Exchange exchange) {
        return Stream.iterate((Throwable) exchange.getException(), cause -> cause != null, Throwable::getCause)
                .toList();
    }

    private static void sneak(Throwable fault) {
        if (fault instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) fault;
    }

    private static void land(Exchange exchange) {
        WordService.landingAll().process(exchange);
    }

    private Exchange send(WordApi words, String options) throws Exception {
        String name = "words" + System.identityHashCode(words);
        context.getRegistry().bind(name, words);
        AsyncProducer producer = context.getEndpoint("batchresidue:probe:table?bulkApi=#" + name + options)
                .createAsyncProducer();
        producer.start();
        callbacks.set(0);
        Exchange exchange = new DefaultExchange(context);
        exchange.getMessage().setBody(List.of("a", "b", "c"));

        producer.process(exchange, doneSync -> callbacks.incrementAndGet());

        await().until(() -> callbacks.get() > 0);
        return exchange;
    }
}
