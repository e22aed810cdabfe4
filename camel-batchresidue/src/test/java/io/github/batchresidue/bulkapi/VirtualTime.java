/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi;

import io.github.batchresidue.engine.Scheduler;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Time that stands still until there is nothing left to do, and then jumps. For one thread; others may read it. */
public final class VirtualTime implements Scheduler {

    private record Task(Runnable runnable, long dueAt, long number) {}

    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Task::dueAt).thenComparingLong(Task::number));
    private volatile long now;
    private long scheduled;

    @Override
    public long now() {
        return now;
    }

    public void advance(long millis) {
        now += millis;
    }

    @Override
    public Cancellable schedule(Runnable runnable, long delayMillis) {
        Task task = new Task(runnable, now + delayMillis, scheduled++);
        tasks.add(task);
        return () -> tasks.remove(task);
    }

    /** Runs what is scheduled, each task at its time, until nothing is left. */
    public void runToTheEnd() {
        for (Task task = tasks.poll(); task != null; task = tasks.poll()) {
            now = Math.max(now, task.dueAt());
            task.runnable().run();
        }
    }
}
