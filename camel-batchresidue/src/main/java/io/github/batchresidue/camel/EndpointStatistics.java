/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Outcome;
import io.github.batchresidue.engine.Round;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** The totals of one endpoint. Thread-safe. */
final class EndpointStatistics implements RunTotals {

    enum Total {
        RUNS,
        LANDED,
        TERMINAL,
        GIVEN_UP,
        PENDING,
        RESENT,
        REQUESTS,
        ROUNDS,
        WAITS,
        WAITED_MILLIS
    }

    private final Map<Total, LongAdder> totals = new EnumMap<>(Total.class);

    EndpointStatistics() {
        for (Total total : Total.values()) {
            totals.put(total, new LongAdder());
        }
    }

    long get(Total total) {
        return totals.get(total).sum();
    }

    /** Items that have ended or were left pending. */
    long items() {
        return get(Total.LANDED) + get(Total.TERMINAL) + get(Total.GIVEN_UP) + get(Total.PENDING);
    }

    /** Begins at 0 again; what runs in progress have counted so far is forgotten too. */
    void reset() {
        totals.values().forEach(LongAdder::reset);
    }

    @Override
    public void requesting(int items, boolean isAgain) {
        add(Total.REQUESTS, 1);
        if (isAgain) {
            add(Total.RESENT, items);
        }
    }

    @Override
    public void settled(Round round, long nextWaitMillis) {
        add(Total.LANDED, round.landed());
        add(Total.WAITED_MILLIS, round.waitMillis());
        if (nextWaitMillis >= 0) {
            add(Total.WAITS, 1);
        }
    }

    @Override
    public void dead(LedgerItem item) {
        add(item.outcome() == Outcome.TERMINAL ? Total.TERMINAL : Total.GIVEN_UP, 1);
    }

    @Override
    public void finished(int rounds, long pending) {
        add(Total.RUNS, 1);
        add(Total.ROUNDS, rounds);
        add(Total.PENDING, pending);
    }

    private void add(Total total, long count) {
        totals.get(total).add(count);
    }
}
