/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.ItemClassifier;
import io.github.batchresidue.bulkapi.Limits;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Refusal;
import io.github.batchresidue.engine.Reply;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.processor.errorhandler.RedeliveryPolicy;
import org.apache.camel.spi.CamelEvent;
import org.apache.camel.support.EventNotifierSupport;
import org.apache.camel.support.SynchronizationAdapter;
import org.apache.camel.test.junit5.CamelTestSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever others throw whom a run calls, and whenever: the exchange comes back once, its ledger is whole, and what is known
 * to have ended is in no later request, be it one after Camel has redelivered the exchange.
 */
class WhateverIsThrownTest extends CamelTestSupport {

    /** Who throws. */
    enum Place {
        ITEM,
        BODY,
        BYTES,
        KEY,
        KEY_HASH,
        KEY_EQUALS,
        SAFE_TO_RESEND,
        OPERATION,
        ID,
        REFUSAL,
        DETACH,
        DISCARD,
        RULE,
        WRITE,
        READ,
        SENDER,
        CLASSIFIER,
        BACK_OFF,
        HAS_NEXT,
        NEXT,
        CLOSE,
        /** Exceptions only: Camel itself never gives an exchange back on whose route an error is thrown. */
        DEAD_LETTER,
        LISTENER,
        COMPLETION
    }

    /** What they throw, checked exceptions undeclared. */
    private static final List<Supplier<Throwable>> THROWN = List.of(
            () -> new IllegalStateException("unchecked"),
            () -> new IOException("checked"),
            NullPointerException::new,
            () -> new AssertionError("an error"),
            () -> new NoClassDefFoundError("org/example/Missing"),
            StackOverflowError::new,
            () -> new Throwable("neither of them"),
            Unspeakable::new);

    private static final List<String> WAYS = List.of("plain", "parallel", "kept", "streamed", "grouped");

    /** The first letter tells what becomes of a word: l lands, r is residue first, u unknown first, t terminal. */
    private static final List<String> WORDS = List.of("l0", "r1", "l2", "t3", "u4", "l5", "r6", "l7", "t8", "l9");

    private Place place;
    private Supplier<Throwable> thrown;
    private int throwingCall;
    private final AtomicInteger calls = new AtomicInteger();
    private final Map<String, Integer> sent = new ConcurrentHashMap<>();
    private final Set<String> known = ConcurrentHashMap.newKeySet();
    private final Set<String> sentAfterItsEnd = ConcurrentHashMap.newKeySet();
    private final AtomicInteger comebacks = new AtomicInteger();
    private final EventNotifierSupport listener = new EventNotifierSupport() {
        @Override
        public void notify(CamelEvent event) {
            if (event instanceof BatchResidueEvent) {
                mayThrow(Place.LISTENER);
            }
        }
    };

    @Override
    protected RouteBuilder createRouteBuilder() throws Exception {
        ItemClassifier classifier = (item, verdict) -> {
            mayThrow(Place.CLASSIFIER);
            return verdict;
        };
        RedeliveryPolicy policy = new RedeliveryPolicy() {
            @Override
            public long calculateRedeliveryDelay(long previousDelay, int redeliveryCounter) {
                mayThrow(Place.BACK_OFF);
                return 1;
            }
        };
        policy.setMaximumRedeliveries(3);
        context.getRegistry().bind("words", new ThrowingApi());
        context.getRegistry().bind("classifier", classifier);
        context.getRegistry().bind("policy", policy);
        context.getManagementStrategy().addEventNotifier(listener);
        String step = "batchresidue:direct:service?bulkApi=#words&batchSize=3&itemClassifier=#classifier"
                + "&redeliveryPolicy=#policy&terminalErrors=shout:never&deadLetterUri=direct:dead";
        return new RouteBuilder() {
            @Override
            public void configure() {
                errorHandler(defaultErrorHandler().maximumRedeliveries(2).redeliveryDelay(1));
                from("direct:plain").to(step);
                from("direct:parallel").to(step + "&parallelRequests=2");
                from("direct:kept").to(step.replace("direct:dead", "mock:kept") + "&result=ORIGINAL");
                from("direct:streamed").to(step);
                from("direct:grouped").to(step + "&deadLetterGrouped=true&onTransportFailure=RETRY");
                from("direct:dead").errorHandler(noErrorHandler()).process(exchange -> mayThrow(Place.DEAD_LETTER));
                from("direct:service").errorHandler(noErrorHandler()).process(WhateverIsThrownTest.this::serve);
            }
        };
    }

    @ParameterizedTest
    @EnumSource
    void theExchangeComesBackOnceWithAWholeLedger(Place who) throws Exception {
        int thrownTimes = 0;
        for (String way : WAYS) {
            for (Supplier<Throwable> what : THROWN) {
                for (int call : List.of(1, 2, 5, 8)) {
                    if (who != Place.DEAD_LETTER || what.get() instanceof Exception) {
                        thrownTimes += run(who, what, call, way);
                    }
                }
            }
        }
        assertThat(thrownTimes).isPositive();
    }

    @Test
    void anAnswerThatTheApiCannotReadIsSaidToBeItsFault() {
        context.getRegistry()
                .bind(
                        "mute",
                        new WordApi() {
                            @Override
                            public Reply read(List<BulkItem> items, Exchange exchange) {
                                if (items.size() == 1) {
                                    return null;
                                }
                                throw new NullPointerException();
                            }
                        }.unsafeToResend());

        Exchange done = template.request(
                "batchresidue:direct:service?bulkApi=#mute&batchSize=2",
                exchange -> exchange.getMessage().setBody(List.of("l1", "l2", "l3")));

        String reader = "read\\(\\) of io.github.batchresidue.camel.WhateverIsThrownTest\\$\\d+ failed: ";
        Ledger ledger = done.getProperty(BatchResidueConstants.LEDGER, Ledger.class);
        assertThat(ledger.givenUpItems()).hasSize(3).allMatch(LedgerItem::maybeLanded);
        assertThat(ledger.givenUpItems().get(0).failure().message()).matches(reader + "java.lang.NullPointerException");
        assertThat(ledger.givenUpItems().get(2).failure().message()).matches(reader + "it gives null");
    }

    /** Gives how often the place has thrown. */
    private int run(Place who, Supplier<Throwable> what, int call, String way) throws Exception {
        place = who;
        thrown = what;
        throwingCall = call;
        listener.setIgnoreExchangeEvents(who != Place.LISTENER);
        calls.set(0);
        comebacks.set(0);
        sent.clear();
        known.clear();
        sentAfterItsEnd.clear();
        String description = who + " throws " + what.get().getClass().getSimpleName() + " at call " + call + ", " + way;

        CompletableFuture<Exchange> coming = template.asyncSend("direct:" + way, exchange -> {
            exchange.getExchangeExtension().addOnCompletion(new SynchronizationAdapter() {
                @Override
                public void onDone(Exchange completed) {
                    comebacks.incrementAndGet();
                }
            });
            exchange.getMessage().setBody(way.equals("streamed") ? new Words() : List.copyOf(WORDS));
        });

        assertThat(coming).as(description).succeedsWithin(Duration.ofSeconds(20));
        Exchange done = coming.join();
        assertThat(comebacks).as(description).hasValue(1);
        Ledger ledger = done.getProperty(BatchResidueConstants.LEDGER, Ledger.class);
        assertThat(ledger).as(description).isNotNull();
        assertThat(sentAfterItsEnd).as(description).isEmpty();
        assertThat(ledger.landed() + ledger.terminal() + ledger.givenUp() + ledger.pending())
                .as(description)
                .isEqualTo(ledger.items());
        if (ledger.inputExhausted()) {
            assertThat(ledger.items()).as(description).isEqualTo(WORDS.size());
        } else {
            assertThat(done.getException()).as(description).isNotNull();
        }
        Map<Long, Integer> lines = new HashMap<>();
        Stream.of(ledger.landedItems(), ledger.terminalItems(), ledger.givenUpItems(), ledger.pendingItems())
                .flatMap(List::stream)
                .map(LedgerItem::index)
                .forEach(index -> lines.merge(index, 1, Integer::sum));
        assertThat(lines.values()).as(description).allMatch(times -> times == 1);
        if (!way.equals("streamed")) {
            assertThat(lines).as(description).hasSize((int) ledger.items());
        }
        assertThat(ledger.landed())
                .as(description)
                .isEqualTo(known.stream().filter(word -> !word.startsWith("t")).count());
        return calls.get() >= call ? 1 : 0;
    }

    private void mayThrow(Place here) {
        if (here == place && calls.incrementAndGet() == throwingCall) {
            undeclared(thrown.get());
        }
    }

    @SuppressWarnings("unchecked") // That is the point.
    private static <E extends Throwable> void undeclared(Throwable thrown) throws E {
        throw (E) thrown;
    }

    private void serve(Exchange exchange) {
        List<String> request = new ArrayList<>();
        List<?> body = exchange.getMessage().getBody(List.class);
        body.forEach(word -> request.add((String) word));
        request.stream().filter(known::contains).forEach(sentAfterItsEnd::add);
        Map<String, String> answer = new HashMap<>();
        for (String word : request) {
            boolean isFirst = sent.merge(word, 1, Integer::sum) == 1;
            answer.put(
                    word,
                    switch (word.charAt(0)) {
                        case 'r' -> isFirst ? "residue" : "landed";
                        case 'u' -> isFirst ? "unknown" : "landed";
                        case 't' -> "refused";
                        default -> "landed";
                    });
        }
        exchange.getMessage().setBody(answer);
        exchange.getExchangeExtension().addOnCompletion(new SynchronizationAdapter() {
            @Override
            public void onDone(Exchange completed) {
                mayThrow(Place.COMPLETION);
            }
        });
    }

    /** Throws as it is told, and takes note of what the run comes to know. */
    private final class ThrowingApi extends WordApi {

        @Override
        public Limits limits() {
            return new Limits(3, Limits.NONE, 0, (request, next) -> {
                mayThrow(Place.RULE);
                return true;
            });
        }

        @Override
        public BulkItem item(Object element) throws InvalidItemException {
            mayThrow(Place.ITEM);
            return new ThrowingWord(super.item(element));
        }

        @Override
        public void write(List<BulkItem> items, Exchange exchange) {
            mayThrow(Place.WRITE);
            super.write(words(items), exchange);
        }

        @Override
        public Reply read(List<BulkItem> items, Exchange exchange) {
            mayThrow(Place.READ);
            Reply reply = super.read(words(items), exchange);
            if (reply instanceof Reply.Verdicts verdicts) {
                for (int i = 0; i < items.size(); i++) {
                    switch (verdicts.verdicts().get(i).kind()) {
                        case LANDED, TERMINAL -> known.add(((ThrowingWord) items.get(i)).text());
                        default -> {}
                    }
                }
            }
            return reply;
        }

        @Override
        public Processor sender(Endpoint delegate) {
            return exchange -> {
                serve(exchange);
                mayThrow(Place.SENDER);
            };
        }

        private List<BulkItem> words(List<BulkItem> items) {
            return items.stream().map(item -> ((ThrowingWord) item).word).toList();
        }
    }

    private final class ThrowingWord implements BulkItem {

        private final BulkItem word;

        ThrowingWord(BulkItem word) {
            this.word = word;
        }

        String text() {
            return (String) word.body();
        }

        @Override
        public Object body() {
            mayThrow(Place.BODY);
            return word.body();
        }

        @Override
        public long bytes() {
            mayThrow(Place.BYTES);
            return word.bytes();
        }

        @Override
        public Object key() {
            mayThrow(Place.KEY);
            return new ThrowingKey(text().charAt(1) % 4);
        }

        @Override
        public boolean safeToResend() {
            mayThrow(Place.SAFE_TO_RESEND);
            return true;
        }

        @Override
        public String operation() {
            mayThrow(Place.OPERATION);
            return word.operation();
        }

        @Override
        public String id() {
            mayThrow(Place.ID);
            return word.id();
        }

        @Override
        public Refusal refusal() {
            mayThrow(Place.REFUSAL);
            return null;
        }

        @Override
        public void detach() {
            mayThrow(Place.DETACH);
        }

        @Override
        public void discard() {
            mayThrow(Place.DISCARD);
        }
    }

    private final class ThrowingKey {

        private final int number;

        ThrowingKey(int number) {
            this.number = number;
        }

        @Override
        public boolean equals(Object other) {
            mayThrow(Place.KEY_EQUALS);
            return other instanceof ThrowingKey key && key.number == number;
        }

        @Override
        public int hashCode() {
            mayThrow(Place.KEY_HASH);
            return number;
        }
    }

    /** A body that can be read once. */
    private final class Words implements Iterator<String>, AutoCloseable {

        private final Iterator<String> words = WORDS.iterator();

        @Override
        public boolean hasNext() {
            mayThrow(Place.HAS_NEXT);
            return words.hasNext();
        }

        @Override
        public String next() {
            mayThrow(Place.NEXT);
            return words.next();
        }

        @Override
        public void close() {
            mayThrow(Place.CLOSE);
        }
    }

    /** An exception that cannot even say what it is. */
    private static final class Unspeakable extends RuntimeException {

        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }
    }
}
