/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Verdict;
import java.util.Map;

/**
 * The table of what a service's error codes mean for a single item. Immutable.
 *
 * @param kinds by code
 * @param otherwise what a code means that the table does not have
 */
public record ItemErrors(Map<String, Verdict.Kind> kinds, Verdict.Kind otherwise) {

    public ItemErrors {
        kinds = Map.copyOf(kinds);
    }

    /** The verdict on an item that failed with a code. */
    public Verdict verdict(Failure failure) {
        return new Verdict(kinds.getOrDefault(failure.code(), otherwise), failure);
    }
}
