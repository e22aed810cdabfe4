/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.List;

/**
 * Sees what a run does. Called outside the run's own steps, so a slow observer holds up only the thread that called it.
 * What it throws is dropped: an observer is a guest and never changes a run.
 */
public interface Observer {

    /** Sees nothing. */
    Observer NONE = new Observer() {
        @Override
        public boolean seesLanded() {
            return false;
        }
    };

    /** A request is about to be sent. */
    default void sending(List<Item> items) {}

    /**
     * The reply to a request has been settled.
     *
     * @param items what it carried
     * @param round the numbers
     * @param failure what stands for the round if not everything landed; null if everything did
     * @param nextWaitMillis the shortest wait that the round began; -1 if it began none
     */
    default void settled(List<Item> items, Round round, Failure failure, long nextWaitMillis) {}

    /** An item has ended. That one has landed is told only to an observer that {@link #seesLanded sees it}. */
    default void ended(LedgerItem item) {}

    /**
     * Whether {@link #ended} is called for landed items too. Most items land, and {@link #settled} counts them: being told of
     * each has its price. Asked once, at the start of the run. One that does not see them must not ask the items of a round
     * for their contents: what landed is forgotten by then.
     */
    default boolean seesLanded() {
        return true;
    }
}
