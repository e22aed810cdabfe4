/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import static org.assertj.core.api.Assertions.fail;

import io.github.batchresidue.engine.ExponentialBackOff.Jitter;
import io.github.batchresidue.engine.RunOptions.UnknownOutcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * The ledger against the truth: a small service that really applies items and knows how often. It has little capacity,
 * loses answers after it has applied a part of a request, refuses duplicates or not, and refuses whole requests for one
 * bad item. What the ledger says must be what the service did.
 */
class ModelServiceTest {

    private static final int RUNS = 20_000;

    @Test
    void theLedgerTellsWhatTheServiceDid() {
        Long seed = Long.getLong("batchresidue.seed");
        long first = seed == null ? 0 : seed;
        long end = seed == null ? RUNS : seed + 1;
        for (long i = first; i < end; i++) {
            String wrong = new Model(i).check();
            if (wrong != null) {
                fail("seed " + i + ": " + wrong
                        + "\nreplay: mvn test -pl camel-batchresidue -am -Dtest=ModelServiceTest"
                        + " -Dsurefire.failIfNoSpecifiedTests=false -Dbatchresidue.seed=" + i);
            }
        }
    }

    private static final class Model implements Source, Transport {

        private final SplittableRandom random;
        private final VirtualTime time = new VirtualTime();
        private final RunOptions options;
        private final List<TestContent> contents = new ArrayList<>();

        // The service.
        private final int[] applied;
        private final boolean[] bad;
        private final boolean refusesDuplicates;
        private final boolean atomic;
        private final int lossPercent;
        private int capacity;
        private int requests;
        private final Map<Object, Integer> lastOfKey = new HashMap<>();
        // What the client could know of it.
        private final boolean[] everUnknown;
        private String wrong;

        private int read;
        /** A run that goes on may try again what was given up before a later item of its key went. */
        private boolean resumed;

        private RunEnd end;

        Model(long seed) {
            random = new SplittableRandom(seed);
            int count = random.nextInt(40);
            int keys = random.nextInt(8);
            for (int i = 0; i < count; i++) {
                Object key = keys == 0 ? null : random.nextInt(keys);
                contents.add(new TestContent(i, 1, key, random.nextBoolean(), null));
            }
            applied = new int[count];
            everUnknown = new boolean[count];
            bad = new boolean[count];
            for (int i = 0; i < count; i++) {
                bad[i] = random.nextInt(12) == 0;
            }
            refusesDuplicates = random.nextBoolean();
            atomic = random.nextBoolean();
            lossPercent = random.nextInt(3) * 10;
            options = RunOptions.builder()
                    .batchSize(1 + random.nextInt(8))
                    .parallelRequests(1 + random.nextInt(3))
                    .maxPendingResidue(random.nextInt(12))
                    .maximumRedeliveries(random.nextInt(8))
                    .countOnlyStalledRounds(random.nextBoolean())
                    .backOff(new ExponentialBackOff(100, 2, 1000, Jitter.EQUAL))
                    .redeliveryTimeoutMillis(random.nextInt(4) == 0 ? 1 + random.nextInt(2000) : 0)
                    .retryTransportFailures(random.nextBoolean())
                    .unknownOutcome(UnknownOutcome.values()[random.nextInt(3)])
                    .build();
        }

        String check() {
            RunState state = RunState.NEW;
            for (int i = 0; i < 4; i++) {
                end = null;
                Run run = new Run(
                        options,
                        new Run.Collaborators(this, this, DeadLetters.NONE, time, random::nextDouble, Observer.NONE),
                        state,
                        how -> end = how);
                run.start();
                if (random.nextInt(6) == 0) {
                    time.runUntil(time.now() + random.nextInt(1000));
                    run.stop();
                }
                time.run();
                if (wrong == null) {
                    compare();
                }
                if (wrong != null || end.failure() == null) {
                    return wrong;
                }
                state = end.state();
                resumed = true;
            }
            return wrong;
        }

        private void compare() {
            Ledger ledger = end.ledger();
            boolean[] seen = new boolean[applied.length];
            for (List<LedgerItem> column : List.of(
                    ledger.landedItems(), ledger.terminalItems(), ledger.givenUpItems(), ledger.pendingItems())) {
                for (LedgerItem item : column) {
                    int i = (int) item.index();
                    if (seen[i]) {
                        wrong(i, "stands in two columns");
                    }
                    seen[i] = true;
                    everUnknown[i] |= item.maybeLanded(); // Also by a stop, while the service answers.
                    if (item.outcome() == Outcome.LANDED ? applied[i] == 0 : applied[i] > 0 && !item.maybeLanded()) {
                        wrong(i, "is " + item.outcome() + ", unknown " + item.maybeLanded());
                    }
                }
            }
            for (int i = 0; i < applied.length; i++) {
                if (seen[i] != i < read) {
                    wrong(i, "has " + (seen[i] ? "not been read" : "no column"));
                }
                if (applied[i] > 1 && (refusesDuplicates || !everUnknown[i] || !mayResend(i))) {
                    wrong(i, "was not to be applied again");
                }
            }
        }

        private boolean mayResend(int i) {
            return options.unknownOutcome() == UnknownOutcome.RETRY
                    || options.unknownOutcome() == UnknownOutcome.AUTO
                            && contents.get(i).safeToResend();
        }

        private void wrong(int i, String what) {
            if (wrong == null) {
                wrong = "item " + i + ", applied " + applied[i] + " times, " + what + "\n" + Arrays.toString(applied)
                        + "\n" + options;
            }
        }

        // ---- The service

        @Override
        public void send(List<Item> items, Transport.Answer reply) {
            requests++;
            Reply answer = answer(items);
            if (random.nextBoolean()) {
                reply.accept(answer);
            } else {
                time.in(random.nextInt(300), () -> reply.accept(answer));
            }
        }

        private Reply answer(List<Item> items) {
            capacity = Math.min(12, capacity + random.nextInt(6));
            boolean anyBad = items.stream().anyMatch(item -> bad[(int) item.index()]);
            if (atomic && anyBad) {
                return new Reply.Rejected(Bench.BAD, true);
            }
            boolean lost = random.nextInt(100) < lossPercent;
            if (lost && random.nextInt(4) == 0) {
                return new Reply.TransportFailed(new Exception("connection refused"), Bench.BUSY, true, 0);
            }
            int stopsAfter = lost ? random.nextInt(items.size() + 1) : items.size();
            List<Verdict> verdicts = new ArrayList<>();
            for (Item item : items) {
                verdicts.add(verdicts.size() < stopsAfter ? apply((int) item.index()) : null);
            }
            if (!lost) {
                return new Reply.Verdicts(verdicts, 0);
            }
            items.forEach(item -> everUnknown[(int) item.index()] = true);
            return switch (random.nextInt(3)) {
                case 0 -> Reply.unreadable(items.size(), Bench.BUSY);
                case 1 -> new Reply.Verdicts(List.of(), 0);
                default -> new Reply.TransportFailed(new Exception("reset"), Bench.BUSY, false, 0);
            };
        }

        private Verdict apply(int i) {
            if (bad[i]) {
                return Verdict.terminal(Bench.BAD);
            }
            if (refusesDuplicates && applied[i] > 0) {
                return Verdict.already(Bench.BAD);
            }
            if (capacity == 0 && requests < 200) {
                return Verdict.residue(Bench.BUSY);
            }
            capacity--;
            applied[i]++;
            Object key = contents.get(i).key();
            Integer before = key == null ? null : lastOfKey.put(key, i);
            if (before != null && before > i && !resumed) {
                wrong(i, "is applied after item " + before + " of its key");
            }
            return Verdict.landed();
        }

        // ---- The body

        @Override
        public Content next() {
            return read == contents.size() ? null : contents.get(read++);
        }

        @Override
        public boolean exhausted() {
            return read == contents.size();
        }
    }
}
