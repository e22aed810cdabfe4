/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicLong;

/** Threads for tasks of one kind. Thread-safe. */
final class Crew {

    private final ExecutorService threads;
    private final AtomicLong ended = new AtomicLong();

    Crew(ExecutorService threads) {
        this.threads = threads;
    }

    ExecutorService threads() {
        return threads;
    }

    /** @param waiters who may be waiting for what the task does */
    void execute(Runnable task, Waiters waiters) {
        try {
            threads.execute(() -> {
                try {
                    new Shift(this, waiters).run(task);
                } finally {
                    ended.incrementAndGet();
                }
            });
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            task.run(); // The component has stopped, or no thread is to be had: no run is left behind.
        }
    }

    /** How many tasks have ended, wherever they were done. */
    long ended() {
        return ended.get();
    }

    /** Whether a task waits for a thread. */
    boolean hasWaiting() {
        return threads instanceof ThreadPoolExecutor pool && !pool.getQueue().isEmpty();
    }

    /** Has others do some of the tasks that wait for a thread. */
    void handOver(long most, Crew others) {
        Queue<Runnable> waiting = ((ThreadPoolExecutor) threads).getQueue();
        for (long i = 0; i < most; i++) {
            Runnable task = waiting.poll();
            if (task == null) {
                return;
            }
            try {
                others.threads.execute(task);
            } catch (RejectedExecutionException | OutOfMemoryError e) {
                waiting.add(task); // As it was: a thread of its own crew will come to it.
                return;
            }
        }
    }

    /** Whether this thread is one of them. */
    boolean isHere() {
        Shift here = Shift.here();
        return here != null && here.crew() == this;
    }

    /** Whether this thread belongs to no crew: it is the caller's, or the delegate's. */
    static boolean isNoneHere() {
        return Shift.here() == null;
    }
}
