/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.engine.ExponentialBackOff.Jitter;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many runs at once, with real threads: replies, timers, dead letters and stops race with each other. */
class ConcurrentRunsTest {

    private static final int RUNS = 400;
    private static final int ITEMS = 60;

    private final ExecutorService workers = Executors.newFixedThreadPool(8);
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
    private final CountDownLatch allEnded = new CountDownLatch(RUNS);
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

    private final Scheduler scheduler = new Scheduler() {
        @Override
        public long now() {
            return System.nanoTime() / 1_000_000;
        }

        @Override
        public Cancellable schedule(Runnable task, long delayMillis) {
            Future<?> future = timer.schedule(task, delayMillis, TimeUnit.MILLISECONDS);
            return () -> future.cancel(false);
        }
    };

    @AfterEach
    void shutDown() {
        workers.shutdownNow();
        timer.shutdownNow();
    }

    @Test
    @Timeout(60)
    void eachRunEndsOnceAndLosesNothing() throws Exception {
        List<Racer> racers = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            racers.add(new Racer(i));
        }
        racers.forEach(racer -> workers.execute(racer::start));
        assertThat(allEnded.await(50, TimeUnit.SECONDS))
                .as("all runs have ended")
                .isTrue();
        workers.shutdown();
        assertThat(workers.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        assertThat(racers).allMatch(racer -> racer.ends.get() == 1);
        assertThat(wrong).isEmpty();
    }

    private final class Racer implements Transport, DeadLetters {

        private final int number;
        private final AtomicInteger ends = new AtomicInteger();
        private final AtomicInteger inFlight = new AtomicInteger();
        private final AtomicInteger lettersUnderWay = new AtomicInteger();
        private final AtomicInteger sent = new AtomicInteger();
        private final AtomicInteger[] landed = new AtomicInteger[ITEMS];
        private final int parallel;
        private final int stopsAtRequest;
        private volatile boolean stopped;
        private volatile Run run;

        Racer(int number) {
            this.number = number;
            this.parallel = 1 + number % 4;
            this.stopsAtRequest = number % 3 == 0 ? number % 17 : -1;
            for (int i = 0; i < ITEMS; i++) {
                landed[i] = new AtomicInteger();
            }
        }

        void start() {
            int[] read = {0};
            Source source = new Source() {
                @Override
                public Content next() {
                    Object key = read[0] % 3 == 0 ? "key" + read[0] % 4 : null;
                    return read[0] == ITEMS ? null : new TestContent(read[0]++, 1, key, false, null);
                }

                @Override
                public boolean exhausted() {
                    return read[0] == ITEMS;
                }
            };
            RunOptions options = RunOptions.builder()
                    .batchSize(5)
                    .parallelRequests(parallel)
                    .maxPendingResidue(10)
                    .backOff(new ExponentialBackOff(2, 1, 2, Jitter.EQUAL))
                    .redeliveryTimeoutMillis(number % 5 == 0 ? 30 : 0)
                    .build();
            SplittableRandom random = new SplittableRandom(number);
            run = new Run(
                    options,
                    new Run.Collaborators(source, this, this, scheduler, random::nextDouble, Observer.NONE),
                    RunState.NEW,
                    this::ended);
            run.start();
        }

        @Override
        public void send(List<Item> items, Transport.Answer reply) {
            int request = sent.getAndIncrement();
            if (inFlight.incrementAndGet() > parallel && !stopped) {
                wrong.add(number + ": too many requests in flight");
            }
            List<Verdict> verdicts = new ArrayList<>();
            for (Item item : items) {
                boolean lands = (item.index() + request) % 3 != 0;
                verdicts.add(lands ? Verdict.landed() : Verdict.residue(Bench.BUSY));
                if (lands && landed[(int) item.index()].incrementAndGet() > 1) {
                    wrong.add(number + ": item " + item.index() + " landed twice");
                }
            }
            Reply answer = new Reply.Verdicts(verdicts, 0);
            if (request == stopsAtRequest) {
                stopped = true;
                workers.execute(number % 2 == 0 ? run::stop : run::stopNow);
            }
            if (request % 4 == 0) {
                answered(reply, answer);
            } else {
                workers.execute(() -> answered(reply, answer));
            }
        }

        private void answered(Consumer<Reply> reply, Reply answer) {
            inFlight.decrementAndGet();
            reply.accept(answer);
        }

        @Override
        public boolean takes(Outcome outcome) {
            return true;
        }

        @Override
        public void deliver(List<LedgerItem> letters, Consumer<Throwable> done) {
            LedgerItem item = letters.get(0);
            if (lettersUnderWay.incrementAndGet() > 1) {
                wrong.add(number + ": two dead letters at once");
            }
            workers.execute(() -> {
                lettersUnderWay.decrementAndGet();
                done.accept(null);
            });
        }

        private void ended(RunEnd end) {
            ends.incrementAndGet();
            Ledger ledger = end.ledger();
            int listed = 0;
            boolean[] seen = new boolean[ITEMS];
            for (List<LedgerItem> column :
                    List.of(ledger.landedItems(), ledger.terminalItems(), ledger.givenUpItems())) {
                for (LedgerItem item : column) {
                    int i = (int) item.index();
                    listed++;
                    if (seen[i]) {
                        wrong.add(number + ": item " + i + " stands in two columns");
                    }
                    seen[i] = true;
                    boolean known = item.outcome() == Outcome.LANDED || !item.maybeLanded();
                    if (known && (item.outcome() == Outcome.LANDED) != (landed[i].get() == 1)) {
                        wrong.add(number + ": item " + i + " is " + item.outcome() + ", landed " + landed[i]);
                    }
                }
            }
            if (listed != ledger.items() || ledger.pending() != 0 || end.failure() != null) {
                wrong.add(number + ": " + ledger + ", " + end.failure());
            }
            if (!ledger.inputExhausted() && !stopped && number % 5 != 0) {
                wrong.add(number + ": input is left unread");
            }
            allEnded.countDown();
        }
    }
}
