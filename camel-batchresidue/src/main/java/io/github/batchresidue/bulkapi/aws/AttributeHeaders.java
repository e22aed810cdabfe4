/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import io.github.batchresidue.bulkapi.InvalidItemException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.camel.Exchange;
import org.apache.camel.spi.HeaderFilterStrategy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The headers that a delegate sends as attributes of a message, as its own producer would.
 *
 * @param <A> the value of an attribute
 */
public final class AttributeHeaders<A> {

    private static final Logger LOG = LoggerFactory.getLogger(AttributeHeaders.class);

    private final Supplier<HeaderFilterStrategy> filter;
    private final Function<Object, A> toAttribute;
    private final int most;
    private final String onTooMany;
    private final AtomicBoolean warned = new AtomicBoolean();

    /**
     * @param filter asked each time: an endpoint may get it only when it is started
     * @param toAttribute gives null for what cannot be an attribute
     * @param most attributes that a message may have
     * @param onTooMany {@code FAIL}, {@code IGNORE}, or anything else for a warning, which is given once
     */
    public AttributeHeaders(
            Supplier<HeaderFilterStrategy> filter, Function<Object, A> toAttribute, int most, String onTooMany) {
        this.filter = filter;
        this.toAttribute = toAttribute;
        this.most = most;
        this.onTooMany = onTooMany;
    }

    /** For a service that does not count them. */
    public static <A> AttributeHeaders<A> unlimited(
            Supplier<HeaderFilterStrategy> filter, Function<Object, A> toAttribute) {
        return new AttributeHeaders<>(filter, toAttribute, Integer.MAX_VALUE, null);
    }

    /**
     * The attributes of a message with those of the exchange: its own first, which also win.
     *
     * @throws InvalidItemException if there are too many and the user wants that to fail
     */
    public Map<String, A> addTo(Map<String, A> own, Exchange exchange) throws InvalidItemException {
        Map<String, A> all = new LinkedHashMap<>(own);
        HeaderFilterStrategy strategy = filter.get();
        for (Map.Entry<String, Object> header :
                exchange.getMessage().getHeaders().entrySet()) {
            String name = header.getKey();
            boolean isHidden =
                    strategy != null && strategy.applyFilterToCamelHeaders(name, header.getValue(), exchange);
            A attribute = isHidden || all.containsKey(name) ? null : toAttribute.apply(header.getValue());
            if (attribute != null && all.size() < most) {
                all.put(name, attribute);
            } else if (attribute != null) {
                leaveOut(name);
            }
        }
        return all;
    }

    private void leaveOut(String name) throws InvalidItemException {
        if ("FAIL".equalsIgnoreCase(onTooMany)) {
            throw new InvalidItemException("header " + name + " would be attribute " + (most + 1)
                    + " of a message, which may have " + most + ": remove headers before this step");
        }
        if (!"IGNORE".equalsIgnoreCase(onTooMany) && warned.compareAndSet(false, true)) {
            LOG.warn(
                    "Header {} is not sent as an attribute: a message may have {}. Remove headers before this step.",
                    name,
                    most);
        }
    }
}
