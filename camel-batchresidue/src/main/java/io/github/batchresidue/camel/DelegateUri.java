/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.camel.CamelContext;
import org.apache.camel.spi.EndpointUriFactory;
import org.apache.camel.util.StringHelper;
import org.apache.camel.util.URISupport;

/** Takes the URI of the delegate out of ours, unchanged, and tells a misspelt option of ours from one of the delegate. */
final class DelegateUri {

    /** Options with this prefix go to the delegate whatever their name. */
    private static final String PREFIX = "delegate.";

    private static final int MISSPELT = 2;

    private DelegateUri() {}

    /** Removes the delegate's options from the parameters and gives them back, prefix taken off, in their order. */
    static Map<String, Object> takeOptions(Map<String, Object> parameters, Predicate<String> isOwn) {
        Map<String, Object> options = new LinkedHashMap<>();
        parameters.forEach((name, value) -> {
            if (name.startsWith(PREFIX)) {
                options.put(name.substring(PREFIX.length()), value);
            } else if (!isOwn.test(name)) {
                options.put(name, value);
            }
        });
        parameters.keySet().removeIf(name -> name.startsWith(PREFIX) || !isOwn.test(name));
        return options;
    }

    /** The delegate's URI; values stay as they were written, {@code RAW()} and percent signs included. */
    static String compose(String path, Map<String, Object> options) {
        StringBuilder uri = new StringBuilder(path);
        char separator = path.indexOf('?') < 0 ? '?' : '&';
        for (Map.Entry<String, Object> option : options.entrySet()) {
            Collection<?> values = option.getValue() instanceof Collection<?> many ? many : List.of(option.getValue());
            for (Object value : values) {
                uri.append(separator).append(option.getKey()).append('=').append(value);
                separator = '&';
            }
        }
        return uri.toString();
    }

    /** The delegate without its options and without user and password, fit to be printed. */
    static String printable(String uri) {
        return URISupport.sanitizePath(URISupport.sanitizeUri(StringHelper.before(uri, "?", uri)))
                .replaceAll("%3[fF].*", "");
    }

    /**
     * Fails if an option that was not written with the prefix is one or two letters from one of ours and unknown to the
     * delegate's component: a delegate that takes any option, such as http, would send it to the server.
     */
    static void refuseMisspelt(CamelContext context, String path, Set<String> leftovers, Set<String> ownNames)
            throws Exception {
        String scheme = StringHelper.before(path, ":", path);
        EndpointUriFactory factory = context.getCamelContextExtension().getEndpointUriFactory(scheme);
        Set<String> known = factory == null ? Set.of() : factory.propertyNames();
        for (String name : leftovers) {
            if (known.contains(name) || isMultiValue(factory, name)) {
                continue;
            }
            Optional<String> meant =
                    ownNames.stream().filter(own -> isMisspelt(name, own)).findFirst();
            if (meant.isPresent()) {
                throw new IllegalArgumentException("Unknown option " + name + ": did you mean " + meant.get()
                        + "? If it is for the delegate, write " + PREFIX + name);
            }
        }
    }

    private static boolean isMultiValue(EndpointUriFactory factory, String name) {
        return factory != null
                && factory.multiValuePrefixes() != null
                && factory.multiValuePrefixes().values().stream().anyMatch(name::startsWith);
    }

    private static boolean isMisspelt(String name, String own) {
        return Math.abs(name.length() - own.length()) <= MISSPELT && distance(name, own) <= MISSPELT;
    }

    /** How many letters have to be put in, taken out or replaced to come from one word to the other. */
    private static int distance(String a, String b) {
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[b.length() + 1];
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
            }
            previous = current;
        }
        return previous[b.length()];
    }
}
