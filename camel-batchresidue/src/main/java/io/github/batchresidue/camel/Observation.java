/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.engine.RunState;
import java.util.ArrayList;
import java.util.List;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;

/** Who observes the runs of an endpoint. Decided as it starts; listeners and the log may change at any time. */
final class Observation {

    private final String delegate;
    private final List<RunTotals> totals;
    private final Tracing tracing;

    /** @param bulkApi what a tag tells of the bulk API */
    Observation(BatchResidueEndpoint endpoint, String delegate, String bulkApi) {
        CamelContext context = endpoint.getCamelContext();
        this.delegate = delegate;
        this.totals = new ArrayList<>();
        if (context.getManagementStrategy().getManagementAgent() != null
                || Boolean.TRUE.equals(context.isDevConsole())) {
            totals.add(endpoint.statistics());
        }
        Meters meters = endpoint.getComponent().meters();
        if (meters != null) {
            totals.add(meters.of(delegate, bulkApi));
        }
        this.tracing = Tracing.of(context, endpoint, delegate);
    }

    /**
     * Those who observe a run; listeners come last, so that they find in the totals what they hear of.
     *
     * @param from where it begins
     */
    RunObservers of(Exchange exchange, RunState from) {
        List<RunObserver> observers = new ArrayList<>(3);
        if (!totals.isEmpty()) {
            observers.add(new RunProgress(exchange, from, totals));
        }
        if (tracing != null) {
            observers.add(tracing.spansOf(exchange));
        }
        RunReporter reporter = new RunReporter(exchange, delegate);
        if (reporter.isHeard()) {
            observers.add(reporter);
        }
        return new RunObservers(observers);
    }
}
