/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.camel.util.StopWatch;

/**
 * The runs of a component that have not ended. An endpoint could not keep them: Camel stops it together with a producer
 * that is evicted from a cache, which is no end of its runs.
 */
final class Runs {

    /** How long an end waits for dead letters. By then Camel has waited for the exchanges as long as it was told to. */
    private static final long DEAD_LETTER_GRACE_MILLIS = 10_000;

    private final Set<ExchangeRun> runs = ConcurrentHashMap.newKeySet();
    private final Executor steps;

    Runs(Executor steps) {
        this.steps = steps;
    }

    /** How far the runs are that these totals count. */
    Stream<RunProgress> countedBy(RunTotals totals) {
        return runs.stream()
                .map(ExchangeRun::progress)
                .filter(progress -> progress != null && progress.isCountedBy(totals));
    }

    void begun(ExchangeRun run) {
        runs.add(run);
    }

    void ended(ExchangeRun run) {
        runs.remove(run);
    }

    /** Ends those runs: what has not landed is given up, and goes to the dead letters as far as these take it in time. */
    void end(Predicate<ExchangeRun> which) {
        List<ExchangeRun> ending = runs.stream().filter(which).toList();
        ending.forEach(run -> steps.execute(run::stop));
        StopWatch watch = new StopWatch();
        for (ExchangeRun run : ending) {
            if (!run.hasEnded(DEAD_LETTER_GRACE_MILLIS - watch.taken())) {
                run.stopNow();
            }
        }
    }
}
