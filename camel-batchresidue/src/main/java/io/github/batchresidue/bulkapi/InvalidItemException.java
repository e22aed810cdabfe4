/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi;

/** An element of the body can never be an item of this API. Its message says what is wrong, without the element. */
public class InvalidItemException extends Exception {

    private static final long serialVersionUID = 1L;

    public InvalidItemException(String message) {
        super(message);
    }

    public InvalidItemException(String message, Throwable cause) {
        super(message, cause);
    }
}
