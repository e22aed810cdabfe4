/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

/** The column of the ledger in which an item stands. */
public enum Outcome {
    /** Accepted. */
    LANDED,
    /** Refused for good. */
    TERMINAL,
    /** Residue, victim or unknown that is not sent again. */
    GIVEN_UP,
    /** Not ended: the run failed first. */
    PENDING
}
