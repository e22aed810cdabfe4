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
 * The threads of all runs of a component: one timer, which only hands over; threads on which runs go on when their time
 * has come; and workers on which delegates may block. A run that waits holds none of them, and delegates that hang hold
 * up no deadline and no stop.
 */
record RunThreads(ScheduledExecutorService timer, ExecutorService steps, ExecutorService workers) implements Scheduler {

    private static final ThreadLocal<Boolean> STEPPING = new ThreadLocal<>();

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
        Future<?> future = timer.schedule(() -> step(task), delayMillis, TimeUnit.MILLISECONDS);
        return () -> future.cancel(false);
    }

    /** Lets a run go on. */
    void step(Runnable task) {
        steps.execute(() -> {
            STEPPING.set(true);
            try {
                task.run();
            } finally {
                STEPPING.remove();
            }
        });
    }

    /** Whether this thread has other runs to go on with, and must not block. */
    boolean isStepping() {
        return STEPPING.get() != null;
    }
}
