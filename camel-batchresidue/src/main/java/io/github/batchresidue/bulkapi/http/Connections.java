/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.http;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.Set;

/** What a failed connection says about what the service has seen. */
public final class Connections {

    /** By name, because their libraries need not be there: no connection was had, or a breaker let nothing through. */
    private static final Set<String> NEVER_SENT = Set.of(
            "org.apache.hc.client5.http.ConnectTimeoutException",
            "org.apache.hc.core5.http.ConnectionRequestTimeoutException",
            "io.github.resilience4j.circuitbreaker.CallNotPermittedException",
            "org.eclipse.microprofile.faulttolerance.exceptions.CircuitBreakerOpenException");

    private Connections() {}

    /** Whether it is certain that the service has not seen the request, because no connection came about. */
    public static boolean isNeverSent(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException
                    || cause instanceof UnknownHostException
                    || cause instanceof NoRouteToHostException
                    || NEVER_SENT.contains(cause.getClass().getName())) {
                return true;
            }
        }
        return false;
    }
}
