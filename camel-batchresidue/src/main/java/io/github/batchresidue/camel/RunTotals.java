/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Round;

/**
 * Sums up what runs do, as it happens. Fed for each request and for each item that ends without landing, never for each
 * item that lands. A run that goes on after a failed one adds what it does itself: an item that was left pending or given
 * up there, and is taken up again, counts once more when it ends. Called from many threads.
 */
interface RunTotals {

    /**
     * A request goes out.
     *
     * @param isAgain whether its items have been sent before
     */
    void requesting(int items, boolean isAgain);

    /**
     * A request has been answered.
     *
     * @param nextWaitMillis the shortest wait that begins with the answer; -1 if none does
     */
    void settled(Round round, long nextWaitMillis);

    /** An item has ended without landing. */
    void dead(LedgerItem item);

    /**
     * A run has ended.
     *
     * @param rounds how many rounds it took
     * @param pending how many items it leaves pending
     */
    void finished(int rounds, long pending);
}
