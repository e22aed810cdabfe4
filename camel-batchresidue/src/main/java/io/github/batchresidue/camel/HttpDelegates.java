/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import org.apache.camel.CamelContext;
import org.apache.camel.Component;
import org.apache.camel.Endpoint;
import org.apache.camel.component.http.HttpEndpoint;
import org.apache.camel.util.StringHelper;
import org.apache.hc.client5.http.impl.DefaultHttpRequestRetryStrategy;
import org.apache.hc.core5.util.TimeValue;

/**
 * Delegates of {@code camel-http}. Their client repeats a request by itself after a 429 or 503 and after a lost
 * connection, which would multiply our attempts, break the waits and send again what may have landed.
 */
final class HttpDelegates {

    private static final String COMPONENT = "org.apache.camel.component.http.HttpComponent";

    /** The option of the delegate by which a user says what is to be repeated. */
    private static final String RETRY_STRATEGY = "retryStrategy";

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
        Camel.disableRetries(DelegateCall.unwrap(endpoint));
        return endpoint;
    }

    /** Apart, because the classes it names need not be there. */
    private static final class Camel {

        static void disableRetries(Endpoint endpoint) {
            HttpEndpoint http = (HttpEndpoint) endpoint;
            boolean isChosen = http.getHttpClientOptions() != null
                    && http.getHttpClientOptions().containsKey(RETRY_STRATEGY);
            if (!isChosen) {
                http.getClientBuilder()
                        .setRetryStrategy(new DefaultHttpRequestRetryStrategy(0, TimeValue.ZERO_MILLISECONDS));
            }
        }
    }
}
