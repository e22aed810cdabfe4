/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.List;
import java.util.function.Consumer;

/** Takes the items that ended without landing. */
public interface DeadLetters {

    /** Takes nothing: every item stays in the ledger. */
    DeadLetters NONE = new DeadLetters() {
        @Override
        public boolean takes(Outcome outcome) {
            return false;
        }

        @Override
        public void deliver(List<LedgerItem> items, Consumer<Throwable> done) {
            throw new UnsupportedOperationException("no dead letters are taken");
        }
    };

    /**
     * Whether items of this outcome ({@link Outcome#TERMINAL} or {@link Outcome#GIVEN_UP}) have somewhere to go. Asked
     * when a run is made.
     */
    boolean takes(Outcome outcome);

    /**
     * Delivers one item, or with {@link RunOptions#groupDeadLetters} all items of one outcome; the next delivery follows
     * only when this one is done. {@code done} is called exactly once, with
     * null or with what went wrong, during the call or later and from any thread.
     */
    void deliver(List<LedgerItem> items, Consumer<Throwable> done);
}
