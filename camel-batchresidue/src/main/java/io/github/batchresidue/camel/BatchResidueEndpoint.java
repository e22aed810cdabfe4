/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.camel.EndpointStatistics.Total;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.camel.AsyncEndpoint;
import org.apache.camel.Category;
import org.apache.camel.Consumer;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.api.management.ManagedAttribute;
import org.apache.camel.api.management.ManagedOperation;
import org.apache.camel.api.management.ManagedResource;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.UriEndpoint;
import org.apache.camel.spi.UriParam;
import org.apache.camel.spi.UriPath;
import org.apache.camel.support.DefaultEndpoint;

/**
 * Send items in bulk to another endpoint and re-send only those that did not land.
 *
 * <p>Wraps an endpoint that calls a bulk API, splits the body into batches, re-sends only the residue with a growing wait
 * that holds no thread, routes items that cannot land to dead-letter endpoints and gives back a ledger in which every
 * item appears exactly once.
 */
@ManagedResource(description = "Managed Batch Residue Endpoint")
@UriEndpoint(
        firstVersion = "0.1.0",
        scheme = BatchResidueComponent.SCHEME,
        title = "Batch Residue",
        syntax = "batchresidue:delegateUri",
        producerOnly = true,
        lenientProperties = true,
        category = {Category.CLOUD, Category.DATABASE, Category.MESSAGING},
        headersClass = BatchResidueConstants.class)
public class BatchResidueEndpoint extends DefaultEndpoint implements AsyncEndpoint {

    @UriPath(description = "The endpoint that performs the calls; options that are none of this component go to it.")
    @Metadata(required = true)
    private String delegateUri;

    @UriParam
    private BatchResidueConfiguration configuration;

    private Map<String, String> printableOptions = Map.of();

    // Both guarded by this: producers and runs that begin and end on many threads share one plan.
    private RunPlan plan;
    private int planUsers;

    private final EndpointStatistics statistics = new EndpointStatistics();

    public BatchResidueEndpoint(String uri, BatchResidueComponent component, BatchResidueConfiguration configuration) {
        super(uri, component);
        this.configuration = configuration;
    }

    @Override
    public Producer createProducer() {
        return new BatchResidueProducer(this);
    }

    @Override
    public Consumer createConsumer(Processor processor) {
        throw new UnsupportedOperationException("batchresidue is for sending: use it in to(), not in from()");
    }

    @Override
    public boolean isLenientProperties() {
        return true; // What is not ours has gone to the delegate, which checks it.
    }

    @Override
    public BatchResidueComponent getComponent() {
        return (BatchResidueComponent) super.getComponent();
    }

    /**
     * What all runs share; to be given back. Made when the first producer starts, so that interceptors and mocks are in
     * place, and there until the last producer is stopped and the last run has ended.
     */
    synchronized RunPlan takePlan() throws Exception {
        if (plan == null) {
            RunPlan made = new RunPlan(this);
            try {
                made.start();
            } catch (Throwable e) {
                made.stop();
                throw e;
            }
            plan = made;
        }
        planUsers++;
        return plan;
    }

    synchronized void givePlanBack() {
        planUsers--;
        if (planUsers == 0) {
            RunPlan unused = plan;
            plan = null;
            unused.stop();
        }
    }

    /** Our own options as the URI has them, fit to be printed. */
    Map<String, String> printableOptions() {
        return printableOptions;
    }

    void setPrintableOptions(Map<String, String> options) {
        printableOptions = options;
    }

    EndpointStatistics statistics() {
        return statistics;
    }

    /** How far the runs of this endpoint are. */
    Stream<RunProgress> runsInProgress() {
        return getComponent().runsCountedBy(statistics);
    }

    @Override
    protected void doInit() throws Exception {
        OptionChecks.check(configuration);
        super.doInit();
    }

    /** Runs end with the context, not when Camel merely drops an endpoint that it has no producer for any more. */
    @Override
    protected void doStop() throws Exception {
        if (getCamelContext().isStopping()) {
            getComponent().runs().end(run -> run.isAt(this));
        }
        super.doStop();
    }

    public String getDelegateUri() {
        return delegateUri;
    }

    public void setDelegateUri(String delegateUri) {
        this.delegateUri = delegateUri;
    }

    public BatchResidueConfiguration getConfiguration() {
        return configuration;
    }

    public void setConfiguration(BatchResidueConfiguration configuration) {
        this.configuration = configuration;
    }

    /** With options: an endpoint that differs in them has totals of its own, and JMX would know only one of the two. */
    @Override
    public String getEndpointKey() {
        return getEndpointUri();
    }

    @ManagedAttribute(description = "The endpoint that performs the calls, without its options", mask = true)
    public String getDelegate() {
        return DelegateUri.printable(delegateUri);
    }

    @ManagedAttribute(description = "Items that have ended, or were left pending by a run that failed")
    public long getItemsTotal() {
        return statistics.items();
    }

    @ManagedAttribute(description = "Items that landed")
    public long getItemsLanded() {
        return statistics.get(Total.LANDED);
    }

    @ManagedAttribute(description = "Items that were refused for good")
    public long getItemsTerminal() {
        return statistics.get(Total.TERMINAL);
    }

    @ManagedAttribute(description = "Items that were given up")
    public long getItemsGivenUp() {
        return statistics.get(Total.GIVEN_UP);
    }

    @ManagedAttribute(description = "Items that were left pending by runs that failed")
    public long getItemsPending() {
        return statistics.get(Total.PENDING);
    }

    @ManagedAttribute(description = "How often an item was sent again")
    public long getItemsResent() {
        return statistics.get(Total.RESENT);
    }

    @ManagedAttribute(description = "Items that wait to be sent again, now")
    public long getItemsWaiting() {
        return runsInProgress().mapToLong(RunProgress::waiting).sum();
    }

    @ManagedAttribute(description = "Requests that were sent to the delegate")
    public long getRequests() {
        return statistics.get(Total.REQUESTS);
    }

    @ManagedAttribute(description = "Rounds of the runs that have ended")
    public long getRounds() {
        return statistics.get(Total.ROUNDS);
    }

    @ManagedAttribute(description = "Waits that answers made necessary")
    public long getWaits() {
        return statistics.get(Total.WAITS);
    }

    @ManagedAttribute(description = "Milliseconds that runs waited with nothing in flight")
    public long getWaitedMillis() {
        return statistics.get(Total.WAITED_MILLIS);
    }

    @ManagedAttribute(description = "Runs that have ended")
    public long getRunsEnded() {
        return statistics.get(Total.RUNS);
    }

    @ManagedAttribute(description = "Runs in progress, now")
    public long getRunsInProgress() {
        return runsInProgress().count();
    }

    @ManagedOperation(description = "Sets the totals to 0")
    public void resetStatistics() {
        statistics.reset();
    }

    /** Without options: the delegate's may hold secrets in forms that no mask knows. */
    @Override
    public String toString() {
        return BatchResidueComponent.SCHEME + "://" + DelegateUri.printable(delegateUri);
    }
}
