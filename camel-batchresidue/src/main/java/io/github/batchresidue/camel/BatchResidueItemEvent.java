/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.engine.LedgerItem;
import java.util.EventObject;
import org.apache.camel.Exchange;
import org.apache.camel.spi.CamelEvent;

/** An item of a run has ended. */
public class BatchResidueItemEvent extends EventObject implements CamelEvent.ExchangeEvent {

    private static final long serialVersionUID = 1L;

    private final transient Exchange exchange;
    private final String delegate;
    private final transient LedgerItem item;
    private long timestamp;

    BatchResidueItemEvent(Exchange exchange, String delegate, LedgerItem item) {
        super(exchange);
        this.exchange = exchange;
        this.delegate = delegate;
        this.item = item;
    }

    /** The exchange that brought the items. */
    @Override
    public Exchange getExchange() {
        return exchange;
    }

    /** The delegate, without its options. */
    public String getDelegate() {
        return delegate;
    }

    /** Its line in the ledger. */
    public LedgerItem getItem() {
        return item;
    }

    @Override
    public Type getType() {
        return Type.Custom;
    }

    @Override
    public long getTimestamp() {
        return timestamp;
    }

    @Override
    public void setTimestamp(long timestamp) {
        this.timestamp = timestamp;
    }

    @Override
    public String toString() {
        return "Batch residue item " + item.index() + ": " + item.outcome() + " at " + delegate;
    }
}
