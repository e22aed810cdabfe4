/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import static io.github.batchresidue.bulkapi.elasticsearch.BulkTexts.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.engine.Content;
import io.github.batchresidue.engine.DeadLetters;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Item;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Observer;
import io.github.batchresidue.engine.Outcome;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Run;
import io.github.batchresidue.engine.RunEnd;
import io.github.batchresidue.engine.RunOptions;
import io.github.batchresidue.engine.RunOptions.UnknownOutcome;
import io.github.batchresidue.engine.RunState;
import io.github.batchresidue.engine.Scheduler;
import io.github.batchresidue.engine.Source;
import io.github.batchresidue.engine.Transport;
import io.github.batchresidue.engine.Verdict;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The memory of a text is used again while the text is read, and no operation's bytes change while anybody may look at
 * them: in a request under way, even one that nobody waits for any more; waiting; as a dead letter; in any ledger.
 */
class RecycledTextTest {

    private static final int OPERATIONS = 6000;
    private static final Failure BUSY = new Failure(429, "busy", "try later");
    private static final Failure BAD = new Failure(400, "bad", "never");

    @Test
    void aTextThatLandsIsReadInTheMemoryOfTwoRequests() {
        World world = new World(new Random(0), false);

        Ledger ledger = world.runToItsEnd();

        assertThat(ledger.landed()).isEqualTo(OPERATIONS);
        assertThat(world.text.length).isGreaterThan(40 * 64 * 1024);
        // A request of 100 operations lies in two chunks, as the next one does, and the reader is in one more.
        assertThat(world.arrays.size()).isLessThanOrEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 20})
    void noBytesChangeWhileAnybodyMayLookAtThem(int firstSeed) {
        for (int seed = firstSeed; seed < firstSeed + 20; seed++) {
            World world = new World(new Random(seed), true);

            Ledger ledger = world.runToItsEnd();

            assertThat(ledger.items()).as("seed " + seed).isEqualTo(OPERATIONS);
            assertThat(world.seen).as("seed " + seed).allSatisfy(Sight::verify);
        }
    }

    /** A circuit breaker gives up a request and not its thread; another request with the same body then lands. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void whoIsStillWritingWhenTheMemoryIsUsedAgainFailsAndWritesNothingOfOthers(int writes) {
        World world = new World(new Random(writes), false);
        List<BulkItem> items = new ArrayList<>();
        for (int i = 0; i < 800; i++) {
            items.add((BulkItem) world.next());
        }
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        OutputStream slow = new OutputStream() {
            private int count;

            @Override
            public void write(int b) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void write(byte[] bytes, int from, int length) {
                written.write(bytes, from, length);
                if (++count == writes) {
                    items.forEach(BulkItem::discard);
                    while (world.next() != null) {
                        // Fills the memory with what comes later.
                    }
                }
            }
        };

        assertThatThrownBy(() -> new BulkBody(items).writeTo(slow)).isInstanceOf(IllegalStateException.class);
        assertThat(String.join("", world.expected)).startsWith(written.toString(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> items.get(0).body()).isInstanceOf(IllegalStateException.class);
    }

    /** Somebody who holds bytes of an operation, and may look at them until it has landed. */
    private record Sight(Slice slice, String expected) {

        void verify() {
            assertThat(new String(slice.toBytes(), StandardCharsets.UTF_8)).isEqualTo(expected);
        }
    }

    /** A text and a service with moods, in virtual time. */
    private static final class World implements Source, Transport, DeadLetters, Scheduler {

        private record Timer(long at, Runnable task) {}

        final Random random;
        final boolean isMoody;
        final List<String> expected = new ArrayList<>();
        final byte[] text;
        /** Bytes that may be looked at until the end. */
        final List<Sight> seen = new ArrayList<>();
        /** All memory that operations were in. */
        final Set<byte[]> arrays = Collections.newSetFromMap(new IdentityHashMap<>());

        private final OperationReader reader;
        private final Queue<Timer> timers = new PriorityQueue<>((a, b) -> Long.compare(a.at, b.at));
        private final RunOptions options;
        private long now;
        private RunEnd end;

        World(Random random, boolean isMoody) {
            this.random = random;
            this.isMoody = isMoody;
            StringBuilder all = new StringBuilder();
            for (int i = 0; i < OPERATIONS; i++) {
                String id = i % 3 == 0 ? "" : "\"_id\":\"" + i / (isMoody && i % 7 == 0 ? 20 : 1) + "\"";
                String operation = "{\"index\":{" + id + "}}\n{\"n\":" + i + ",\"t\":\""
                        + "x".repeat(random.nextInt(900)) + "\"}\n";
                expected.add(operation);
                all.append(operation);
            }
            text = utf8(all.toString());
            reader = new OperationReader(new ByteArrayInputStream(text), BulkTexts.KEYS, false);
            options = RunOptions.builder()
                    .batchSize(100)
                    .parallelRequests(isMoody ? 1 + random.nextInt(3) : 1)
                    .backOff((redelivery, previous, draw) -> 50L * redelivery)
                    .maximumRedeliveries(3)
                    .retryTransportFailures(random.nextBoolean())
                    .unknownOutcome(UnknownOutcome.values()[random.nextInt(3)])
                    .retainEnded(false)
                    .build();
        }

        Ledger runToItsEnd() {
            RunState state = RunState.NEW;
            do {
                end = null;
                new Run(
                                options,
                                new Run.Collaborators(this, this, this, this, random::nextDouble, Observer.NONE),
                                state,
                                how -> end = how)
                        .start();
                while (!timers.isEmpty()) {
                    Timer next = timers.remove();
                    now = Math.max(now, next.at);
                    next.task.run();
                }
                assertThat(end).isNotNull();
                listed(end.ledger().terminalItems());
                listed(end.ledger().givenUpItems());
                listed(end.ledger().pendingItems());
                state = end.state();
            } while (end.failure() != null);
            return end.ledger();
        }

        private void listed(List<LedgerItem> items) {
            for (LedgerItem item : items) {
                assertThat(item.body()).isEqualTo(expected.get((int) item.index()));
                look(item.index(), item.content());
            }
        }

        private void look(long index, Content content) {
            seen.add(new Sight(((BulkOperation) content).source(), expected.get((int) index)));
        }

        @Override
        public Content next() {
            if (!reader.hasNext()) {
                return null;
            }
            BulkOperation operation = reader.next();
            arrays.add(operation.source().bytes());
            return operation;
        }

        @Override
        public boolean exhausted() {
            return false;
        }

        @Override
        public void send(List<Item> items, Answer reply) {
            List<Sight> underWay = new ArrayList<>();
            for (Item item : items) {
                underWay.add(new Sight(((BulkOperation) item.content()).source(), expected.get((int) item.index())));
            }
            if (isMoody) {
                schedule(() -> answer(items, underWay, reply), random.nextInt(200));
            } else {
                answer(items, underWay, reply);
            }
        }

        private void answer(List<Item> items, List<Sight> underWay, Answer reply) {
            underWay.forEach(Sight::verify);
            assertThat(written(items)).isEqualTo(expectedOf(items));
            int mood = isMoody ? random.nextInt(12) : 11;
            Reply answer =
                    switch (mood) {
                        case 0 -> new Reply.TransportFailed(new Exception("reset"), BUSY, random.nextBoolean(), 0);
                        case 1 -> new Reply.Throttled(BUSY, 0);
                        case 2 -> new Reply.TooLarge(BUSY);
                        case 3, 4 -> drawVerdicts(items.size());
                        default -> Reply.allLanded(items.size());
                    };
            for (int i = 0; i < items.size(); i++) {
                boolean isLanded = answer instanceof Reply.Verdicts r
                        && r.verdicts().get(i).kind() == Verdict.Kind.LANDED;
                if (!isLanded || items.get(i).attempts() > 1) {
                    seen.add(underWay.get(i)); // A request that was given up may go on being written.
                }
            }
            reply.accept(answer);
        }

        private Reply drawVerdicts(int items) {
            List<Verdict> verdicts = new ArrayList<>();
            for (int i = 0; i < items; i++) {
                verdicts.add(
                        switch (random.nextInt(40)) {
                            case 0 -> Verdict.residue(BUSY);
                            case 1 -> Verdict.terminal(BAD);
                            case 2 -> Verdict.unknown(BUSY);
                            default -> Verdict.landed();
                        });
            }
            return new Reply.Verdicts(verdicts, 0);
        }

        private static String written(List<Item> items) {
            List<BulkItem> bulkItems = new ArrayList<>();
            items.forEach(item -> bulkItems.add((BulkItem) item.content()));
            try {
                return new String(new BulkBody(bulkItems).readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private String expectedOf(List<Item> items) {
            StringBuilder all = new StringBuilder();
            items.forEach(item -> all.append(expected.get((int) item.index())));
            return all.toString();
        }

        @Override
        public boolean takes(Outcome outcome) {
            return outcome == Outcome.TERMINAL;
        }

        @Override
        public void deliver(List<LedgerItem> items, Consumer<Throwable> done) {
            look(items.get(0).index(), items.get(0).content());
            schedule(
                    () -> {
                        assertThat(items.get(0).body())
                                .isEqualTo(expected.get((int) items.get(0).index()));
                        done.accept(null);
                    },
                    random.nextInt(30));
        }

        @Override
        public long now() {
            return now;
        }

        @Override
        public Cancellable schedule(Runnable task, long delayMillis) {
            Timer timer = new Timer(now + delayMillis, task);
            timers.add(timer);
            return () -> timers.remove(timer);
        }
    }
}
