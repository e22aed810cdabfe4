/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.engine.Outcome;
import org.apache.camel.AsyncCallback;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.ExchangePropertyKey;
import org.apache.camel.support.cache.DefaultProducerCache;
import org.apache.camel.support.service.ServiceHelper;
import org.apache.camel.support.service.ServiceSupport;

/** Where items go that did not land. Safe for use by many threads. */
final class DeadLetterEndpoints extends ServiceSupport {

    private final Endpoint terminal;
    private final Endpoint givenUp;
    private final DefaultProducerCache producers;

    DeadLetterEndpoints(CamelContext context, Object source, BatchResidueConfiguration configuration) {
        Endpoint shared = endpoint(context, "deadLetterUri", configuration.getDeadLetterUri(), null);
        this.terminal = endpoint(context, "terminalUri", configuration.getTerminalUri(), shared);
        this.givenUp = endpoint(context, "givenUpUri", configuration.getGivenUpUri(), shared);
        this.producers = new DefaultProducerCache(source, context, 0);
    }

    private static Endpoint endpoint(CamelContext context, String option, String uri, Endpoint otherwise) {
        return uri == null ? otherwise : EndpointLookup.find(context, option, uri);
    }

    /** The endpoint for an outcome; null if its items have nowhere to go. */
    Endpoint of(Outcome outcome) {
        return outcome == Outcome.TERMINAL ? terminal : givenUp;
    }

    void send(Endpoint endpoint, Exchange exchange, AsyncCallback callback) {
        exchange.setProperty(ExchangePropertyKey.TO_ENDPOINT, endpoint.getEndpointUri());
        producers.doInAsyncProducer(endpoint, exchange, callback, DelegateCall::process);
    }

    @Override
    protected void doStart() {
        ServiceHelper.startService(producers);
    }

    @Override
    protected void doStop() {
        ServiceHelper.stopAndShutdownServices(producers);
    }
}
