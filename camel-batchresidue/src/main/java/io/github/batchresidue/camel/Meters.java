/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.camel.CamelContext;
import org.apache.camel.spi.Registry;

/**
 * The Micrometer meters of a component, kept in the meter registry that is in Camel's registry. Endpoints that differ in
 * nothing that a tag tells share theirs.
 */
final class Meters {

    /** With a dynamic step there is no end of delegates. */
    static final int MOST_DELEGATES = 100;

    /** The delegate of all that are too many. */
    static final String OTHER = "other";

    /** As camel-micrometer looks for it. */
    private static final String REGISTRY_NAME = "metricsRegistry";

    private final CamelContext context;
    private final MeterRegistry registry;
    private final Runs runs;
    private final Map<Tags, DelegateMeters> meters = new HashMap<>();

    private Meters(CamelContext context, MeterRegistry registry, Runs runs) {
        this.context = context;
        this.registry = registry;
        this.runs = runs;
    }

    /** Null if there is no meter registry, or not the one, or no Micrometer at all. */
    static Meters of(CamelContext context, Runs runs) {
        try {
            MeterRegistry registry = registryOf(context.getRegistry());
            return registry == null ? null : new Meters(context, registry, runs);
        } catch (NoClassDefFoundError e) {
            return null;
        }
    }

    private static MeterRegistry registryOf(Registry beans) {
        MeterRegistry named = beans.lookupByNameAndType(REGISTRY_NAME, MeterRegistry.class);
        if (named != null) {
            return named;
        }
        Set<MeterRegistry> all = beans.findByType(MeterRegistry.class);
        return all.size() == 1 ? all.iterator().next() : null;
    }

    /** @param delegate without its options */
    synchronized RunTotals of(String delegate, String bulkApi) {
        DelegateMeters known = meters.get(tags(delegate, bulkApi));
        if (known != null) {
            return known;
        }
        Tags tags = meters.size() < MOST_DELEGATES ? tags(delegate, bulkApi) : tags(OTHER, OTHER);
        return meters.computeIfAbsent(tags, which -> new DelegateMeters(registry, which, runs));
    }

    private Tags tags(String delegate, String bulkApi) {
        return Tags.of("camelContext", context.getName(), "delegate", delegate, "bulkApi", bulkApi);
    }

    synchronized void close() {
        meters.values().forEach(DelegateMeters::close);
        meters.clear();
    }
}
