/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

/** One task on a thread of a crew, from its beginning to its end. */
final class Shift {

    private static final ThreadLocal<Shift> CURRENT = new ThreadLocal<>();

    private final Crew crew;
    private Waiters waiters;
    private volatile boolean isOver;

    Shift(Crew crew, Waiters waiters) {
        this.crew = crew;
        this.waiters = waiters;
    }

    /** The one on this thread; null if the thread belongs to no crew. */
    static Shift here() {
        return CURRENT.get();
    }

    void run(Runnable task) {
        CURRENT.set(this);
        try {
            task.run();
        } finally {
            isOver = true;
            waiters = Waiters.NONE; // Who remembers this one must not remember all that came before it.
            CURRENT.remove();
        }
    }

    Crew crew() {
        return crew;
    }

    /** Those who may be waiting for what is done in it; to be asked on its own thread. */
    Waiters waiters() {
        return waiters;
    }

    boolean isOver() {
        return isOver;
    }
}
