/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Reason;
import io.github.batchresidue.engine.Round;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * The meters of one delegate. All are there from the beginning, so that a rate has a 0 to begin from. Thread-safe.
 */
final class DelegateMeters implements RunTotals {

    private static final String PREFIX = "camel.batchresidue.";

    private final MeterRegistry registry;
    private final Counter landed;
    private final Counter pending;
    private final Map<Reason, Counter> dead = new EnumMap<>(Reason.class);
    private final Counter requests;
    private final Counter resent;
    private final DistributionSummary rounds;
    private final Timer waits;
    private final List<Gauge> gauges;

    DelegateMeters(MeterRegistry registry, Tags tags, Runs runs) {
        this.registry = registry;
        landed = items(tags, "LANDED", "NONE");
        pending = items(tags, "PENDING", "NONE");
        for (Reason reason : Reason.values()) {
            dead.put(reason, items(tags, outcomeOf(reason), reason.name()));
        }
        requests = Counter.builder(PREFIX + "requests")
                .description("Requests that were sent to the delegate")
                .tags(tags)
                .register(registry);
        resent = Counter.builder(PREFIX + "items.resent")
                .description("How often an item was sent again")
                .tags(tags)
                .register(registry);
        rounds = DistributionSummary.builder(PREFIX + "rounds")
                .description("Rounds that a run took")
                .tags(tags)
                .register(registry);
        waits = Timer.builder(PREFIX + "waits")
                .description("Waits of items before they are sent again, recorded as they begin")
                .tags(tags)
                .register(registry);
        gauges = List.of(
                gauge(tags, "items.waiting", "Items that wait to be sent again", runs, this::waiting),
                gauge(tags, "runs.running", "Runs in progress", runs, this::running));
    }

    private static String outcomeOf(Reason reason) {
        return switch (reason) {
            case REJECTED, TOO_LARGE -> "TERMINAL";
            case REDELIVERIES_EXHAUSTED, TIMEOUT, SHUTDOWN, UNKNOWN_OUTCOME -> "GIVEN_UP";
        };
    }

    private Counter items(Tags tags, String outcome, String reason) {
        return Counter.builder(PREFIX + "items")
                .description("Items that have ended, or were left pending by a run that failed")
                .tags(tags)
                .tags("outcome", outcome, "reason", reason)
                .register(registry);
    }

    private Gauge gauge(Tags tags, String name, String description, Runs runs, ToDoubleFunction<Runs> value) {
        return Gauge.builder(PREFIX + name, runs, value)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    private double waiting(Runs runs) {
        return runs.countedBy(this).mapToLong(RunProgress::waiting).sum();
    }

    private double running(Runs runs) {
        return runs.countedBy(this).count();
    }

    /** Takes away what would show a stopped component; what was counted stays. */
    void close() {
        gauges.forEach(registry::remove);
    }

    @Override
    public void requesting(int items, boolean isAgain) {
        requests.increment();
        if (isAgain) {
            resent.increment(items);
        }
    }

    @Override
    public void settled(Round round, long nextWaitMillis) {
        landed.increment(round.landed());
        if (nextWaitMillis >= 0) {
            waits.record(nextWaitMillis, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void dead(LedgerItem item) {
        dead.get(item.reason()).increment();
    }

    @Override
    public void finished(int roundsOfRun, long pendingItems) {
        rounds.record(roundsOfRun);
        pending.increment(pendingItems);
    }
}
