/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Item;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.LedgerItem.Delivery;
import io.github.batchresidue.engine.Outcome;
import io.github.batchresidue.engine.Round;
import io.github.batchresidue.engine.RunState;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.camel.Exchange;
import org.apache.camel.support.ExchangeHelper;
import org.apache.camel.util.StopWatch;

/** How far one run is; tells it to the totals. Its numbers may be read by any thread at any time. */
final class RunProgress implements RunObserver {

    /** Of the rounds, the last ones are kept. */
    static final int LATEST = 10;

    /**
     * A round of a run that goes on.
     *
     * @param failure what stands for the round if not everything landed; null if everything did
     * @param nextWaitMillis the shortest wait that it began; -1 if it began none
     */
    record Step(Round round, Failure failure, long nextWaitMillis) {}

    private final String exchangeId;
    private final String routeId;
    private final RunState from;
    private final List<RunTotals> totals;
    private final StopWatch watch = new StopWatch();
    private final AtomicLong inFlight = new AtomicLong();
    // Threads may bring what belongs together in any order, so the sum can be below 0 for a moment.
    private final AtomicLong waiting;

    // Guarded by itself.
    private final Deque<Step> latest = new ArrayDeque<>();

    /** @param from where the run begins */
    RunProgress(Exchange exchange, RunState from, List<RunTotals> totals) {
        this.exchangeId = exchange.getExchangeId();
        this.routeId = ExchangeHelper.getRouteId(exchange);
        this.from = from;
        this.totals = totals;
        this.waiting = new AtomicLong(waitingAtFirst(from));
    }

    /** What was sent by the run before and did not end there, or was given up and is taken up again. */
    private static long waitingAtFirst(RunState from) {
        long pending =
                from.pending().stream().filter(item -> item.attempts() > 0).count();
        long revived = from.deadItems().stream()
                .filter(item -> item.outcome() == Outcome.GIVEN_UP && item.delivery() == Delivery.NONE)
                .filter(item -> item.attempts() > 0)
                .count();
        return pending + revived;
    }

    /** Not when the run lets a request go: one that waits for a thread may be taken back. */
    @Override
    public void requesting(List<Item> items, Exchange request) {
        boolean isAgain = items.get(0).attempts() > 1;
        inFlight.incrementAndGet();
        if (isAgain) {
            waiting.addAndGet(-items.size());
        }
        totals.forEach(each -> each.requesting(items.size(), isAgain));
    }

    @Override
    public void settled(List<Item> items, Round round, Failure failure, long nextWaitMillis) {
        inFlight.decrementAndGet();
        waiting.addAndGet(round.residue() + round.unknown());
        synchronized (latest) {
            latest.add(new Step(round, failure, nextWaitMillis));
            if (latest.size() > LATEST) {
                latest.remove();
            }
        }
        totals.forEach(each -> each.settled(round, nextWaitMillis));
    }

    @Override
    public void ended(LedgerItem item) {
        if (item.outcome() == Outcome.LANDED) {
            return; // Told for the sake of others: rounds count what landed.
        }
        if (item.outcome() == Outcome.GIVEN_UP && item.attempts() > 0) {
            waiting.decrementAndGet();
        }
        totals.forEach(each -> each.dead(item));
    }

    @Override
    public boolean seesLanded() {
        return false;
    }

    @Override
    public void finished(Ledger ledger) {
        totals.forEach(each -> each.finished(ledger.rounds() - from.rounds(), ledger.pending()));
    }

    boolean isCountedBy(RunTotals which) {
        return totals.contains(which);
    }

    String exchangeId() {
        return exchangeId;
    }

    /** Null if the exchange is in no route. */
    String routeId() {
        return routeId;
    }

    /** Since the run began. */
    long elapsedMillis() {
        return watch.taken();
    }

    /** Requests that have not been answered. */
    long inFlight() {
        return Math.max(0, inFlight.get());
    }

    /** Items that were sent, have not ended and are not in flight. */
    long waiting() {
        return Math.max(0, waiting.get());
    }

    /** The last rounds, the oldest first. */
    List<Step> latest() {
        synchronized (latest) {
            return List.copyOf(latest);
        }
    }
}
