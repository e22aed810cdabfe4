/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.docs;

import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import org.apache.camel.CamelContext;

/** The beans of the guide. */
final class WatchingBeans {

    private WatchingBeans() {}

    static void bind(
            CamelContext context, RetryListener retryListener, MeterRegistry meters, OpenTelemetry openTelemetry) {
        // tag::beans[]
        context.getManagementStrategy().addEventNotifier(retryListener);
        context.getRegistry().bind("metricsRegistry", meters);
        context.getRegistry().bind("tracer", openTelemetry.getTracer("orders"));
        context.getRegistry().bind("propagators", openTelemetry.getPropagators());
        // end::beans[]
    }
}
