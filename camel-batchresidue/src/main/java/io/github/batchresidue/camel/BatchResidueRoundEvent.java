/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Item;
import io.github.batchresidue.engine.Round;
import java.util.EventObject;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.spi.CamelEvent;

/** A request of a run has been answered and every item of it has its verdict. */
public class BatchResidueRoundEvent extends EventObject implements CamelEvent.ExchangeEvent {

    private static final long serialVersionUID = 1L;

    private final transient Exchange exchange;
    private final String delegate;
    private final transient List<Item> items;
    private final transient Round round;
    private final transient Failure failure;
    private final long nextWaitMillis;
    private long timestamp;

    BatchResidueRoundEvent(
            Exchange exchange, String delegate, List<Item> items, Round round, Failure failure, long nextWaitMillis) {
        super(exchange);
        this.exchange = exchange;
        this.delegate = delegate;
        this.items = items;
        this.round = round;
        this.failure = failure;
        this.nextWaitMillis = nextWaitMillis;
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

    /** What the request carried, in its order. */
    public List<Item> getItems() {
        return items;
    }

    /** The numbers. */
    public Round getRound() {
        return round;
    }

    /** Why something of it has to go again or never will; null if everything landed. */
    public Failure getFailure() {
        return failure;
    }

    /** The shortest wait that begins with this round, in milliseconds; -1 if none does. */
    public long getNextWaitMillis() {
        return nextWaitMillis;
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
        return "Batch residue round: " + round + " to " + delegate;
    }
}
