/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Reason;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.ExchangePropertyKey;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When Camel's error handler redelivers an exchange to the step that failed, the run goes on. */
class ResumeTest {

    private static final String STEP = "batchresidue:probe:table?bulkApi=#words&batchSize=3&redeliveryDelay=1";

    private final CamelContext context = new DefaultCamelContext();
    private final ProbeComponent probe = new ProbeComponent();
    private final WordApi words = new WordApi();
    private final List<List<String>> requests = Collections.synchronizedList(new ArrayList<>());
    private final Set<String> failing = Collections.synchronizedSet(new HashSet<>());
    private final Set<String> throttled = Collections.synchronizedSet(new HashSet<>());
    private final List<Exchange> seen = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void start() {
        context.getRegistry().bind("words", words);
        context.addComponent("probe", probe);
        probe.behave((exchange, callback) -> {
            List<String> request = wordsOf(exchange);
            requests.add(request);
            if (request.stream().anyMatch(failing::remove)) {
                exchange.setException(new IllegalArgumentException("gateway"));
            } else {
                exchange.getMessage()
                        .setBody(request.stream()
                                .collect(Collectors.toMap(
                                        word -> word, word -> throttled.contains(word) ? "residue" : "landed")));
            }
            callback.done(true);
            return true;
        });
        context.start();
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    private void route(RouteBuilder routes) throws Exception {
        context.addRoutes(routes);
    }

    /** A route with a redelivering error handler. */
    private abstract static class Redelivering extends RouteBuilder {
        @Override
        public void configure() throws Exception {
            errorHandler(defaultErrorHandler()
                    .maximumRedeliveries(2)
                    .redeliveryDelay(0)
                    .logExhausted(false));
            routes();
        }

        abstract void routes() throws Exception;
    }

    private void redelivering(String uri) throws Exception {
        route(new Redelivering() {
            @Override
            void routes() {
                from("direct:in").to(uri);
            }
        });
    }

    private Exchange send(Object body) {
        return context.createProducerTemplate()
                .request("direct:in", exchange -> exchange.getMessage().setBody(body));
    }

    private static List<String> wordsOf(Exchange exchange) {
        List<?> body = exchange.getMessage().getBody(List.class);
        return body.stream().map(String.class::cast).toList();
    }

    private static Ledger ledger(Exchange exchange) {
        return exchange.getProperty(BatchResidueConstants.LEDGER, Ledger.class);
    }

    private void assertSent(String... lettersOfRequests) {
        assertThat(requests)
                .containsExactlyElementsOf(Arrays.stream(lettersOfRequests)
                        .map(letters -> List.of(letters.split("")))
                        .toList());
    }

    @Test
    void onlyPendingItemsAreSentAgain() throws Exception {
        redelivering(STEP);
        failing.add("e");

        Exchange done = send(List.of("a", "b", "c", "d", "e", "f", "g"));

        assertThat(done.getException()).isNull();
        assertSent("abc", "def", "def", "g");
        Ledger ledger = ledger(done);
        assertThat(ledger.items()).isEqualTo(7);
        assertThat(ledger.landedItems()).extracting(LedgerItem::index).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L);
        assertThat(ledger.landedItems()).extracting(LedgerItem::attempts).containsExactly(1, 1, 1, 2, 2, 2, 1);
        assertThat(ledger.requests()).isEqualTo(4);
        assertThat(done.getMessage().getHeader(BatchResidueConstants.LANDED_COUNT))
                .isEqualTo(7L);
    }

    @Test
    void theRunGoesOnAsOftenAsItIsRedelivered() throws Exception {
        redelivering(STEP);
        failing.addAll(List.of("a", "e"));

        Exchange done = send(List.of("a", "b", "c", "d", "e", "f"));

        assertThat(done.getException()).isNull();
        assertSent("abc", "abc", "def", "def");
        assertThat(ledger(done).landed()).isEqualTo(6);
    }

    @Test
    void aBodyThatCanBeReadOnceIsReadOnWhereItWas() throws Exception {
        redelivering(STEP);
        failing.add("e");

        Exchange done = send(Stream.of("a", "b", "c", "d", "e", "f", "g").iterator());

        assertThat(done.getException()).isNull();
        assertSent("abc", "def", "def", "g");
        assertThat(ledger(done).landed()).isEqualTo(7);
    }

    @Test
    void aCachedStreamThatCamelRewindsIsReadOnWhereItWas() throws Exception {
        redelivering(STEP);
        failing.add("e");
        byte[] json = "[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\"]".getBytes(StandardCharsets.UTF_8);

        Exchange done = send(new ByteArrayInputStream(json) {});

        assertThat(done.getException()).isNull();
        assertSent("abc", "def", "def", "g");
        assertThat(ledger(done).landed()).isEqualTo(7);
    }

    @Test
    void aStreamIsReadOnWhereItWasAndClosedWhenTheExchangeCompletes() throws Exception {
        AtomicInteger closed = new AtomicInteger();
        route(new Redelivering() {
            @Override
            void routes() {
                from("direct:in").streamCache("false").to(STEP);
            }
        });
        failing.addAll(List.of("b", "f"));
        InputStream body =
                new ByteArrayInputStream(
                        "\"a\"\n\"b\"\n\"c\"\n\"d\"\n\"e\"\n\"f\"\n".getBytes(StandardCharsets.UTF_8)) {
                    @Override
                    public void close() {
                        closed.incrementAndGet();
                    }
                };

        Exchange done = send(body);

        assertThat(done.getException()).isNull();
        assertSent("abc", "abc", "def", "def");
        assertThat(closed).hasPositiveValue();
    }

    @Test
    void anUnknownItemIsNotSentAgainWhereThatIsUnsafe() throws Exception {
        words.unsafeToResend();
        redelivering(STEP + "&givenUpUri=mock:dead");
        failing.add("b");

        Exchange done = send(List.of("a", "b", "c", "d"));

        assertThat(done.getException()).isNull();
        assertSent("abc", "d");
        assertThat(ledger(done).givenUpItems()).extracting(LedgerItem::reason).containsOnly(Reason.UNKNOWN_OUTCOME);
        assertThat(ledger(done).givenUp()).isEqualTo(3);
        assertThat(ledger(done).landed()).isEqualTo(1);
    }

    @Test
    void givenUpItemsThatNobodyTookGetAFreshBudget() throws Exception {
        redelivering(STEP + "&maximumRedeliveries=1");
        throttled.add("b");
        route(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:healing")
                        .errorHandler(defaultErrorHandler()
                                .maximumRedeliveries(1)
                                .redeliveryDelay(0)
                                .onRedelivery(exchange -> throttled.clear()))
                        .to(STEP + "&maximumRedeliveries=1");
            }
        });

        Exchange exhausted = send(List.of("a", "b"));
        assertSent("ab", "b", "b", "b", "b", "b");
        assertThat(exhausted.getException()).isInstanceOf(BatchResidueException.class);
        assertThat(ledger(exhausted).givenUpItems())
                .extracting(LedgerItem::attempts)
                .containsExactly(6);

        requests.clear();
        Exchange healed = context.createProducerTemplate()
                .request("direct:healing", exchange -> exchange.getMessage().setBody(List.of("a", "b")));
        assertSent("ab", "b", "b");
        assertThat(healed.getException()).isNull();
        assertThat(ledger(healed).landed()).isEqualTo(2);
        assertThat(ledger(healed).givenUp()).isZero();
    }

    @Test
    void aDeadLetterThatFailedIsRepeatedAndItsItemIsNotSentAgain() throws Exception {
        AtomicInteger letters = new AtomicInteger();
        route(new Redelivering() {
            @Override
            void routes() {
                from("direct:in").to(STEP + "&maximumRedeliveries=0&givenUpUri=direct:dead");
                from("direct:dead").errorHandler(noErrorHandler()).process(exchange -> {
                    if (letters.incrementAndGet() == 2) {
                        throw new IllegalArgumentException("disk full");
                    }
                    seen.add(exchange.copy());
                });
            }
        });
        throttled.addAll(List.of("b", "c"));

        Exchange done = send(List.of("a", "b", "c"));

        assertThat(done.getException()).isNull();
        assertSent("abc");
        assertThat(seen).extracting(letter -> letter.getMessage().getBody()).containsExactly("b", "c");
        assertThat(ledger(done).givenUpItems()).allMatch(LedgerItem::delivered).hasSize(2);
    }

    @Test
    void theDeadlineIsCarriedOn() throws Exception {
        route(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:in")
                        .errorHandler(defaultErrorHandler()
                                .maximumRedeliveries(1)
                                .redeliveryDelay(1100)
                                .logExhausted(false))
                        .to(STEP + "&redeliveryTimeout=1000");
            }
        });
        failing.add("a");

        Exchange done = send(List.of("a", "b", "c", "d"));

        assertSent("abc");
        assertThat(done.getException())
                .isInstanceOf(BatchResidueException.class)
                .hasMessageStartingWith(
                        "the deadline (redeliveryTimeout=1000) was reached before the body was read to its end");
        assertThat(ledger(done).givenUp()).isEqualTo(3);
        assertThat(ledger(done).inputExhausted()).isFalse();
    }

    @Test
    void theDeadlineIsNamedWhereItLeftItemsWithoutAnAnswer() throws Exception {
        redelivering(STEP + "&redeliveryTimeout=10");
        probe.behave((exchange, callback) -> false);

        Exchange done = send(List.of("a", "b"));

        assertThat(done.getException())
                .hasMessageStartingWith(
                        "the deadline (redeliveryTimeout=10) was reached; 2 items did not land and had no"
                                + " endpoint to go to");
    }

    @Test
    void theLedgerReachesTheDeadLetterChannel() throws Exception {
        route(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:in")
                        .errorHandler(deadLetterChannel("direct:dead")
                                .useOriginalMessage()
                                .maximumRedeliveries(2)
                                .redeliveryDelay(0))
                        .to(STEP)
                        .to("mock:after");
                from("direct:dead").process(seen::add);
            }
        });
        probe.behave((exchange, callback) -> {
            List<String> request = wordsOf(exchange);
            requests.add(request);
            if (request.contains("d")) {
                exchange.setException(new IllegalArgumentException("gateway"));
            } else {
                exchange.getMessage()
                        .setBody(request.stream().collect(Collectors.toMap(word -> word, word -> "landed")));
            }
            callback.done(true);
            return true;
        });
        List<String> body = List.of("a", "b", "c", "d");

        send(body);

        assertSent("abc", "d", "d", "d");
        assertThat(seen).singleElement().satisfies(dead -> {
            assertThat(dead.getMessage().getBody()).isSameAs(body);
            Ledger ledger = BatchResidueException.of(dead).orElseThrow().getLedger();
            assertThat(ledger.landed()).isEqualTo(3);
            assertThat(ledger.pendingItems()).singleElement().satisfies(item -> {
                assertThat(item.index()).isEqualTo(3);
                assertThat(item.attempts()).isEqualTo(3);
            });
        });
    }

    @Test
    void everyPartOfASplitGoesOnByItself() throws Exception {
        route(new Redelivering() {
            @Override
            void routes() {
                from("direct:in").split(body()).parallelProcessing().to(STEP).process(seen::add);
            }
        });
        failing.addAll(List.of("d", "j"));

        Exchange done = send(List.of(List.of("a", "b", "c", "d"), List.of("g", "h", "i", "j")));

        assertThat(done.getException()).isNull();
        assertThat(requests)
                .containsExactlyInAnyOrder(
                        List.of("a", "b", "c"),
                        List.of("d"),
                        List.of("d"),
                        List.of("g", "h", "i"),
                        List.of("j"),
                        List.of("j"));
        assertThat(seen).hasSize(2).allMatch(part -> ledger(part).landed() == 4);
    }

    @Test
    void aSplitThatIsRedeliveredAsAWholeLeaksNothingIntoItsNewParts() throws Exception {
        route(new Redelivering() {
            @Override
            void routes() {
                from("direct:in").to("direct:splitting");
                from("direct:splitting")
                        .errorHandler(noErrorHandler())
                        .split(body())
                        .stopOnException()
                        .to(STEP)
                        .process(seen::add);
            }
        });
        failing.add("b");

        Exchange done = send(List.of(List.of("a", "b"), List.of("c", "d")));

        assertThat(done.getException()).isNull();
        assertSent("ab", "ab", "cd");
        assertThat(seen).allMatch(part -> ledger(part).landed() == 2);
        assertThat(ledger(seen.get(0)).landedItems())
                .extracting(LedgerItem::attempts)
                .containsOnly(1);
    }

    @Test
    void everyBranchOfAMulticastGoesOnByItself() throws Exception {
        route(new Redelivering() {
            @Override
            void routes() {
                from("direct:in").multicast().to(STEP, STEP).end().process(seen::add);
            }
        });
        failing.addAll(List.of("d"));

        Exchange done = send(List.of("a", "b", "c", "d"));

        assertThat(done.getException()).isNull();
        assertSent("abc", "d", "d", "abc", "d");
    }

    @Test
    void everyTurnOfALoopBeginsAnew() throws Exception {
        route(new Redelivering() {
            @Override
            void routes() {
                from("direct:in").loop(3).copy().to(STEP).process(exchange -> {
                    seen.add(exchange.copy());
                    failing.add("d");
                });
            }
        });
        failing.add("d");

        Exchange done = send(List.of("a", "b", "c", "d"));

        assertThat(done.getException()).isNull();
        assertSent("abc", "d", "d", "abc", "d", "d", "abc", "d", "d");
        assertThat(seen).allMatch(turn -> ledger(turn).landed() == 4);
    }

    @Test
    void aFailureThatWasCaughtIsOver() throws Exception {
        route(new Redelivering() {
            @Override
            void routes() {
                from("direct:in")
                        .loop(2)
                        .doTry()
                        .to(STEP)
                        .doCatch(IllegalArgumentException.class)
                        .process(exchange -> seen.add(exchange.copy()))
                        .end();
            }
        });
        failing.add("d");

        Exchange done = send(List.of("a", "b", "c", "d"));

        assertThat(done.getException()).isNull();
        assertSent("abc", "d", "abc", "d");
        assertThat(ledger(done).landed()).isEqualTo(4);
        assertThat(seen).singleElement().satisfies(caught -> assertThat(BatchResidueException.of(caught)
                        .orElseThrow()
                        .getLedger()
                        .pending())
                .isEqualTo(1));
    }

    @Test
    void aSubRouteThatIsRunAgainGoesOnToo() throws Exception {
        route(new Redelivering() {
            @Override
            void routes() {
                from("direct:in").to("direct:sub").process(seen::add);
                from("direct:sub")
                        .errorHandler(noErrorHandler())
                        .process(exchange -> exchange.getMessage().setBody(new ArrayList<>(wordsOf(exchange))))
                        .to(STEP);
            }
        });
        failing.add("d");

        Exchange done = send(List.of("a", "b", "c", "d"));

        assertThat(done.getException()).isNull();
        assertSent("abc", "d", "d");
        assertThat(ledger(done).landed()).isEqualTo(4);
    }

    @Test
    void aSubRouteThatBringsAnotherBodyWhenItIsRunAgainBeginsAnew() throws Exception {
        Deque<List<String>> files = new ArrayDeque<>(List.of(List.of("a", "b", "c", "d"), List.of("e", "f")));
        route(new Redelivering() {
            @Override
            void routes() {
                from("direct:in").to("direct:sub");
                from("direct:sub")
                        .errorHandler(noErrorHandler())
                        .process(exchange -> exchange.getMessage().setBody(files.remove()))
                        .to(STEP);
            }
        });
        failing.add("d");

        Exchange done = send("poll");

        assertThat(done.getException()).isNull();
        assertSent("abc", "d", "ef");
        assertThat(ledger(done).items()).isEqualTo(2);
        assertThat(ledger(done).landed()).isEqualTo(2);
    }

    @Test
    void inASubRouteThatIsRunAgainTheTurnOfALoopThatFailedGoesOnAndNoOther() throws Exception {
        route(new Redelivering() {
            @Override
            void routes() {
                from("direct:in").to("direct:sub");
                from("direct:sub")
                        .errorHandler(noErrorHandler())
                        .loop(2)
                        .to(STEP + "&result=ORIGINAL")
                        .process(exchange -> {
                            assertThat(ledger(exchange).landed()).isEqualTo(4);
                            if (seen.isEmpty()) {
                                failing.add("d");
                            }
                            seen.add(exchange);
                        });
            }
        });

        Exchange done = send(List.of("a", "b", "c", "d"));

        assertThat(done.getException()).isNull();
        assertSent("abc", "d", "abc", "d", "abc", "d", "d");
    }

    @Test
    void inASubRouteThatIsRunAgainTheVisitThatFailedGoesOnAndNoOther() throws Exception {
        route(new Redelivering() {
            @Override
            void routes() {
                from("direct:in").to("direct:sub");
                from("direct:sub")
                        .errorHandler(noErrorHandler())
                        .setBody(constant(List.of("a", "b")))
                        .to("direct:step")
                        .setBody(constant(List.of("c", "d", "e", "f")))
                        .to("direct:step");
                from("direct:step").errorHandler(noErrorHandler()).to(STEP);
            }
        });
        failing.add("f");

        Exchange done = send("go");

        assertThat(done.getException()).isNull();
        assertSent("ab", "cde", "f", "ab", "f");
        assertThat(ledger(done).landed()).isEqualTo(4);
    }

    @Test
    void aDynamicStepGoesOnThoughItsProducerWasNotKept() throws Exception {
        route(new Redelivering() {
            @Override
            void routes() {
                from("direct:in")
                        .setProperty("table", constant("table"))
                        .toD(STEP.replace("table", "${exchangeProperty.table}"), -1);
            }
        });
        failing.add("d");

        Exchange done = send(List.of("a", "b", "c", "d"));

        assertThat(done.getException()).isNull();
        assertSent("abc", "d", "d");
        assertThat(ledger(done).landed()).isEqualTo(4);
    }

    @Test
    void theNextStepIsAFirstVisitThoughTheRedeliveryHeadersAreStillThere() throws Exception {
        route(new Redelivering() {
            @Override
            void routes() {
                from("direct:in")
                        .to(STEP + "&result=ORIGINAL")
                        .process(exchange -> seen.add(exchange.copy()))
                        .to(STEP + "&result=ORIGINAL");
            }
        });
        failing.add("d");

        Exchange done = send(List.of("a", "b", "c", "d"));

        assertThat(done.getException()).isNull();
        assertThat(seen.get(0).getMessage().getHeader(Exchange.REDELIVERED)).isEqualTo(true);
        assertSent("abc", "d", "d", "abc", "d");
        assertThat(ledger(done).landed()).isEqualTo(4);
    }

    @Test
    void theNextStepCanFailAndGoOnBehindOneThatDid() throws Exception {
        route(new Redelivering() {
            @Override
            void routes() {
                from("direct:in")
                        .to(STEP + "&result=ORIGINAL")
                        .process(exchange -> failing.add("c"))
                        .to(STEP + "&result=ORIGINAL");
            }
        });
        failing.add("d");

        Exchange done = send(List.of("a", "b", "c", "d"));

        assertThat(done.getException()).isNull();
        assertSent("abc", "d", "d", "abc", "abc", "d");
        assertThat(ledger(done).landed()).isEqualTo(4);
    }

    @Test
    void aCopyThatVisitsTheSameStepBeginsAnew() throws Exception {
        CompletableFuture<Exchange> copied = new CompletableFuture<>();
        route(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:in")
                        .errorHandler(defaultErrorHandler()
                                .maximumRedeliveries(1)
                                .redeliveryDelay(0)
                                .onRedelivery(exchange -> {
                                    Exchange copy = exchange.copy();
                                    copy.setException(null);
                                    copied.complete(
                                            context.createProducerTemplate().send("direct:in", copy));
                                }))
                        .to(STEP);
            }
        });
        failing.add("d");

        Exchange done = send(List.of("a", "b", "c", "d"));

        assertThat(done.getException()).isNull();
        assertSent("abc", "d", "abc", "d", "d");
        assertThat(ledger(copied.join()).landed()).isEqualTo(4);
        assertThat(ledger(done).landed()).isEqualTo(4);
    }

    @Test
    void aCircuitBreakerBeginsANewRunAndTheLedgerOfTheOldOneIsOnTheException() throws Exception {
        route(new Redelivering() {
            @Override
            void routes() {
                onException(IllegalArgumentException.class)
                        .maximumRedeliveries(1)
                        .redeliveryDelay(0)
                        .onRedelivery(exchange -> seen.add(exchange.copy()));
                from("direct:in").to("direct:sub");
                from("direct:sub")
                        .errorHandler(noErrorHandler())
                        .circuitBreaker()
                        .to(STEP)
                        .end();
            }
        });
        failing.add("d");

        Exchange done = send(List.of("a", "b", "c", "d"));

        assertThat(done.getException()).isNull();
        assertSent("abc", "d", "abc", "d");
        assertThat(seen).singleElement().satisfies(redelivered -> {
            Ledger old = BatchResidueException.of(redelivered).orElseThrow().getLedger();
            assertThat(old.landed()).isEqualTo(3);
            assertThat(old.pending()).isEqualTo(1);
        });
        assertThat(ledger(done).landed()).isEqualTo(4);
    }

    @Test
    void anErrorHandlerThatACircuitBreakerInheritsIsAroundIt() throws Exception {
        route(new Redelivering() {
            @Override
            void routes() {
                from("direct:in")
                        .circuitBreaker()
                        .inheritErrorHandler(true)
                        .to(STEP)
                        .end();
            }
        });
        failing.add("d");

        Exchange done = send(List.of("a", "b", "c", "d"));

        assertThat(done.getException()).isNull();
        assertSent("abc", "d", "abc", "d");
        assertThat(ledger(done).landed()).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBodyThatCanBeReadOnceIsNotTakenForAShorterOneThoughTheCopyThatReadItIsGone(boolean isStream)
            throws Exception {
        route(new Redelivering() {
            @Override
            void routes() {
                from("direct:in")
                        .streamCache("false")
                        .circuitBreaker()
                        .inheritErrorHandler(true)
                        .to(STEP)
                        .end();
            }
        });
        failing.add("d");
        String json = "[\"a\",\"b\",\"c\",\"d\"]";

        Exchange done = send(
                isStream
                        ? new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)) {}
                        : List.of("a", "b", "c", "d").iterator());

        assertSent("abc", "d");
        assertThat(done.getException())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot be read again");
        assertThat(BatchResidueException.of(done).orElseThrow().getLedger().pending())
                .isEqualTo(1);
    }

    @Test
    void aCallThatWentOnLeavesNoOldLedgerBehind() throws Exception {
        redelivering(STEP);
        failing.add("d");

        Exchange done = send(List.of("a", "b", "c", "d"));

        assertThat(done.getException()).isNull();
        assertThat(done.getProperty(ExchangePropertyKey.EXCEPTION_CAUGHT))
                .as("Camel keeps it")
                .isNotNull();
        assertThat(BatchResidueException.of(done)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct:enrich", "direct:circuitBreaker", "direct:kamelet", "direct:doTry"})
    void aLaterCallThatSucceedsAtTheSameEndpointOutdatesTheLedger(String way) throws Exception {
        route(new Redelivering() {
            @Override
            void routes() {
                from("direct:in").to(way);
                from("direct:enrich").enrich(STEP);
                from("direct:circuitBreaker")
                        .circuitBreaker()
                        .inheritErrorHandler(true)
                        .to(STEP)
                        .end();
                routeTemplate("bulk").from("kamelet:source").to(STEP);
                from("direct:kamelet").to("kamelet:bulk?noErrorHandler=true");
                from("direct:doTry")
                        .doTry()
                        .to(STEP)
                        .doCatch(IllegalArgumentException.class)
                        .process(caught -> seen.add(caught.copy()))
                        .to(STEP);
            }
        });
        failing.add("d");

        Exchange done = send(List.of("a", "b", "c", "d"));

        assertSent("abc", "d", "abc", "d");
        assertThat(done.getException()).isNull();
        assertThat(done.getProperty(ExchangePropertyKey.EXCEPTION_CAUGHT)).isNotNull();
        assertThat(BatchResidueException.of(done)).isEmpty();
    }

    @Test
    void aCallElsewhereDoesNotOutdateTheLedger() throws Exception {
        route(new Redelivering() {
            @Override
            void routes() {
                from("direct:in")
                        .doTry()
                        .to(STEP)
                        .doCatch(IllegalArgumentException.class)
                        .to("batchresidue:probe:fallback?bulkApi=#words&batchSize=3")
                        .process(seen::add);
            }
        });
        failing.add("d");

        send(List.of("a", "b", "c", "d"));

        assertThat(BatchResidueException.of(seen.get(0))
                        .orElseThrow()
                        .getLedger()
                        .pending())
                .isEqualTo(1);
        assertThat(ledger(seen.get(0)).landed()).isEqualTo(4);
    }

    @Test
    void aKameletThatInheritsTheErrorHandlerGoesOn() throws Exception {
        route(new Redelivering() {
            @Override
            void routes() {
                routeTemplate("bulk").from("kamelet:source").to(STEP);
                from("direct:in").to("kamelet:bulk");
            }
        });
        failing.add("d");

        Exchange done = send(List.of("a", "b", "c", "d"));

        assertThat(done.getException()).isNull();
        assertSent("abc", "d", "d");
        assertThat(ledger(done).landed()).isEqualTo(4);
    }

    @Test
    void aKameletWithoutAnErrorHandlerBeginsANewRunAndTheLedgerOfTheOldOneIsOnTheException() throws Exception {
        route(new Redelivering() {
            @Override
            void routes() {
                onException(IllegalArgumentException.class)
                        .maximumRedeliveries(1)
                        .redeliveryDelay(0)
                        .onRedelivery(exchange -> seen.add(exchange.copy()));
                routeTemplate("bulk").from("kamelet:source").to(STEP);
                from("direct:in").to("kamelet:bulk?noErrorHandler=true");
            }
        });
        failing.add("d");

        Exchange done = send(List.of("a", "b", "c", "d"));

        assertThat(done.getException()).isNull();
        assertSent("abc", "d", "abc", "d");
        assertThat(seen).singleElement().satisfies(redelivered -> assertThat(BatchResidueException.of(redelivered)
                        .orElseThrow()
                        .getLedger()
                        .landed())
                .isEqualTo(3));
        assertThat(ledger(done).landed()).isEqualTo(4);
    }

    @Test
    void aTransactedRunGoesOnOnItsOwnThread() throws Exception {
        Set<Thread> threads = Collections.synchronizedSet(new HashSet<>());
        route(new Redelivering() {
            @Override
            void routes() {
                from("direct:in")
                        .process(exchange -> exchange.getExchangeExtension().setTransacted(true))
                        .to(STEP)
                        .process(exchange -> threads.add(Thread.currentThread()));
            }
        });
        failing.add("d");

        Exchange done = send(List.of("a", "b", "c", "d"));

        assertThat(done.getException()).isNull();
        assertSent("abc", "d", "d");
        assertThat(ledger(done).landed()).isEqualTo(4);
        assertThat(threads).containsExactly(Thread.currentThread());
    }
}
