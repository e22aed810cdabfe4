/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.ErrorRules;
import io.github.batchresidue.bulkapi.ItemKey;
import io.github.batchresidue.bulkapi.Limits;
import io.github.batchresidue.engine.BackOff;
import io.github.batchresidue.engine.ExponentialBackOff;
import io.github.batchresidue.engine.ExponentialBackOff.Jitter;
import io.github.batchresidue.engine.RunOptions;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.processor.errorhandler.RedeliveryPolicy;
import org.apache.camel.support.service.ServiceHelper;
import org.apache.camel.support.service.ServiceSupport;

/** What all runs of an endpoint share: the delegate, the bulk API and the options, checked against each other. */
final class RunPlan extends ServiceSupport {

    private static final int DEFAULT_BATCH_SIZE = 1000;

    final BatchResidueConfiguration configuration;
    final BulkApi bulkApi;
    final DelegateCall delegate;
    final String printableDelegate;
    final VerdictRules rules;
    final Set<String> delegateHeaders;
    final DeadLetterEndpoints deadLetters;
    final Observation observation;
    private final Limits limits;
    private final BackOff backOff;

    RunPlan(BatchResidueEndpoint endpoint) throws Exception {
        CamelContext context = endpoint.getCamelContext();
        configuration = endpoint.getConfiguration();
        printableDelegate = DelegateUri.printable(endpoint.getDelegateUri());
        Endpoint delegateEndpoint = delegateOf(context, endpoint);
        bulkApi = BulkApis.find(
                context,
                DelegateCall.unwrap(delegateEndpoint),
                printableDelegate,
                configuration,
                itemKey(configuration.getItemKey()),
                objectMapper(context));
        delegate = new DelegateCall(context, endpoint, delegateEndpoint, bulkApi);
        rules = new VerdictRules(
                new ErrorRules(
                        operationsOf(bulkApi),
                        configuration.getTerminalErrors(),
                        configuration.getLandedErrors(),
                        configuration.getRetryableErrors()),
                configuration.getItemClassifier());
        delegateHeaders = HeaderRules.names(configuration.getDelegateHeaders());
        deadLetters = new DeadLetterEndpoints(context, endpoint, configuration);
        limits = limitsOf(bulkApi);
        backOff = backOff(configuration);
        options(true, false);
        observation = new Observation(
                endpoint,
                printableDelegate,
                BulkApis.nameOf(
                        context, DelegateCall.unwrap(delegateEndpoint), printableDelegate, configuration.getBulkApi()));
    }

    /**
     * The options of one run.
     *
     * @param inMemory whether the body is in memory anyway, so that the ledger may list what has ended
     * @param transacted whether everything has to stay on one thread
     */
    RunOptions options(boolean inMemory, boolean transacted) {
        String retain = configuration.getRetainLanded();
        RedeliveryPolicy policy = configuration.getRedeliveryPolicy();
        RunOptions.Builder builder = RunOptions.builder()
                .batchSize(batchSize(configuration.getBatchSize(), limits.maxItems()))
                .batchBytes(batchBytes(configuration.getBatchBytes(), limits.maxBytes()))
                .envelopeBytes(limits.envelopeBytes())
                .requestRule(limits.rule())
                .parallelRequests(transacted ? 1 : configuration.getParallelRequests())
                .maximumRedeliveries(
                        policy == null
                                ? orElse(configuration.getMaximumRedeliveries(), 10)
                                : policy.getMaximumRedeliveries())
                .countOnlyStalledRounds(configuration.isCountOnlyStalledRounds())
                .backOff(backOff)
                .redeliveryTimeoutMillis(configuration.getRedeliveryTimeout())
                .isolateRejected(configuration.isIsolateRejected())
                .retryTransportFailures(
                        configuration.getOnTransportFailure() == BatchResidueConfiguration.OnTransportFailure.RETRY)
                .groupDeadLetters(configuration.isDeadLetterGrouped())
                .unknownOutcome(configuration.getOnUnknownOutcome())
                .retainEnded(retain.equals("auto") ? inMemory : Boolean.parseBoolean(retain));
        if (configuration.getMaxPendingResidue() != null) {
            builder.maxPendingResidue(configuration.getMaxPendingResidue());
        }
        return builder.build();
    }

    @Override
    protected void doStart() {
        ServiceHelper.startService(bulkApi, delegate, deadLetters);
    }

    @Override
    protected void doStop() {
        ServiceHelper.stopAndShutdownServices(deadLetters, delegate, bulkApi);
    }

    private static Endpoint delegateOf(CamelContext context, BatchResidueEndpoint endpoint) {
        String uri = endpoint.getDelegateUri();
        if (context.getRegistry().lookupByNameAndType(uri, Endpoint.class) == null && uri.indexOf(':') < 0) {
            throw new IllegalArgumentException("delegateUri=" + DelegateUri.printable(uri)
                    + ": expected the URI of an endpoint, unencoded, such as aws2-ddb:orders");
        }
        Endpoint delegate = lookUp(context, uri);
        if (DelegateCall.unwrap(delegate) instanceof BatchResidueEndpoint) {
            throw new IllegalArgumentException("delegateUri=" + DelegateUri.printable(uri)
                    + ": a batchresidue endpoint cannot wrap another; give the endpoint that performs the calls");
        }
        return delegate;
    }

    private static Endpoint lookUp(CamelContext context, String uri) {
        try {
            return HttpDelegates.isHttp(context, uri)
                    ? EndpointLookup.find("delegateUri", uri, http -> HttpDelegates.withoutRetries(context, http))
                    : EndpointLookup.find(context, "delegateUri", uri);
        } catch (IllegalArgumentException e) {
            Optional<String> missing = BulkApis.missingComponent(context, context.resolvePropertyPlaceholders(uri));
            throw missing.isEmpty()
                    ? e
                    : new IllegalArgumentException(
                            "delegateUri=" + DelegateUri.printable(uri) + " needs on the class path: " + missing.get(),
                            e.getCause());
        }
    }

    private static Limits limitsOf(BulkApi bulkApi) {
        Limits limits = bulkApi.limits();
        if (limits == null) {
            throw new IllegalArgumentException(
                    "bulkApi: limits() of " + bulkApi.getClass().getName()
                            + " gives null; of an API without limits give new Limits(Limits.NONE, Limits.NONE, 0)");
        }
        return limits;
    }

    private static Set<String> operationsOf(BulkApi bulkApi) {
        Set<String> operations = bulkApi.operations();
        if (operations == null) {
            throw new IllegalArgumentException("bulkApi: operations() of "
                    + bulkApi.getClass().getName() + " gives null; where no item has an operation give Set.of()");
        }
        return operations;
    }

    private static ItemKey itemKey(Object option) {
        if (option == null || option instanceof String) {
            return ItemKey.parse((String) option);
        }
        if (option instanceof Function<?, ?>) {
            @SuppressWarnings("unchecked") // It is handed items of any type, and says itself which it knows.
            Function<Object, Object> function = (Function<Object, Object>) option;
            return ItemKey.of(function);
        }
        throw new IllegalArgumentException(
                "itemKey: expected names, none, or a reference to a java.util.function.Function," + " found a "
                        + option.getClass().getName());
    }

    private static ObjectMapper objectMapper(CamelContext context) {
        Set<ObjectMapper> mappers = context.getRegistry().findByType(ObjectMapper.class);
        return mappers.size() == 1 ? mappers.iterator().next() : new ObjectMapper();
    }

    private static int batchSize(Integer given, int limit) {
        if (given == null) {
            return limit == Limits.NONE ? DEFAULT_BATCH_SIZE : limit;
        }
        if (limit != Limits.NONE && given > limit) {
            throw new IllegalArgumentException(
                    "batchSize=" + given + ": the bulk API takes at most " + limit + " items in a request");
        }
        return given;
    }

    private static long batchBytes(Long given, long limit) {
        if (given == null) {
            return limit == Limits.NONE ? Long.MAX_VALUE : limit;
        }
        if (limit != Limits.NONE && given > limit) {
            throw new IllegalArgumentException(
                    "batchBytes=" + given + ": the bulk API takes at most " + limit + " bytes in a request");
        }
        return given;
    }

    private static BackOff backOff(BatchResidueConfiguration configuration) {
        if (configuration.getRedeliveryPolicy() != null) {
            return backOff(configuration.getRedeliveryPolicy());
        }
        Jitter jitter = orElse(configuration.getJitter(), Jitter.EQUAL);
        return new ExponentialBackOff(
                orElse(configuration.getRedeliveryDelay(), 1000L),
                orElse(configuration.getBackOffMultiplier(), 2.0),
                orElse(configuration.getMaximumRedeliveryDelay(), 60_000L),
                jitter);
    }

    /** Camel's policy draws its own random numbers; it counts redeliveries from 1 and builds on the previous wait, as ours. */
    private static BackOff backOff(RedeliveryPolicy policy) {
        return (redelivery, previousMillis, draw) ->
                Math.max(0, policy.calculateRedeliveryDelay(previousMillis, redelivery));
    }

    private static <T> T orElse(T given, T otherwise) {
        return given == null ? otherwise : given;
    }
}
