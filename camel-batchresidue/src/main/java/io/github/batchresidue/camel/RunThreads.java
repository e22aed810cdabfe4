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

    @Override
    public long now() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    @Override
    public Cancellable schedule(Runnable task, long delayMillis) {
        Future<?> future = timer.schedule(() -> workers.execute(task), delayMillis, TimeUnit.MILLISECONDS);
        return () -> future.cancel(false);
    }
}
