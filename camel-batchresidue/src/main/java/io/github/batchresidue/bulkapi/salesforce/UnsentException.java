/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.salesforce;

import org.apache.camel.component.salesforce.api.SalesforceException;

/** The call failed before a connection was had for the request, so that the service has seen nothing of it. */
final class UnsentException extends SalesforceException {

    private static final long serialVersionUID = 1L;

    /** @param cause null if it would quote a record */
    UnsentException(String problem, Throwable cause) {
        super("the request was not sent: " + problem, cause);
    }
}
