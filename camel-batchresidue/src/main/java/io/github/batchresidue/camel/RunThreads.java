/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.engine.Scheduler;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.camel.Exchange;

/**
 * The threads of the runs of a component: one timer, which only hands over; threads on which runs go on when their time
 * has come, and on which nothing ever blocks; workers for delegates and bodies; and others for dead letters and the rest
 * of a route. A run that waits holds none of them, and whatever hangs holds up no deadline and no stop of another run.
 *
 * <p>There are few workers and routes. What runs on one of them may begin a run and block until it ends: if that run had
 * to wait for one of them in turn, all of them could wait for each other for ever. So it has a thread whenever it needs
 * one, as long as somebody may be waiting like this. Who waits for a run in a way that cannot be seen, such as by a call
 * over the network, waits a little longer: the rest of a route never waits for a thread for more than a second, and a
 * delegate not for ever while all workers stand still.
 *
 * @param extras as many as are needed
 * @param relief for workers
 * @param waiters who may be waiting for the run
 */
record RunThreads(
        ScheduledExecutorService timer,
        Crew steps,
        Crew workers,
        Crew routes,
        Crew extras,
        Relief relief,
        Waiters waiters)
        implements Scheduler {

    private static final long PATIENCE_MILLIS = 1000;

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
        steps.execute(task, waiters);
    }

    /** The same threads for a run of the exchange, which is about to begin here. */
    RunThreads forRunOf(Exchange exchange) {
        return new RunThreads(timer, steps, workers, routes, extras, relief, Waiters.of(exchange));
    }

    /** Calls a delegate, or reads a body. */
    void work(Runnable task) {
        if (waiters.isAnyLeft()) {
            extras.execute(task, waiters);
        } else {
            workers.execute(task, waiters);
            relief.watch();
        }
    }

    /** Whether a delegate may be called on this thread. */
    boolean mayWorkHere() {
        return Crew.isNoneHere() || workers.isHere() || extras.isHere();
    }

    /** Sends a dead letter, or the exchange on its way: on this thread, unless other runs wait for it. */
    void route(Runnable task) {
        if (Crew.isNoneHere() || routes.isHere() || extras.isHere()) {
            task.run();
        } else if (waiters.isAnyLeft()) {
            extras.execute(task, waiters);
        } else {
            Once once = new Once(task);
            routes.execute(once, waiters);
            if (!once.hasBegun()) {
                helpOutWith(once);
            }
        }
    }

    private void helpOutWith(Once once) {
        try {
            timer.schedule(
                    () -> {
                        if (!once.hasBegun()) {
                            extras.execute(once, waiters);
                        }
                    },
                    PATIENCE_MILLIS,
                    TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            extras.execute(once, waiters); // The component has stopped.
        }
    }

    /** A task that is done by whoever comes first. */
    private static final class Once implements Runnable {

        /** Null once it has begun: what it holds is free then. */
        private final AtomicReference<Runnable> task;

        Once(Runnable task) {
            this.task = new AtomicReference<>(task);
        }

        boolean hasBegun() {
            return task.get() == null;
        }

        @Override
        public void run() {
            Runnable mine = task.getAndSet(null);
            if (mine != null) {
                mine.run();
            }
        }
    }
}
