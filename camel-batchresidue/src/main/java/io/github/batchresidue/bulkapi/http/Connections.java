/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.http;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** What a failed connection says about what the service has seen. */
public final class Connections {

    /** By name, because their libraries need not be there: no connection was had, or a breaker let nothing through. */
    private static final Set<String> NEVER_SENT = Set.of(
            "java.net.http.HttpConnectTimeoutException",
            "org.apache.http.conn.ConnectTimeoutException",
            "org.apache.hc.client5.http.ConnectTimeoutException",
            "org.apache.hc.core5.http.ConnectionRequestTimeoutException",
            "io.github.resilience4j.circuitbreaker.CallNotPermittedException",
            "org.eclipse.microprofile.faulttolerance.exceptions.CircuitBreakerOpenException");

    private Connections() {}

    /** Whether it is certain that the service has not seen the request, because no connection came about. */
    public static boolean isNeverSent(Throwable failure) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Throwable cause = failure; cause != null && seen.add(cause); cause = cause.getCause()) {
            if (cause instanceof ConnectException
                    || cause instanceof UnknownHostException
                    || cause instanceof NoRouteToHostException
                    || isNamed(cause)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isNamed(Throwable cause) {
        for (Class<?> type = cause.getClass(); type != null; type = type.getSuperclass()) {
            if (NEVER_SENT.contains(type.getName())) {
                return true;
            }
        }
        return false;
    }
}
