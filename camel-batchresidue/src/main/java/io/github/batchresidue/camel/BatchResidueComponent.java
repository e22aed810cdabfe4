/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.function.Predicate;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.spi.ExecutorServiceManager;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.PropertyConfigurerGetter;
import org.apache.camel.spi.ThreadPoolProfile;
import org.apache.camel.spi.annotations.Component;
import org.apache.camel.support.DefaultComponent;
import org.apache.camel.support.component.RawParameterHelper;
import org.apache.camel.util.ObjectHelper;
import org.apache.camel.util.PropertiesHelper;

/** Makes the endpoints of the scheme {@code batchresidue} and owns the threads of their runs. */
@Component(BatchResidueComponent.SCHEME)
public class BatchResidueComponent extends DefaultComponent {

    static final String SCHEME = "batchresidue";

    private static final String BULK_API_PREFIX = "bulkApi.";

    /** An option that every Camel endpoint has, though no configurer lists it. */
    private static final String EXCHANGE_PATTERN = "exchangePattern";

    /** Of each pair of options, the left one excludes the right ones. */
    private static final List<String> REPLACED_BY_POLICY =
            List.of("maximumRedeliveries", "redeliveryDelay", "backOffMultiplier", "maximumRedeliveryDelay", "jitter");

    @Metadata
    private BatchResidueConfiguration configuration = new BatchResidueConfiguration();

    @Metadata(label = "advanced", defaultValue = "20")
    private int workers = 20;

    private RunThreads threads;

    public BatchResidueComponent() {}

    public BatchResidueComponent(CamelContext context) {
        super(context);
    }

    @Override
    protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters) throws Exception {
        if (ObjectHelper.isEmpty(remaining)) {
            throw new IllegalArgumentException(
                    "delegateUri: expected the URI of the endpoint to wrap, such as batchresidue:aws2-ddb:orders");
        }
        Map<String, Object> bulkApiOptions = PropertiesHelper.extractProperties(parameters, BULK_API_PREFIX);
        Map<String, Object> delegateOptions = DelegateUri.takeOptions(parameters, isOwnOption());
        DelegateUri.refuseMisspelt(
                getCamelContext(),
                remaining,
                delegateOptions.keySet(),
                getCamelContext()
                        .getCamelContextExtension()
                        .getEndpointUriFactory(SCHEME)
                        .propertyNames());
        RawParameterHelper.resolveRawParameterValues(getCamelContext(), parameters);
        RawParameterHelper.resolveRawParameterValues(getCamelContext(), bulkApiOptions);

        BatchResidueEndpoint endpoint = new BatchResidueEndpoint(uri, this, defaultsFor(parameters));
        endpoint.setDelegateUri(DelegateUri.compose(remaining, delegateOptions));
        if (!bulkApiOptions.isEmpty()) {
            endpoint.getConfiguration().setBulkApiOptions(bulkApiOptions);
        }
        setProperties(endpoint, parameters);
        return endpoint;
    }

    private Predicate<String> isOwnOption() {
        PropertyConfigurerGetter options = (PropertyConfigurerGetter) getEndpointPropertyConfigurer();
        return name -> name.equals(EXCHANGE_PATTERN) || options.getOptionType(name, true) != null;
    }

    /** The component's defaults; where the endpoint chooses between a policy and single options, only its own choice counts. */
    private BatchResidueConfiguration defaultsFor(Map<String, Object> parameters) {
        BatchResidueConfiguration defaults = configuration.copy();
        if (configuration.getBulkApiOptions() != null) {
            defaults.setBulkApiOptions(new LinkedHashMap<>(configuration.getBulkApiOptions()));
        }
        if (parameters.containsKey("redeliveryPolicy")) {
            defaults.setMaximumRedeliveries(null);
            defaults.setRedeliveryDelay(null);
            defaults.setBackOffMultiplier(null);
            defaults.setMaximumRedeliveryDelay(null);
            defaults.setJitter(null);
        } else if (REPLACED_BY_POLICY.stream().anyMatch(parameters::containsKey)) {
            defaults.setRedeliveryPolicy(null);
        }
        return defaults;
    }

    /** The URI is taken as it was written: the delegate's part of it is not ours to decode or reorder. */
    @Override
    public boolean useRawUri() {
        return true;
    }

    @Override
    protected boolean resolveRawParameterValues() {
        return false;
    }

    /** The threads of all runs; there from the component's start to its stop. */
    RunThreads threads() {
        return threads;
    }

    @Override
    protected void doStart() throws Exception {
        if (workers < 1) {
            throw new IllegalArgumentException("workers=" + workers + ": expected 1 or more");
        }
        super.doStart();
        ExecutorServiceManager executors = getCamelContext().getExecutorServiceManager();
        threads = new RunThreads(
                executors.newSingleThreadScheduledExecutor(this, "BatchResidueTimer"), newWorkers(executors));
    }

    private ExecutorService newWorkers(ExecutorServiceManager executors) {
        ThreadPoolProfile profile = new ThreadPoolProfile("batchResidueWorkers");
        profile.setPoolSize(workers);
        profile.setMaxPoolSize(workers);
        profile.setMaxQueueSize(-1); // A run has at most a few tasks here, and the timer must never run one itself.
        profile.setAllowCoreThreadTimeOut(true);
        profile.setKeepAliveTime(60L);
        return executors.newThreadPool(this, "BatchResidueWorker", profile);
    }

    @Override
    protected void doStop() throws Exception {
        if (threads != null) {
            ExecutorServiceManager executors = getCamelContext().getExecutorServiceManager();
            executors.shutdownNow(threads.timer());
            executors.shutdownGraceful(threads.workers());
            threads = null;
        }
        super.doStop();
    }

    public BatchResidueConfiguration getConfiguration() {
        return configuration;
    }

    /** Defaults for the options of all endpoints. */
    public void setConfiguration(BatchResidueConfiguration configuration) {
        this.configuration = configuration;
    }

    public int getWorkers() {
        return workers;
    }

    /** How many delegates may block at once, over all endpoints of the component. Waiting exchanges take none. */
    public void setWorkers(int workers) {
        this.workers = workers;
    }
}
