/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.spi.ExecutorServiceManager;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.PropertyConfigurer;
import org.apache.camel.spi.PropertyConfigurerGetter;
import org.apache.camel.spi.ThreadPoolProfile;
import org.apache.camel.spi.annotations.Component;
import org.apache.camel.support.DefaultComponent;
import org.apache.camel.support.component.RawParameterHelper;
import org.apache.camel.util.PropertiesHelper;
import org.apache.camel.util.URISupport;
import org.apache.camel.util.UnsafeUriCharactersEncoder;
import org.apache.camel.util.concurrent.ThreadPoolRejectedPolicy;

/** Makes the endpoints of the scheme {@code batchresidue} and owns the threads of their runs. */
@Component(BatchResidueComponent.SCHEME)
public class BatchResidueComponent extends DefaultComponent {

    static final String SCHEME = "batchresidue";

    /** Few are enough: what blocks is handed to the workers, and only a run that time has ended goes on from here. */
    private static final int STEPPING_THREADS = 4;

    private static final String BULK_API_PREFIX = "bulkApi.";

    /** An option that every Camel endpoint has, though no configurer lists it. */
    private static final String EXCHANGE_PATTERN = "exchangePattern";

    /** Options that a redelivery policy takes the place of. */
    private static final List<String> REPLACED_BY_POLICY =
            List.of("maximumRedeliveries", "redeliveryDelay", "backOffMultiplier", "maximumRedeliveryDelay", "jitter");

    @Metadata
    private BatchResidueConfiguration configuration = new BatchResidueConfiguration();

    @Metadata(label = "advanced", defaultValue = "20")
    private int workers = 20;

    private final UsedUpBodies usedUpBodies = new UsedUpBodies();
    private volatile RunThreads threads;
    private volatile Runs runs;

    // Guarded by this.
    private Meters meters;

    public BatchResidueComponent() {}

    public BatchResidueComponent(CamelContext context) {
        super(context);
    }

    @Override
    protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters) throws Exception {
        String path = DelegateUri.path(uri);
        if (path.isEmpty()) {
            throw new IllegalArgumentException(
                    "delegateUri: expected the URI of the endpoint to wrap, such as batchresidue:aws2-ddb:orders");
        }
        Map<String, Object> delegateOptions = DelegateUri.takeOptions(parameters, isOwnOption());
        DelegateUri.refuseMisspelt(getCamelContext(), path, delegateOptions.keySet(), ownNames());
        decode(parameters, uri);
        Map<String, String> printableOptions = DelegateUri.printableOptions(parameters);
        parameters.forEach((name, value) -> OptionChecks.checkGivenOnce(name, value, printableOptions.get(name)));
        Map<String, Object> bulkApiOptions = PropertiesHelper.extractProperties(parameters, BULK_API_PREFIX);

        BatchResidueEndpoint endpoint =
                new BatchResidueEndpoint(DelegateUri.maskable(uri), this, defaultsFor(parameters));
        endpoint.setPrintableOptions(printableOptions);
        endpoint.setDelegateUri(DelegateUri.compose(path, delegateOptions));
        endpoint.getConfiguration().setBulkApiOptions(onTopOfDefaults(bulkApiOptions));
        parameters.forEach((name, value) -> {
            OptionChecks.checkText(name, value);
            OptionChecks.checkBean(getCamelContext(), name, value);
        });
        setProperties(endpoint, parameters);
        return endpoint;
    }

    private Predicate<String> isOwnOption() {
        PropertyConfigurerGetter options = (PropertyConfigurerGetter) getEndpointPropertyConfigurer();
        return name -> name.equals(EXCHANGE_PATTERN)
                || name.startsWith(BULK_API_PREFIX)
                || options.getOptionType(name, true) != null;
    }

    private Set<String> ownNames() {
        return getCamelContext()
                .getCamelContextExtension()
                .getEndpointUriFactory(SCHEME)
                .propertyNames();
    }

    /** Reads our options as any component reads its own; a dynamic step hands us a URI that it has encoded before. */
    private void decode(Map<String, Object> ownOptions, String uri) throws URISyntaxException {
        Map<String, Object> decoded = URISupport.parseParameters(new URI(UnsafeUriCharactersEncoder.encode(uri)));
        ownOptions.replaceAll(decoded::getOrDefault);
        RawParameterHelper.resolveRawParameterValues(getCamelContext(), ownOptions);
        ownOptions.replaceAll((name, value) -> value instanceof Collection<?> many ? withoutUnset(many) : value);
    }

    /**
     * Camel takes an option out whose placeholder {@code {{?name}}} stands for nothing, but not if the option stands there
     * once more, as it does when {@code delegateUri} of the kamelet has it.
     */
    private static Object withoutUnset(Collection<?> values) {
        List<?> set = values.stream()
                .filter(value -> !value.toString().startsWith("{{?"))
                .toList();
        return set.size() == 1 ? set.get(0) : set;
    }

    /** The component's defaults; where the endpoint chooses between a policy and single options, only its own choice counts. */
    private BatchResidueConfiguration defaultsFor(Map<String, Object> parameters) {
        BatchResidueConfiguration defaults = configuration.copy();
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

    private Map<String, Object> onTopOfDefaults(Map<String, Object> bulkApiOptions) {
        Map<String, Object> options = new LinkedHashMap<>();
        if (configuration.getBulkApiOptions() != null) {
            options.putAll(configuration.getBulkApiOptions());
        }
        options.putAll(bulkApiOptions);
        return options;
    }

    /** Properties of the component are checked as those of an endpoint are. */
    @Override
    public PropertyConfigurer getComponentPropertyConfigurer() {
        PropertyConfigurer generated = super.getComponentPropertyConfigurer();
        return generated == null ? null : new CheckedConfigurer(generated);
    }

    /** We want the URI as it was written: the delegate's part of it is not ours to decode. */
    @Override
    public boolean useRawUri() {
        return true;
    }

    @Override
    protected boolean resolveRawParameterValues() {
        return false;
    }

    UsedUpBodies usedUpBodies() {
        return usedUpBodies;
    }

    /**
     * The threads of all runs; there from the component's start to its stop.
     *
     * @throws RejectedExecutionException if the component does not run
     */
    RunThreads threads() {
        RunThreads running = threads;
        if (running == null) {
            throw new RejectedExecutionException("the component batchresidue has been stopped");
        }
        return running;
    }

    /** The runs that have not ended. */
    Runs runs() {
        threads();
        return runs;
    }

    /** How far the runs are that these totals count. */
    Stream<RunProgress> runsCountedBy(RunTotals totals) {
        Runs known = runs;
        return known == null ? Stream.empty() : known.countedBy(totals);
    }

    /** The meters of all endpoints; null as long as there is no meter registry. */
    synchronized Meters meters() {
        if (meters == null) {
            meters = Meters.of(getCamelContext(), runs());
        }
        return meters;
    }

    private synchronized void closeMeters() {
        if (meters != null) {
            meters.close();
            meters = null;
        }
    }

    @Override
    protected void doStart() throws Exception {
        OptionChecks.check(configuration);
        if (workers < 1) {
            throw new IllegalArgumentException("workers=" + workers + ": expected 1 or more");
        }
        super.doStart();
        ExecutorServiceManager executors = getCamelContext().getExecutorServiceManager();
        ScheduledExecutorService timer = executors.newScheduledThreadPool(this, "BatchResidueTimer", poolOf(1));
        Crew working = new Crew(executors.newThreadPool(this, "BatchResidueWorker", poolOf(workers)));
        Crew extras = new Crew(executors.newCachedThreadPool(this, "BatchResidueExtra"));
        RunThreads started = new RunThreads(
                timer,
                new Crew(executors.newThreadPool(this, "BatchResidueStep", poolOf(STEPPING_THREADS))),
                working,
                new Crew(executors.newThreadPool(this, "BatchResidueRoute", poolOf(workers))),
                extras,
                new Relief(working, workers, extras, timer),
                Waiters.NONE);
        runs = new Runs(started::step);
        threads = started;
    }

    private static ThreadPoolProfile poolOf(int size) {
        ThreadPoolProfile profile = new ThreadPoolProfile();
        profile.setPoolSize(size);
        profile.setMaxPoolSize(size);
        // A run has few tasks at a time, but there may be any number of runs. With -1 there would be no queue at all.
        profile.setMaxQueueSize(Integer.MAX_VALUE);
        // Not the caller: that would be the timer, which must never run a delegate.
        profile.setRejectedPolicy(ThreadPoolRejectedPolicy.Abort);
        profile.setAllowCoreThreadTimeOut(true);
        profile.setKeepAliveTime(60L);
        return profile;
    }

    @Override
    protected void doStop() throws Exception {
        RunThreads stopped = threads;
        if (stopped != null) {
            threads = null;
            runs.end(run -> true);
            closeMeters();
            ExecutorServiceManager executors = getCamelContext().getExecutorServiceManager();
            executors.shutdownGraceful(stopped.steps().threads());
            executors.shutdownGraceful(stopped.workers().threads());
            executors.shutdownGraceful(stopped.routes().threads());
            executors.shutdownGraceful(stopped.extras().threads());
            // Last: until then it sees to it that what waits for one of the routes is not dropped.
            executors.shutdownNow(stopped.timer());
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

    /**
     * How many delegates may block at once, and bodies while they are read, over all endpoints of the component; and how many
     * dead letters and exchanges on their way behind the step. Waiting exchanges take none, and runs that these wait for have
     * others. If all block and none ends for a second, more are let in, for they may be waiting for each other.
     */
    public void setWorkers(int workers) {
        this.workers = workers;
    }
}
