/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.spi.EndpointUriFactory;
import org.apache.camel.util.StringHelper;
import org.apache.camel.util.URISupport;

/** Takes the URI of the delegate out of ours, unchanged, and tells a misspelt option of ours from one of the delegate. */
final class DelegateUri {

    /** Options with this prefix go to the delegate whatever their name. */
    private static final String PREFIX = "delegate.";

    private static final int MISSPELT = 2;

    /** A value in RAW(), which ends where a closing bracket is followed by the next option or nothing. */
    private static final Pattern RAW_VALUE = Pattern.compile("=RAW\\(((?:(?!\\)(?:&|$)).)*)\\)(?=&|$)", Pattern.DOTALL);

    private DelegateUri() {}

    /** What stands between our scheme and the options, as it was written. */
    static String path(String uri) {
        String path = StringHelper.after(StringHelper.before(uri, "?", uri), ":", "");
        return path.startsWith("//") ? path.substring(2) : path;
    }

    /**
     * A URI in a form of the same meaning that Camel can print: what it masks of a secret in {@code RAW()} ends at the
     * first round bracket, and in {@code RAW{}} at the curly one.
     */
    static String maskable(String uri) {
        return RAW_VALUE.matcher(uri).replaceAll(match -> {
            String value = match.group(1);
            boolean endsEarly = value.contains(")") && !value.contains("}");
            return Matcher.quoteReplacement(endsEarly ? "=RAW{" + value + "}" : match.group());
        });
    }

    /** Removes what is not ours from the parameters and gives it back, in its order. */
    static Map<String, Object> takeOptions(Map<String, Object> parameters, Predicate<String> isOwn) {
        Map<String, Object> options = new LinkedHashMap<>(parameters);
        options.keySet().removeIf(isOwn);
        parameters.keySet().removeAll(options.keySet());
        return options;
    }

    /** The delegate's URI; values stay as they were written, {@code RAW()} and percent signs included. Names lose the prefix. */
    static String compose(String path, Map<String, Object> options) {
        StringBuilder uri = new StringBuilder(path);
        char separator = '?';
        for (Map.Entry<String, Object> option : options.entrySet()) {
            // Camel decodes names when it parses a query, and values of ours it does not.
            String name = URLEncoder.encode(withoutPrefix(option.getKey()), StandardCharsets.UTF_8);
            Collection<?> values = option.getValue() instanceof Collection<?> many ? many : List.of(option.getValue());
            for (Object value : values) {
                uri.append(separator).append(name).append('=').append(value);
                separator = '&';
            }
        }
        return uri.toString();
    }

    private static String withoutPrefix(String name) {
        return name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name;
    }

    /** The delegate without its options and without user and password, fit to be printed. */
    static String printable(String uri) {
        return URISupport.sanitizePath(URISupport.sanitizeUri(StringHelper.before(uri, "?", uri)))
                .replaceAll("%3[fF].*", "");
    }

    /** Options of ours, fit to be printed: endpoints that they name come without options, what may be a secret is masked. */
    static Map<String, String> printableOptions(Map<String, Object> own) {
        Map<String, String> printable = new LinkedHashMap<>();
        own.forEach((name, value) ->
                printable.put(name, EndpointLookup.isSecret(name) ? EndpointLookup.MASK : printable(value.toString())));
        return printable;
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
            if (name.startsWith(PREFIX) || known.contains(name) || isMultiValue(factory, name)) {
                continue;
            }
            Optional<String> meant = name.indexOf('.') < 0
                    ? closest(name, ownNames.stream(), "")
                    : closest(StringHelper.before(name, "."), Stream.of("bulkApi", "delegate"), ".");
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

    private static Optional<String> closest(String name, Stream<String> candidates, String suffix) {
        return candidates
                .filter(own -> Math.abs(name.length() - own.length()) <= MISSPELT)
                .filter(own -> distance(name, own) <= MISSPELT)
                .min((a, b) -> Integer.compare(distance(name, a), distance(name, b)))
                .map(own -> own + suffix);
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
