/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.engine.Scheduler;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The threads of all runs of a component: one timer, which only hands over, and a bounded pool of workers on which
 * delegates may block. A run that waits holds neither.
 */
record RunThreads(ScheduledExecutorService timer, ExecutorService workers) implements Scheduler {

    private static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    @Override
    public long now() {
        return Math.floorDiv(System.nanoTime(), NANOS_PER_MILLI);
    }

    @Override
    public long nowRoundedUp() {
        return -Math.floorDiv(-System.nanoTime(), NANOS_PER_MILLI);
    }

    @Override
    public Cancellable schedule(Runnable task, long delayMillis) {
        Future<?> future = timer.schedule(() -> workers.execute(task), delayMillis, TimeUnit.MILLISECONDS);
        return () -> future.cancel(false);
    }
}
