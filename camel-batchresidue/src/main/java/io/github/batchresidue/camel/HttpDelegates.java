/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import java.net.URISyntaxException;
import java.util.Set;
import org.apache.camel.CamelContext;
import org.apache.camel.Component;
import org.apache.camel.Endpoint;
import org.apache.camel.component.http.HttpEndpoint;
import org.apache.camel.http.common.HttpMethods;
import org.apache.camel.util.StringHelper;
import org.apache.camel.util.URISupport;
import org.apache.hc.client5.http.impl.DefaultHttpRequestRetryStrategy;
import org.apache.hc.core5.util.TimeValue;

/**
 * Delegates of {@code camel-http}. Their client repeats a request by itself after a 429 or 503 and after a lost
 * connection, which would multiply our attempts, break the waits and send again what may have landed.
 */
final class HttpDelegates {

    private static final String COMPONENT = "org.apache.camel.component.http.HttpComponent";

    /** Options of the delegate by which a user says what is to be repeated. */
    private static final Set<String> CHOOSING = Set.of("httpClient.retryStrategy", "clientBuilder");

    private HttpDelegates() {}

    static boolean isHttp(CamelContext context, String uri) {
        Component component = uri.startsWith("http") ? context.getComponent(StringHelper.before(uri, ":")) : null;
        return component != null && component.getClass().getName().equals(COMPONENT);
    }

    /**
     * An endpoint of its own, so that other users of the URI keep their client, with a client that repeats nothing unless
     * the user says otherwise: a configurer of the client still has the last word.
     */
    static Endpoint withoutRetries(CamelContext context, String uri) {
        Endpoint endpoint = context.getCamelContextExtension().getPrototypeEndpoint(uri);
        if (!isChosen(context.resolvePropertyPlaceholders(uri))) {
            Camel.disableRetries(DelegateCall.unwrap(endpoint));
        }
        Camel.requireMethodWithBody(DelegateCall.unwrap(endpoint));
        return endpoint;
    }

    /** Asked of the URI, for an endpoint does not keep the options of its client once they are bound. */
    private static boolean isChosen(String uri) {
        try {
            return URISupport.parseQuery(StringHelper.after(uri, "?")).keySet().stream()
                    .anyMatch(CHOOSING::contains);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("delegateUri: its options cannot be read", e);
        }
    }

    /** Apart, because the classes it names need not be there. */
    private static final class Camel {

        private static final Set<HttpMethods> WITH_BODY = Set.of(HttpMethods.POST, HttpMethods.PUT, HttpMethods.PATCH);

        static void requireMethodWithBody(Endpoint endpoint) {
            HttpMethods method = ((HttpEndpoint) endpoint).getHttpMethod();
            if (method != null && !WITH_BODY.contains(method)) {
                throw new IllegalArgumentException(
                        "httpMethod=" + method + ": it sends no items; remove it, for requests are sent with POST");
            }
        }

        static void disableRetries(Endpoint endpoint) {
            ((HttpEndpoint) endpoint)
                    .getClientBuilder()
                    .setRetryStrategy(new DefaultHttpRequestRetryStrategy(0, TimeValue.ZERO_MILLISECONDS));
        }
    }
}
