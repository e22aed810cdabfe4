/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A million items pass through, and only as many as promised are ever in memory. */
class LongStreamTest {

    private static final int ITEMS = 1_000_000;
    private static final int BATCH = 500;
    private static final int PENDING = 2000;

    private long read;
    private long gone;
    private long mostLive;
    private long letters;

    private final Source source = new Source() {
        @Override
        public Content next() {
            mostLive = Math.max(mostLive, read - gone);
            // Each thousandth item has the key of the one before it.
            Object key = read % 1000 < 2 ? read / 1000 : null;
            return read == ITEMS ? null : new TestContent(read++, 1, key, false, null);
        }

        @Override
        public boolean exhausted() {
            return read == ITEMS;
        }
    };

    /** Of each request one item in a hundred is residue at first, one in a thousand terminal. */
    private void answer(List<Item> items, Consumer<Reply> reply) {
        List<Verdict> verdicts = new ArrayList<>(items.size());
        for (Item item : items) {
            if (item.attempts() < 3 && item.index() % 100 == 7) {
                verdicts.add(Verdict.residue(Bench.BUSY));
            } else if (item.index() % 1000 == 500) {
                verdicts.add(Verdict.terminal(Bench.BAD));
            } else {
                verdicts.add(Verdict.landed());
                gone++;
            }
        }
        reply.accept(new Reply.Verdicts(verdicts, 0));
    }

    @Test
    void memoryIsBounded() {
        DeadLetters deadLetters = new DeadLetters() {
            @Override
            public boolean takes(Outcome outcome) {
                return true;
            }

            @Override
            public void deliver(List<LedgerItem> dead, Consumer<Throwable> done) {
                LedgerItem item = dead.get(0);
                letters++;
                gone++;
                done.accept(null);
            }
        };
        VirtualTime time = new VirtualTime();
        List<RunEnd> ends = new ArrayList<>();
        RunOptions options = RunOptions.builder()
                .batchSize(BATCH)
                .parallelRequests(2)
                .maxPendingResidue(PENDING)
                .retainEnded(false)
                .build();
        new Run(
                        options,
                        new Run.Collaborators(source, this::answer, deadLetters, time, () -> 0.5, Observer.NONE),
                        RunState.NEW,
                        ends::add)
                .start();
        time.run();
        Ledger ledger = ends.get(0).ledger();
        assertThat(ledger)
                .returns((long) ITEMS, Ledger::items)
                .returns(ITEMS - ITEMS / 1000L, Ledger::landed)
                .returns(ITEMS / 1000L, Ledger::terminal)
                .returns(true, Ledger::inputExhausted);
        assertThat(letters).isEqualTo(ITEMS / 1000);
        assertThat(mostLive).isBetween((long) PENDING, 2L * BATCH + PENDING);
        assertThat(ledger.landedItems()).isEmpty();
        assertThat(ledger.terminalItems()).isEmpty();
        assertThat(ledger.timeline()).hasSizeLessThanOrEqualTo(Timeline.FIRST + 1 + Timeline.LAST);
    }
}
