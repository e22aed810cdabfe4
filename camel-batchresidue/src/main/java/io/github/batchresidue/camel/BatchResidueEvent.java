/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import java.util.EventObject;
import org.apache.camel.Exchange;
import org.apache.camel.spi.CamelEvent;

/** What happened in a run. */
public abstract class BatchResidueEvent extends EventObject implements CamelEvent.ExchangeEvent {

    private static final long serialVersionUID = 1L;

    private final transient Exchange exchange;
    private final String delegate;
    private long timestamp;

    BatchResidueEvent(Exchange exchange, String delegate) {
        super(exchange);
        this.exchange = exchange;
        this.delegate = delegate;
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
}
