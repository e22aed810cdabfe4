/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.engine.ExponentialBackOff.Jitter;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * A table that takes so many items a second and a burst of one second, with 20 ms of latency, as the issue simulates it:
 * batches of 25, parallelRequests 1, everything else default. The random numbers are seeded, so the figures are exact.
 */
class CapacitySimulationTest {

    private static final int SEEDS = 20;
    private static final int LATENCY_MILLIS = 20;

    /** A token bucket that holds one second of its rate and is full at the start. */
    private static final class Table {
        private final VirtualTime time;
        private final double perSecond;
        private double tokens;
        private long filledAt;

        Table(VirtualTime time, double perSecond) {
            this.time = time;
            this.perSecond = perSecond;
            this.tokens = perSecond;
        }

        Reply take(int items) {
            tokens = Math.min(perSecond, tokens + (time.now() - filledAt) * perSecond / 1000);
            filledAt = time.now();
            int taken = Math.min(items, (int) (tokens + 1e-9));
            tokens -= taken;
            List<Verdict> verdicts = new ArrayList<>(items);
            for (int i = 0; i < items; i++) {
                verdicts.add(i < taken ? Verdict.landed() : Verdict.residue(Bench.BUSY));
            }
            return new Reply.Verdicts(verdicts, 0);
        }
    }

    /** What became of all writers together, on average over the seeds. */
    record Figures(double seconds, double requests, double givenUp) {}

    private static Figures simulate(int writers, int itemsEach, double perSecond, RunOptions options) {
        double seconds = 0;
        double requests = 0;
        double givenUp = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            VirtualTime time = new VirtualTime();
            Table table = new Table(time, perSecond);
            List<RunEnd> ends = new ArrayList<>();
            long[] endedAt = {0};
            for (int i = 0; i < writers; i++) {
                Transport transport =
                        (items, reply) -> time.in(LATENCY_MILLIS, () -> reply.accept(table.take(items.size())));
                new Run(
                                options,
                                new Run.Collaborators(
                                        new Items(itemsEach),
                                        transport,
                                        DeadLetters.NONE,
                                        time,
                                        random::nextDouble,
                                        Observer.NONE),
                                RunState.NEW,
                                end -> {
                                    ends.add(end);
                                    endedAt[0] = time.now();
                                })
                        .start();
            }
            time.run();
            assertThat(ends).hasSize(writers);
            seconds += endedAt[0] / 1000.0;
            requests += ends.stream().mapToLong(end -> end.ledger().requests()).sum();
            givenUp += ends.stream().mapToLong(end -> end.ledger().givenUp()).sum();
        }
        return new Figures(seconds / SEEDS, requests / SEEDS, givenUp / SEEDS);
    }

    private static final class Items implements Source {
        private final int count;
        private int read;

        Items(int count) {
            this.count = count;
        }

        @Override
        public Content next() {
            return read == count ? null : new TestContent(read++, 1, null, false, null);
        }

        @Override
        public boolean exhausted() {
            return read == count;
        }
    }

    private static RunOptions.Builder batchesOf25() {
        return RunOptions.builder().batchSize(25).retainEnded(false);
    }

    @Test
    void aTableOf100ItemsASecond() {
        Figures figures = simulate(1, 5000, 100, batchesOf25().build());
        System.out.println(figures);
    }

    @Test
    void aTableOf10ItemsASecond() {
        System.out.println(simulate(1, 5000, 10, batchesOf25().build()));
        System.out.println(
                simulate(1, 5000, 10, batchesOf25().countOnlyStalledRounds(true).build()));
    }

    @Test
    void fiftyWritersAgainstOneTable() {
        for (Jitter jitter : Jitter.values()) {
            System.out.println(jitter + " "
                    + simulate(
                            50,
                            100,
                            10,
                            batchesOf25()
                                    .backOff(new ExponentialBackOff(1000, 2, 60_000, jitter))
                                    .build()));
        }
    }
}
