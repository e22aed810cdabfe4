/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.http;

import org.apache.camel.CamelException;

/** An HTTP status that is no success, from a delegate that throws nothing for it. */
public class HttpStatusException extends CamelException {

    private static final long serialVersionUID = 1L;

    private final int status;

    public HttpStatusException(int status) {
        super("the delegate answered with HTTP status " + status);
        this.status = status;
    }

    public int getStatus() {
        return status;
    }
}
