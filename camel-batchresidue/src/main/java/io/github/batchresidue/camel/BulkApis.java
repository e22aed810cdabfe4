/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkApiContext;
import io.github.batchresidue.bulkapi.BulkApiProvider;
import io.github.batchresidue.bulkapi.ItemKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.util.StringHelper;

/** Finds the bulk API of an endpoint: given as a bean, by name, or told from the delegate. */
final class BulkApis {

    private static final String CAMEL = "org.apache.camel:";

    private BulkApis() {}

    static BulkApi find(
            CamelContext context,
            Endpoint delegate,
            String printableDelegate,
            BatchResidueConfiguration configuration,
            ItemKey itemKey,
            ObjectMapper objectMapper) {
        Object given = configuration.getBulkApi();
        Map<String, Object> options =
                configuration.getBulkApiOptions() == null ? Map.of() : configuration.getBulkApiOptions();
        if (given instanceof BulkApi bean) {
            refuseUnknown(options, List.of(), "a bean");
            Object itemKeyOption = configuration.getItemKey();
            if (itemKeyOption != null) {
                throw new IllegalArgumentException(
                        "itemKey" + (itemKeyOption instanceof String ? "=" + itemKeyOption : "")
                                + ": a bulk API that is a bean gives its items their keys itself; remove the option");
            }
            return bean;
        }
        if (given != null && !(given instanceof String)) {
            throw new IllegalArgumentException("bulkApi: expected a name or a reference to a " + BulkApi.class.getName()
                    + ", found a " + given.getClass().getName());
        }
        BulkApiProvider provider = provider(context, delegate, printableDelegate, (String) given);
        refuseDelegateOfAnother(context, delegate, printableDelegate, provider, (String) given);
        refuseUnknown(options, provider.optionNames(), provider.names().get(0));
        Map<String, String> texts = new TreeMap<>();
        options.forEach((name, value) -> texts.put(name, String.valueOf(value)));
        try {
            return provider.create(new BulkApiContext(context, delegate, texts, itemKey, objectMapper));
        } catch (LinkageError e) {
            throw new IllegalArgumentException(
                    "bulkApi=" + provider.names().get(0) + " needs on the class path: "
                            + String.join(", ", provider.coordinates()),
                    e);
        }
    }

    /** What the bulk API is called that {@link #find} finds; of a bean, its class. */
    static String nameOf(CamelContext context, Endpoint delegate, String printableDelegate, Object given) {
        return given instanceof BulkApi bean
                ? bean.getClass().getSimpleName()
                : provider(context, delegate, printableDelegate, (String) given)
                        .names()
                        .get(0);
    }

    private static BulkApiProvider provider(
            CamelContext context, Endpoint delegate, String printableDelegate, String name) {
        List<BulkApiProvider> known = providers(context);
        if (name != null) {
            return known.stream()
                    .filter(provider -> provider.names().contains(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "bulkApi=" + name + ": expected one of " + names(known) + " or a reference to a bean"));
        }
        return known.stream()
                .filter(provider -> provider.isSpokenBy(delegate))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("bulkApi: it cannot be told from the delegate "
                        + printableDelegate + "; give one of " + names(known) + " or a reference to a bean"));
    }

    /**
     * A component that speaks one API alone would send requests of another as something that they are not. What makes calls
     * of any kind, such as {@code http} or a route of the user's, is left to the user.
     */
    private static void refuseDelegateOfAnother(
            CamelContext context, Endpoint delegate, String printableDelegate, BulkApiProvider provider, String given) {
        if (given == null
                || provider.isSpokenBy(delegate)
                || schemeOf(delegate.getEndpointUri()).equals("http")) {
            return;
        }
        providers(context).stream()
                .filter(other -> other.isSpokenBy(delegate))
                .findFirst()
                .ifPresent(other -> {
                    throw new IllegalArgumentException("bulkApi=" + given + ": the delegate " + printableDelegate
                            + " speaks " + other.names().get(0) + "; remove bulkApi, or give a delegate that speaks "
                            + given);
                });
    }

    /**
     * What has to be on the class path for a delegate that there is no component for.
     *
     * @param uri without placeholders
     * @return empty if there is one, or if it is no delegate of a known bulk API
     */
    static Optional<String> missingComponent(CamelContext context, String uri) {
        String scheme = schemeOf(uri);
        if (context.getComponent(scheme) != null) {
            return Optional.empty();
        }
        Endpoint unmade = new UnmadeEndpoint(uri);
        return providers(context).stream()
                .filter(provider -> provider.isSpokenBy(unmade))
                .findFirst()
                .map(provider -> provider.coordinates().stream()
                        .filter(coordinates -> coordinates.startsWith(CAMEL))
                        .findFirst()
                        .orElse(CAMEL + "camel-" + scheme));
    }

    private static String schemeOf(String uri) {
        String scheme = StringHelper.before(uri, ":", uri);
        return scheme.equals("https") ? "http" : scheme;
    }

    private static List<BulkApiProvider> providers(CamelContext context) {
        List<BulkApiProvider> providers = new ArrayList<>();
        ServiceLoader.load(BulkApiProvider.class, BulkApis.class.getClassLoader())
                .forEach(providers::add);
        ClassLoader application = context.getApplicationContextClassLoader();
        if (application != null) {
            for (BulkApiProvider provider : ServiceLoader.load(BulkApiProvider.class, application)) {
                if (providers.stream().noneMatch(known -> known.getClass() == provider.getClass())) {
                    providers.add(provider);
                }
            }
        }
        return providers;
    }

    private static String names(List<BulkApiProvider> providers) {
        return providers.stream()
                .flatMap(provider -> provider.names().stream())
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private static void refuseUnknown(Map<String, Object> options, Collection<String> known, String bulkApi) {
        for (String name : options.keySet()) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("bulkApi." + name + ": not an option of " + bulkApi
                        + "; its options: " + (known.isEmpty() ? "none" : String.join(", ", new TreeSet<>(known))));
            }
        }
    }
}
