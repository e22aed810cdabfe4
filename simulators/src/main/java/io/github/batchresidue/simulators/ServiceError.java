/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.simulators;

/** An error answer in the service's own words. */
final class ServiceError extends RuntimeException {

    private static final long serialVersionUID = 1L;

    final int status;
    final String type;

    ServiceError(int status, String type, String message) {
        super(message, null, false, false);
        this.status = status;
        this.type = type;
    }

    /** The request is refused for what it says. */
    static ServiceError validation(String message) {
        return new ServiceError(400, "com.amazon.coral.validate#ValidationException", message);
    }
}
