/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;

/** Threads for tasks of one kind. Thread-safe. */
record Crew(ExecutorService threads) {

    /** @param waiters who may be waiting for what the task does */
    void execute(Runnable task, Waiters waiters) {
        try {
            threads.execute(() -> new Shift(this, waiters).run(task));
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            task.run(); // The component has stopped, or no thread is to be had: no run is left behind.
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
