/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import org.apache.camel.AsyncCallback;
import org.apache.camel.AsyncProducer;
import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultAsyncProducer;
import org.apache.camel.support.service.ServiceHelper;

/** Hands the exchange on to the delegate. */
public class BatchResidueProducer extends DefaultAsyncProducer {

    private final String delegateUri;
    private AsyncProducer delegate;

    public BatchResidueProducer(BatchResidueEndpoint endpoint) {
        super(endpoint);
        this.delegateUri = endpoint.getDelegateUri();
    }

    @Override
    public boolean process(Exchange exchange, AsyncCallback callback) {
        return delegate.process(exchange, callback);
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        delegate = getEndpoint().getCamelContext().getEndpoint(delegateUri).createAsyncProducer();
        ServiceHelper.startService(delegate);
    }

    @Override
    protected void doStop() throws Exception {
        ServiceHelper.stopAndShutdownService(delegate);
        super.doStop();
    }
}
