/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.telemetry.Tracer;

/** The tracer of a Camel context, if there is one of camel-telemetry. */
final class Tracing {

    private final Tracer tracer;
    private final String delegate;

    private Tracing(Tracer tracer, String delegate) {
        this.tracer = tracer;
        this.delegate = delegate;
    }

    /** Null if nobody traces, or not this endpoint. */
    static Tracing of(CamelContext context, Endpoint endpoint, String delegate) {
        try {
            Tracer tracer = context.hasService(Tracer.class);
            boolean isWanted = tracer != null && !tracer.exclude(endpoint.getEndpointUri(), context);
            return isWanted ? new Tracing(tracer, delegate) : null;
        } catch (NoClassDefFoundError e) {
            return null;
        }
    }

    RunObserver spansOf(Exchange exchange) {
        return new RoundSpans(tracer.getSpanLifecycleManager(), exchange, delegate);
    }
}
