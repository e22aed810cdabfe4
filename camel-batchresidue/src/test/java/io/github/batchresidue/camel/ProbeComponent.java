/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Consumer;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.ExchangePattern;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.support.DefaultAsyncProducer;
import org.apache.camel.support.DefaultComponent;
import org.apache.camel.support.DefaultEndpoint;
import org.apache.camel.util.PropertiesHelper;

/** A strict component {@code probe:path} that shows what its endpoints were given, and does as a test tells it. */
public final class ProbeComponent extends DefaultComponent {

    /** What every producer does; by default it answers that all words landed. */
    private volatile BiFunction<Exchange, AsyncCallback, Boolean> behaviour = (exchange, callback) -> {
        WordService.landingAll().process(exchange);
        callback.done(true);
        return true;
    };

    private final List<ProbeEndpoint> endpoints = new ArrayList<>();

    void behave(BiFunction<Exchange, AsyncCallback, Boolean> newBehaviour) {
        behaviour = newBehaviour;
    }

    /** The only endpoint so far. */
    ProbeEndpoint endpoint() {
        if (endpoints.size() != 1) {
            throw new IllegalStateException("made endpoints: " + endpoints);
        }
        return endpoints.get(0);
    }

    @Override
    protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters) {
        ProbeEndpoint endpoint = new ProbeEndpoint(uri, this, remaining);
        endpoint.extras.putAll(PropertiesHelper.extractProperties(parameters, "extra."));
        setProperties(endpoint, parameters);
        endpoints.add(endpoint);
        return endpoint;
    }

    @Override
    protected void setProperties(Endpoint endpoint, Map<String, Object> parameters) {
        ProbeEndpoint probe = (ProbeEndpoint) endpoint;
        for (String name : List.of("value", "other", "password", "secretKey", "accessKey", "batchSize")) {
            if (parameters.containsKey(name)) {
                probe.options.put(name, parameters.remove(name));
            }
        }
        if (parameters.remove("exchangePattern") instanceof String pattern) {
            probe.setExchangePattern(ExchangePattern.valueOf(pattern));
        }
    }

    static final class ProbeEndpoint extends DefaultEndpoint {

        final String path;
        final Map<String, Object> options = new TreeMap<>();
        final Map<String, Object> extras = new TreeMap<>();

        private ProbeEndpoint(String uri, ProbeComponent component, String path) {
            super(uri, component);
            this.path = path;
        }

        @Override
        public Producer createProducer() {
            return new DefaultAsyncProducer(this) {
                @Override
                public boolean process(Exchange exchange, AsyncCallback callback) {
                    return ((ProbeComponent) getComponent()).behaviour.apply(exchange, callback);
                }
            };
        }

        @Override
        public Consumer createConsumer(Processor processor) {
            throw new UnsupportedOperationException();
        }
    }
}
