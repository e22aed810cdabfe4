/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.Objects;

/**
 * Why an item can never be accepted.
 *
 * @param reason {@link Reason#REJECTED} or {@link Reason#TOO_LARGE}
 * @param failure what is wrong with the item
 */
public record Refusal(Reason reason, Failure failure) {

    public Refusal {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(failure, "failure");
    }
}
