/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultAsyncProducer;

/** Begins a run for each exchange. Keeps no state of any of them. */
public class BatchResidueProducer extends DefaultAsyncProducer {

    private RunPlan plan;

    public BatchResidueProducer(BatchResidueEndpoint endpoint) {
        super(endpoint);
    }

    @Override
    public BatchResidueEndpoint getEndpoint() {
        return (BatchResidueEndpoint) super.getEndpoint();
    }

    @Override
    public boolean process(Exchange exchange, AsyncCallback callback) {
        ExchangeRun run;
        try {
            run = new ExchangeRun(getEndpoint(), plan, exchange, callback);
        } catch (Exception e) {
            exchange.setException(e);
            callback.done(true);
            return true;
        }
        return run.start();
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        plan = getEndpoint().plan();
    }
}
