/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.apache.camel.spi.RouteIdAware;
import org.apache.camel.support.DefaultAsyncProducer;

/** Begins a run for each exchange. Keeps no state of any of them. */
public class BatchResidueProducer extends DefaultAsyncProducer implements RouteIdAware {

    private String routeId;

    public BatchResidueProducer(BatchResidueEndpoint endpoint) {
        super(endpoint);
    }

    @Override
    public BatchResidueEndpoint getEndpoint() {
        return (BatchResidueEndpoint) super.getEndpoint();
    }

    @Override
    public boolean process(Exchange exchange, AsyncCallback callback) {
        RunResult.removeFrom(exchange);
        ExchangeRun run;
        try {
            run = ExchangeRun.begin(this, exchange, callback);
        } catch (Throwable e) {
            exchange.setException(e);
            callback.done(true);
            return true;
        }
        return run.start();
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        getEndpoint().takePlan();
    }

    /**
     * The producer of a route's own step stops when the route does, and Camel has waited for its exchanges before; what is
     * still under way then has to end. Any other producer may have been evicted from a cache, which is no end of its runs.
     */
    @Override
    protected void doStop() throws Exception {
        if (routeId != null) {
            getEndpoint().getComponent().runs().end(run -> run.isOf(this));
        }
        getEndpoint().givePlanBack();
        super.doStop();
    }

    /** Whether the other is of the same endpoint, and made because this one was not kept. */
    boolean isReplacedBy(BatchResidueProducer other) {
        return isStoppingOrStopped()
                && getEndpoint().getEndpointUri().equals(other.getEndpoint().getEndpointUri());
    }

    /** Whether a run that begins now comes too late. */
    boolean hasEndedItsRuns() {
        return routeId != null && isStoppingOrStopped();
    }

    /** Camel's own would show the options. */
    @Override
    public String toString() {
        return "Producer[" + getEndpoint() + "]";
    }

    @Override
    public String getRouteId() {
        return routeId;
    }

    @Override
    public void setRouteId(String routeId) {
        this.routeId = routeId;
    }
}
