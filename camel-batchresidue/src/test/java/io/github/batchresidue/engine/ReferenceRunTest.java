/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import static io.github.batchresidue.engine.Bench.column;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Items a to f against a table that takes ab, then c, then de, then f. */
class ReferenceRunTest {

    private final Bench bench = new Bench().items("abcdef").replies("++rrrr", "+rrr", "++r", "+");

    @Test
    void requestsCarryOnlyWhatHasNotLandedAndWaitLongerEachTime() {
        bench.end();
        assertThat(bench.requests).containsExactly("0 abcdef", "1000 cdef", "3000 def", "7000 f");
    }

    @Test
    void theLedgerSaysWhatBecameOfEveryItem() {
        RunEnd end = bench.end();
        Ledger ledger = end.ledger();
        assertThat(column(ledger.landedItems())).isEqualTo("abcdef");
        assertThat(ledger)
                .returns(6L, Ledger::items)
                .returns(6L, Ledger::landed)
                .returns(0L, Ledger::terminal)
                .returns(0L, Ledger::givenUp)
                .returns(0L, Ledger::pending)
                .returns(false, Ledger::gaveUp)
                .returns(true, Ledger::inputExhausted)
                .returns(4, Ledger::rounds)
                .returns(4L, Ledger::requests)
                .returns(7000L, Ledger::waitedMillis)
                .returns(7000L, Ledger::elapsedMillis);
        assertThat(ledger.landedItems()).extracting(LedgerItem::attempts).containsExactly(1, 1, 2, 3, 3, 4);
        assertThat(end.failure()).isNull();
        assertThat(bench.time.timersLeft()).isZero();
    }

    @Test
    void theTimelineTellsItRoundByRound() {
        assertThat(bench.end().ledger().timeline())
                .containsExactly(
                        new Round(1, 0, 0, 6, 2, 0, 4, 0),
                        new Round(1, 1000, 1000, 4, 1, 0, 3, 0),
                        new Round(1, 3000, 2000, 3, 2, 0, 1, 0),
                        new Round(1, 7000, 4000, 1, 1, 0, 0, 0));
    }

    @Test
    void latencyIsNotWaiting() {
        Ledger ledger = bench.latency(3).end().ledger();
        assertThat(bench.requests).containsExactly("0 abcdef", "1003 cdef", "3006 def", "7009 f");
        assertThat(ledger.waitedMillis()).isEqualTo(7000);
        assertThat(ledger.elapsedMillis()).isEqualTo(7012);
    }

    @Test
    void threeRoundsInARowInWhichNothingLandsLoseNothing() {
        Bench poor = new Bench().items("abcdef").replies("rrrrrr", "rrrrrr", "rrrrrr");
        assertThat(column(poor.end().ledger().landedItems())).isEqualTo("abcdef");
        assertThat(poor.requests).containsExactly("0 abcdef", "1000 abcdef", "3000 abcdef", "7000 abcdef");
    }
}
