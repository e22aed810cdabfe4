/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.engine.Scheduler;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.camel.Exchange;

/**
 * The threads of the runs of a component: one timer, which only hands over; threads on which runs go on when their time
 * has come, and on which nothing ever blocks; workers for delegates and bodies; and others for dead letters and the rest
 * of a route. A run that waits holds none of them, and whatever hangs holds up no deadline and no stop of another run.
 *
 * <p>There are few workers and routes. What runs on one of them may begin a run and block until it ends: if that run had
 * to wait for one of them in turn, all of them could wait for each other for ever. So it has a thread whenever it needs
 * one, as long as somebody may be waiting like this.
 *
 * @param extras as many as are needed, for the runs that workers and routes wait for
 * @param behind who may be waiting for the run; null if nobody is
 */
record RunThreads(ScheduledExecutorService timer, Crew steps, Crew workers, Crew routes, Crew extras, Crew.Shift behind)
        implements Scheduler {

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
        if (steps.isHere()) {
            work(reading);
        } else {
            reading.run();
        }
    }

    /** Lets a run go on. */
    void step(Runnable task) {
        steps.execute(task);
    }

    /** The same threads for a run of the exchange, which is about to begin here. */
    RunThreads forRunOf(Exchange exchange) {
        Crew.Shift shift = Crew.behind(exchange);
        return shift == behind ? this : new RunThreads(timer, steps, workers, routes, extras, shift);
    }

    private boolean isWaitedFor() {
        return behind != null && !behind.isOver();
    }

    /** Calls a delegate, or reads a body. */
    void work(Runnable task) {
        (isWaitedFor() ? extras : workers).execute(task);
    }

    /** Whether a delegate may be called on this thread. */
    boolean mayWorkHere() {
        return Crew.isNoneHere() || workers.isHere() || extras.isHere();
    }

    /** Sends a dead letter, or the exchange on its way: on this thread, unless other runs wait for it. */
    void route(Runnable task) {
        if (Crew.isNoneHere() || routes.isHere() || extras.isHere()) {
            task.run();
        } else {
            (isWaitedFor() ? extras : routes).execute(task);
        }
    }
}
