/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.bulkapi.BulkApi;
import java.util.concurrent.RejectedExecutionException;
import org.apache.camel.AsyncCallback;
import org.apache.camel.AsyncProcessor;
import org.apache.camel.AsyncProducer;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.ExchangePattern;
import org.apache.camel.ExchangePropertyKey;
import org.apache.camel.Processor;
import org.apache.camel.spi.InterceptSendToEndpoint;
import org.apache.camel.support.DefaultAsyncProducer;
import org.apache.camel.support.DefaultInterceptSendToEndpoint;
import org.apache.camel.support.EndpointHelper;
import org.apache.camel.support.EventHelper;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.cache.DefaultProducerCache;
import org.apache.camel.support.service.ServiceHelper;
import org.apache.camel.support.service.ServiceSupport;
import org.apache.camel.util.StopWatch;

/**
 * Sends an exchange to the delegate as Camel would: with its events, through interceptors and mocks, and through the bulk
 * API's own sender where the delegate's producer cannot do the call. Safe for use by many threads.
 */
final class DelegateCall extends ServiceSupport {

    private final CamelContext context;
    private final Endpoint endpoint;
    private final DefaultProducerCache producers;
    private final AsyncProducer sender;
    private final ExchangePattern pattern;

    DelegateCall(CamelContext context, Object source, Endpoint endpoint, BulkApi bulkApi) {
        this.context = context;
        this.endpoint = endpoint;
        Processor ownSender = bulkApi.sender(unwrap(endpoint));
        this.sender = ownSender == null ? null : intercepted(endpoint, ownSender);
        ExchangePattern given = EndpointHelper.resolveExchangePatternFromUrl(endpoint.getEndpointUri());
        this.pattern = given == null ? ExchangePattern.InOut : given;
        this.producers = ownSender == null ? new DefaultProducerCache(source, context, 0) : null;
    }

    /** The endpoint as its component made it. */
    static Endpoint unwrap(Endpoint endpoint) {
        Endpoint unwrapped = endpoint;
        while (unwrapped instanceof InterceptSendToEndpoint intercepted) {
            unwrapped = intercepted.getOriginalEndpoint();
        }
        return unwrapped;
    }

    /** Puts the interceptors of the endpoint around a sender, as the endpoint itself puts them around its producer. */
    private AsyncProducer intercepted(Endpoint target, Processor ownSender) {
        if (!(target instanceof InterceptSendToEndpoint intercepted)) {
            return new Sender(target, ownSender);
        }
        Endpoint original = intercepted.getOriginalEndpoint();
        return PluginHelper.getInternalProcessorFactory(context)
                .createInterceptSendToEndpointProcessor(
                        intercepted,
                        original,
                        intercepted(original, ownSender),
                        intercepted.isSkip(),
                        intercepted instanceof DefaultInterceptSendToEndpoint standard ? standard.getOnWhen() : null);
    }

    /** Whether the bulk API performs the calls itself. */
    boolean hasSender() {
        return sender != null;
    }

    /** Performs the call; the callback is called exactly once, during the call or later. Never throws. */
    void perform(Exchange exchange, AsyncCallback callback) {
        exchange.setPattern(pattern);
        exchange.setProperty(ExchangePropertyKey.TO_ENDPOINT, endpoint.getEndpointUri());
        if (sender == null) {
            producers.doInAsyncProducer(endpoint, exchange, callback, DelegateCall::process);
            return;
        }
        if (!isRunAllowed()) {
            exchange.setException(new RejectedExecutionException("the endpoint has been stopped"));
            callback.done(true);
            return;
        }
        boolean told = context.getCamelContextExtension().isEventNotificationApplicable()
                && EventHelper.notifyExchangeSending(context, exchange, endpoint);
        StopWatch watch = told ? new StopWatch() : null;
        process(sender, exchange, doneSync -> {
            if (watch != null) {
                EventHelper.notifyExchangeSent(context, exchange, endpoint, watch.taken());
            }
            callback.done(doneSync);
        });
    }

    /** Processes an exchange; a transacted one stays on this thread until it is done. */
    static boolean process(AsyncProcessor producer, Exchange exchange, AsyncCallback callback) {
        if (!exchange.isTransacted()) {
            return producer.process(exchange, callback);
        }
        try {
            producer.process(exchange);
        } catch (Exception e) {
            exchange.setException(e);
        }
        callback.done(true);
        return true;
    }

    @Override
    protected void doStart() {
        ServiceHelper.startService(endpoint, producers, sender);
        if (producers != null) {
            // A delegate that cannot work fails the start, as it would without us; lazyStartProducer puts that off.
            producers.releaseProducer(endpoint, producers.acquireProducer(endpoint));
        }
    }

    @Override
    protected void doStop() {
        ServiceHelper.stopAndShutdownServices(producers, sender);
    }

    /** The bulk API's sender in the shape of a producer. */
    private static final class Sender extends DefaultAsyncProducer {

        private final Processor processor;

        Sender(Endpoint endpoint, Processor processor) {
            super(endpoint);
            this.processor = processor;
        }

        /** Camel's own converter calls an exchange done, without an exception, whose processor throws an error. */
        @Override
        public boolean process(Exchange exchange, AsyncCallback callback) {
            if (processor instanceof AsyncProcessor async) {
                return async.process(exchange, callback);
            }
            try {
                processor.process(exchange);
            } catch (Throwable e) {
                exchange.setException(e);
            }
            callback.done(true);
            return true;
        }

        @Override
        protected void doStart() throws Exception {
            super.doStart();
            ServiceHelper.startService(getEndpoint());
        }
    }
}
