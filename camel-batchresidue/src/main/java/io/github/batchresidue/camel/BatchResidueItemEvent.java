/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.engine.LedgerItem;
import org.apache.camel.Exchange;

/** An item of a run has ended. */
public class BatchResidueItemEvent extends BatchResidueEvent {

    private static final long serialVersionUID = 1L;

    private final transient LedgerItem item;

    BatchResidueItemEvent(Exchange exchange, String delegate, LedgerItem item) {
        super(exchange, delegate);
        this.item = item;
    }

    /** Its line in the ledger. */
    public LedgerItem getItem() {
        return item;
    }

    @Override
    public String toString() {
        return "Batch residue item " + item.index() + ": " + item.outcome() + " at " + getDelegate();
    }
}
