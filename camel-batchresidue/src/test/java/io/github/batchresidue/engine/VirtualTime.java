/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.PriorityQueue;

/**
 * Time that goes on only when told to. At one moment the timers of runs go before what a test has planned, so that a
 * deadline is over before a reply of the same millisecond arrives. Single-threaded; a task may itself let time go on,
 * which is how a call that blocks looks to everybody else.
 */
final class VirtualTime implements Scheduler {

    private static final class Task implements Cancellable, Comparable<Task> {
        final long at;
        final boolean ofTest;
        final long order;
        Runnable work;

        Task(long at, boolean ofTest, long order, Runnable work) {
            this.at = at;
            this.ofTest = ofTest;
            this.order = order;
            this.work = work;
        }

        @Override
        public void cancel() {
            work = null;
        }

        @Override
        public int compareTo(Task other) {
            if (at != other.at) {
                return Long.compare(at, other.at);
            }
            return ofTest != other.ofTest ? Boolean.compare(ofTest, other.ofTest) : Long.compare(order, other.order);
        }
    }

    private static final int MOST_TASKS_OF_ONE_MOMENT = 100_000;

    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private final Runnable beforeTimePasses;
    private long now;
    private long order;
    private int tasksOfThisMoment;

    VirtualTime() {
        this(() -> {});
    }

    VirtualTime(Runnable beforeTimePasses) {
        this.beforeTimePasses = beforeTimePasses;
    }

    @Override
    public long now() {
        return now;
    }

    @Override
    public Cancellable schedule(Runnable task, long delayMillis) {
        if (delayMillis < 0) {
            throw new IllegalArgumentException("delay " + delayMillis);
        }
        return add(new Task(now + delayMillis, false, order++, task));
    }

    /** Plans something that the test itself does. */
    void in(long delayMillis, Runnable task) {
        add(new Task(now + delayMillis, true, order++, task));
    }

    private Task add(Task task) {
        tasks.add(task);
        return task;
    }

    /** Lets time go on until nothing is left to do. */
    void run() {
        runUntil(Long.MAX_VALUE);
    }

    /** Lets time go on up to and including a moment. */
    void runUntil(long moment) {
        while (!tasks.isEmpty() && tasks.peek().at <= moment) {
            if (tasks.peek().work != null && tasks.peek().at > now) {
                beforeTimePasses.run();
                now = tasks.peek().at;
                tasksOfThisMoment = 0;
            }
            Task task = tasks.remove();
            if (task.work != null) {
                if (++tasksOfThisMoment > MOST_TASKS_OF_ONE_MOMENT) {
                    throw new AssertionError("time stands still at " + now + " ms");
                }
                task.work.run();
            }
        }
        if (moment != Long.MAX_VALUE) {
            now = Math.max(now, moment);
        }
    }

    /** Timers of runs that are still set. */
    long timersLeft() {
        return tasks.stream().filter(task -> task.work != null && !task.ofTest).count();
    }
}
