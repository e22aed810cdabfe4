/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.engine.Scheduler;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The thread of a transacted exchange: everything that a run does happens on it, waits included, because the
 * transaction is bound to it. Other threads may hand in tasks at any time.
 */
final class CallingThread implements Scheduler {

    private final Thread thread = Thread.currentThread();
    private final Scheduler clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private long order;

    private record Task(long at, long order, Runnable work) implements Comparable<Task> {
        @Override
        public int compareTo(Task other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }
    }

    CallingThread(Scheduler clock) {
        this.clock = clock;
    }

    @Override
    public long now() {
        return clock.now();
    }

    @Override
    public long nowRoundedUp() {
        return clock.nowRoundedUp();
    }

    @Override
    public Cancellable schedule(Runnable work, long delayMillis) {
        lock.lock();
        try {
            Task task = new Task(now() + delayMillis, order++, work);
            tasks.add(task);
            changed.signal();
            return () -> remove(task);
        } finally {
            lock.unlock();
        }
    }

    /** Runs the task now if this is the thread, else as soon as the thread is free. */
    void execute(Runnable work) {
        if (Thread.currentThread() == thread) {
            work.run();
        } else {
            schedule(work, 0);
        }
    }

    /**
     * Works on tasks until one of them says that it was the last.
     *
     * @param last asked after each task
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    void workUntil(BooleanSupplier last) throws InterruptedException {
        while (!last.getAsBoolean()) {
            next().work.run();
        }
    }

    private Task next() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (true) {
                Task first = tasks.peek();
                long wait = first == null ? Long.MAX_VALUE : first.at - now();
                if (wait <= 0) {
                    return tasks.remove();
                }
                changed.await(wait, TimeUnit.MILLISECONDS);
            }
        } finally {
            lock.unlock();
        }
    }

    private void remove(Task task) {
        lock.lock();
        try {
            tasks.remove(task);
        } finally {
            lock.unlock();
        }
    }
}
