/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

/** Why an item ended without landing. */
public enum Reason {
    /** Terminal: the service refused the item, or it cannot be sent. */
    REJECTED,
    /** Terminal: the item is larger than the service takes. */
    TOO_LARGE,
    /** Given up: every redelivery has been used. */
    REDELIVERIES_EXHAUSTED,
    /** Given up: the deadline of the run leaves no time for another attempt. */
    TIMEOUT,
    /** Given up: the run was stopped from outside. */
    SHUTDOWN,
    /** Given up: at least one attempt may have landed, and the item is not sent again. */
    UNKNOWN_OUTCOME
}
