/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.support.CamelContextHelper;
import org.apache.camel.util.ObjectHelper;
import org.apache.camel.util.SensitiveUtils;
import org.apache.camel.util.StringHelper;
import org.apache.camel.util.URISupport;

/** Finds the endpoints that options name. Of one that cannot be had it tells why, without the secrets in its URI. */
final class EndpointLookup {

    static final String MASK = "xxxxxx";

    private static final Pattern SECRET =
            Pattern.compile(SensitiveUtils.getSensitivePattern(), Pattern.CASE_INSENSITIVE);
    private static final Pattern RAW = Pattern.compile("RAW(\\(.*\\)|\\{.*})", Pattern.DOTALL);
    private static final Pattern USER_INFO = Pattern.compile("^[^?]*?:(?://)?([^/?]*)@");

    private EndpointLookup() {}

    /** @throws IllegalArgumentException naming the option and, without its options, the URI */
    static Endpoint find(CamelContext context, String option, String uri) {
        return find(option, uri, maskable -> CamelContextHelper.getMandatoryEndpoint(context, maskable));
    }

    /**
     * @param lookup finds the endpoint of a URI
     * @throws IllegalArgumentException as {@link #find(CamelContext, String, String)}
     */
    static Endpoint find(String option, String uri, Function<String, Endpoint> lookup) {
        if (uri.isBlank()) {
            throw new IllegalArgumentException(
                    option + "=" + uri + ": expected the URI of an endpoint; remove the option if there is none");
        }
        if (RAW.matcher(uri).matches()) {
            throw new IllegalArgumentException(
                    option + "=" + DelegateUri.printable(content(uri))
                            + ": RAW() is part of the value here; a property of the component takes none, an option in a URI one");
        }
        try {
            return lookup.apply(DelegateUri.maskable(uri));
        } catch (RuntimeException e) {
            throw unusable(option, uri, e);
        }
    }

    /** The failure in our words. What caused it is left out if it quotes a secret: a stack trace would print it. */
    private static IllegalArgumentException unusable(String option, String uri, RuntimeException cause) {
        List<String> secrets = secrets(uri);
        boolean isQuoted = false;
        for (Throwable each : ObjectHelper.createExceptionIterable(cause)) {
            String text = String.valueOf(each.getMessage());
            isQuoted = isQuoted || !mask(text, secrets).equals(text);
        }
        String message = mask(String.valueOf(cause.getMessage()), secrets);
        return new IllegalArgumentException(
                option + "=" + DelegateUri.printable(uri) + ": " + message, isQuoted ? null : cause);
    }

    /** Masks secrets where they stand alone: a short one may be a part of any word. */
    private static String mask(String text, List<String> secrets) {
        String masked = text;
        for (String secret : secrets) {
            masked = masked.replaceAll("(?<!\\w)" + Pattern.quote(secret) + "(?!\\w)", MASK);
        }
        return masked;
    }

    private static List<String> secrets(String uri) {
        List<String> secrets = new ArrayList<>();
        Matcher userInfo = USER_INFO.matcher(uri);
        if (userInfo.find()) {
            secrets.add(userInfo.group(1));
        }
        try {
            Map<String, Object> options = URISupport.parseQuery(StringHelper.after(uri, "?", ""), true);
            options.forEach((name, value) -> {
                if (isSecret(name)) {
                    Collection<?> values = value instanceof Collection<?> many ? many : List.of(value);
                    values.forEach(one -> secrets.add(content(String.valueOf(one))));
                }
            });
        } catch (URISyntaxException e) {
            secrets.add(uri);
        }
        secrets.removeIf(String::isEmpty);
        return secrets;
    }

    /** Whether the option of this name may hold one. */
    static boolean isSecret(String name) {
        return SECRET.matcher(name).find();
    }

    private static String content(String value) {
        return RAW.matcher(value).matches() ? value.substring(4, value.length() - 1) : value;
    }
}
