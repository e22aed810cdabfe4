/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.engine.Scheduler;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The threads of all runs of a component: one timer, which only hands over; threads on which runs go on when their time
 * has come, and on which nothing ever blocks; workers for delegates and bodies; and others for dead letters and the rest
 * of a route. A run that waits holds none of them, and whatever hangs holds up no deadline and no stop of another run.
 */
record RunThreads(
        ScheduledExecutorService timer, ExecutorService steps, ExecutorService workers, ExecutorService routes)
        implements Scheduler {

    /** What a thread is there for; any other thread is the caller's, or the delegate's. */
    private enum Duty {
        STEP,
        WORK,
        ROUTE
    }

    private static final ThreadLocal<Duty> DUTY = new ThreadLocal<>();

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

    @Override
    public void read(Runnable reading) {
        if (DUTY.get() == Duty.STEP) {
            work(reading);
        } else {
            reading.run();
        }
    }

    /** Lets a run go on. */
    void step(Runnable task) {
        execute(steps, Duty.STEP, task);
    }

    /** Calls a delegate, or reads a body. */
    void work(Runnable task) {
        execute(workers, Duty.WORK, task);
    }

    /** Whether a delegate may be called on this thread. */
    boolean mayWorkHere() {
        return DUTY.get() == null || DUTY.get() == Duty.WORK;
    }

    /** Sends a dead letter, or the exchange on its way: on this thread, unless other runs wait for it. */
    void route(Runnable task) {
        if (DUTY.get() == null || DUTY.get() == Duty.ROUTE) {
            task.run();
        } else {
            execute(routes, Duty.ROUTE, task);
        }
    }

    private static void execute(ExecutorService threads, Duty duty, Runnable task) {
        try {
            threads.execute(() -> {
                DUTY.set(duty);
                try {
                    task.run();
                } finally {
                    DUTY.remove();
                }
            });
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            task.run(); // The component has stopped, or no thread is to be had: no run is left behind.
        }
    }
}
