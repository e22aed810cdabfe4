/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

/** Time, as a run sees it. A test hands in a virtual one. */
public interface Scheduler {

    /** Milliseconds since some fixed moment; never goes back. */
    long now();

    /**
     * The same moment, rounded up where the clock underneath is finer than a millisecond. A wait is counted from here, so
     * that it never ends early by a part of one.
     */
    default long nowRoundedUp() {
        return now();
    }

    /**
     * Runs the task once, not before {@code delayMillis} have passed; 0 means as soon as possible. Never in the call. The
     * task may call the transport, the dead letters and the end of a run.
     */
    Cancellable schedule(Runnable task, long delayMillis);

    /** Reads from a source, which may block: in the call, or on a thread that others do not wait for. */
    default void read(Runnable reading) {
        reading.run();
    }

    /** A scheduled task. */
    interface Cancellable {

        /** Prevents the task from running if it has not begun; otherwise does nothing. */
        void cancel();
    }
}
