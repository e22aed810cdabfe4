/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.telemetry.Span;
import org.apache.camel.telemetry.TagConstants;
import org.apache.camel.telemetry.decorators.AbstractSpanDecorator;

/** Describes the span of the step. Found by {@link java.util.ServiceLoader}. */
public class BatchResidueSpanDecorator extends AbstractSpanDecorator {

    @Override
    public String getComponent() {
        return BatchResidueComponent.SCHEME;
    }

    @Override
    public String getComponentClassName() {
        return BatchResidueComponent.class.getName();
    }

    /** As the path stands in the URI, it may hold the delegate's user and password. */
    @Override
    public void beforeTracingEvent(Span span, Exchange exchange, Endpoint endpoint) {
        super.beforeTracingEvent(span, exchange, endpoint);
        span.setTag(TagConstants.URL_PATH, DelegateUri.printable(DelegateUri.path(endpoint.getEndpointUri())));
    }
}
