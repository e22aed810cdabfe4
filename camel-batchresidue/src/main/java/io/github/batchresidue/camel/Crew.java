/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.apache.camel.Exchange;
import org.apache.camel.SafeCopyProperty;

/** Threads for tasks of one kind. Thread-safe. */
record Crew(ExecutorService threads) {

    private static final String SHIFT = "CamelBatchResidueShift";
    private static final ThreadLocal<Shift> CURRENT = new ThreadLocal<>();

    /** One task on its thread. Those who get an exchange in it know by this who may be waiting for what they do. */
    static final class Shift implements SafeCopyProperty {

        private final Crew crew;
        private volatile boolean isOver;

        private Shift(Crew crew) {
            this.crew = crew;
        }

        boolean isOver() {
            return isOver;
        }

        /** The copy of an exchange is waited for as the exchange is. */
        @Override
        public SafeCopyProperty safeCopy() {
            return this;
        }
    }

    void execute(Runnable task) {
        try {
            threads.execute(() -> {
                Shift shift = new Shift(this);
                CURRENT.set(shift);
                try {
                    task.run();
                } finally {
                    shift.isOver = true;
                    CURRENT.remove();
                }
            });
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            task.run(); // The component has stopped, or no thread is to be had: no run is left behind.
        }
    }

    /** Whether this thread is one of them. */
    boolean isHere() {
        Shift here = CURRENT.get();
        return here != null && here.crew == this;
    }

    /** Whether this thread belongs to no crew: it is the caller's, or the delegate's. */
    static boolean isNoneHere() {
        return CURRENT.get() == null;
    }

    /** To be called when the exchange is handed out in a task: it may go on on threads of others. */
    static void accompany(Exchange exchange) {
        Shift here = CURRENT.get();
        if (here != null) {
            exchange.getExchangeExtension().setSafeCopyProperty(SHIFT, here);
        }
    }

    /** The task that may be waiting for what becomes of the exchange; null if it is none of a crew. */
    static Shift behind(Exchange exchange) {
        Shift here = CURRENT.get();
        return here != null ? here : exchange.getExchangeExtension().getSafeCopyProperty(SHIFT, Shift.class);
    }
}
