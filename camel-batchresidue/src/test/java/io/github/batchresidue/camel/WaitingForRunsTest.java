/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.engine.Ledger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.model.ProcessorDefinition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What comes behind a step, its dead letters and its delegate run on threads of the component, of which there are few.
 * When they wait there for another run, it must find a thread to end on.
 */
class WaitingForRunsTest {

    private static final int EXCHANGES = 12;
    private static final String OPTIONS = "?bulkApi=#words&redeliveryDelay=30&jitter=NONE";

    /** Where somebody waits for the runs of two steps, {@code direct:inner}, and keeps a thread meanwhile. */
    private enum Waiter {
        CIRCUIT_BREAKER {
            @Override
            void waitIn(ProcessorDefinition<?> route) {
                route.circuitBreaker().to("direct:inner").end();
            }
        },
        CIRCUIT_BREAKER_WITH_TIME_LIMIT {
            @Override
            void waitIn(ProcessorDefinition<?> route) {
                route.circuitBreaker()
                        .resilience4jConfiguration()
                        .timeoutEnabled(true)
                        .timeoutDuration(60_000)
                        .end()
                        .to("direct:inner")
                        .end();
            }
        },
        TEMPLATE {
            @Override
            void waitIn(ProcessorDefinition<?> route) {
                route.process(exchange -> exchange.getContext()
                        .createProducerTemplate()
                        .requestBody("direct:inner", exchange.getMessage().getBody()));
            }
        },
        QUEUE {
            @Override
            void waitIn(ProcessorDefinition<?> route) {
                route.to("seda:inner?waitForTaskToComplete=Always&timeout=60000");
            }
        },
        /** Nothing ties the inner exchange to the outer one. */
        OTHER_THREAD {
            @Override
            void waitIn(ProcessorDefinition<?> route) {
                route.process(exchange -> exchange.getContext()
                        .createProducerTemplate()
                        .asyncRequestBody("direct:inner", exchange.getMessage().getBody())
                        .get());
            }
        };

        abstract void waitIn(ProcessorDefinition<?> route);
    }

    private final CamelContext context = new DefaultCamelContext();
    private final ProbeComponent probe = new ProbeComponent();
    private final Set<String> landedInside = ConcurrentHashMap.newKeySet();

    @BeforeEach
    void start() throws Exception {
        Set<String> known = ConcurrentHashMap.newKeySet();
        context.getRegistry().bind("words", new WordApi());
        context.addComponent("probe", probe);
        context.getComponent("batchresidue", BatchResidueComponent.class).setWorkers(1);
        probe.behave((exchange, callback) -> {
            WordService.answering(word -> word.startsWith("bad") ? "terminal" : known.add(word) ? "residue" : "landed")
                    .process(exchange);
            callback.done(true);
            return true;
        });
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("seda:inner?concurrentConsumers=20").to("direct:inner");
                from("direct:inner")
                        .transform(body().convertToString().prepend("inner "))
                        .process(exchange -> exchange.getMessage()
                                .setBody(List.of(exchange.getMessage().getBody())))
                        .to("batchresidue:probe:inner" + OPTIONS + "&result=ORIGINAL")
                        .process(exchange -> exchange.getMessage()
                                .setBody(List.of("next "
                                        + exchange.getMessage()
                                                .getBody(List.class)
                                                .get(0))))
                        .to("batchresidue:probe:inner" + OPTIONS)
                        .process(exchange -> landedInside.add(exchange.getMessage()
                                .getBody(Ledger.class)
                                .landedItems()
                                .get(0)
                                .body()
                                .toString()));
            }
        });
        context.start();
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    private void haveWorkers(int workers) {
        BatchResidueComponent component = context.getComponent("batchresidue", BatchResidueComponent.class);
        component.stop();
        component.setWorkers(workers);
        component.start();
    }

    private void route(RouteBuilder routes) throws Exception {
        context.addRoutes(routes);
    }

    /** All at once; none may wait for ever. */
    private void sendAll(String words) throws Exception {
        ProducerTemplate template = context.createProducerTemplate();
        List<CompletableFuture<Exchange>> sent = new ArrayList<>();
        for (int i = 0; i < EXCHANGES; i++) {
            String word = words + i;
            sent.add(template.asyncSend(
                    "direct:in", exchange -> exchange.getMessage().setBody(List.of(word))));
        }
        for (CompletableFuture<Exchange> exchange : sent) {
            assertThat(exchange.get(30, TimeUnit.SECONDS).getException()).isNull();
        }
        assertThat(landedInside).hasSize(EXCHANGES);
    }

    @ParameterizedTest
    @EnumSource
    void behindTheStep(Waiter waiter) throws Exception {
        route(new RouteBuilder() {
            @Override
            public void configure() {
                waiter.waitIn(from("direct:in")
                        .to("batchresidue:probe:outer" + OPTIONS)
                        .transform(simple("${body.landedItems[0].body}")));
            }
        });
        sendAll("w");
    }

    @ParameterizedTest
    @EnumSource
    void inADeadLetterRoute(Waiter waiter) throws Exception {
        route(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:in").to("batchresidue:probe:outer" + OPTIONS + "&terminalUri=direct:dead");
                waiter.waitIn(from("direct:dead").errorHandler(noErrorHandler()));
            }
        });
        sendAll("bad");
    }

    @ParameterizedTest
    @EnumSource
    void inTheDelegatesRoute(Waiter waiter) throws Exception {
        if (waiter == Waiter.OTHER_THREAD) {
            haveWorkers(4); // Nothing is seen of this waiting: the fewer there are, the longer it takes.
        }
        route(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:in").to("batchresidue:direct:delegate" + OPTIONS + "&parallelRequests=2");
                ProcessorDefinition<?> delegate = from("direct:delegate")
                        .errorHandler(noErrorHandler())
                        .transform(simple("${body[0]}"))
                        .setProperty("word", body());
                waiter.waitIn(delegate);
                delegate.process(
                        exchange -> exchange.getMessage().setBody(Map.of(exchange.getProperty("word"), "landed")));
            }
        });
        sendAll("w");
    }
}
