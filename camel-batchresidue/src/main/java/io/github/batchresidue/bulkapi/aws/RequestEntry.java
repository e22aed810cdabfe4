/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import io.github.batchresidue.bulkapi.RequestElement;
import java.util.Iterator;
import java.util.List;

/**
 * An entry of a whole request.
 *
 * @param <E> the entry, an object of the SDK's
 * @param <Q> the request
 * @param entry as the caller put it there
 * @param envelope the request without its entries, for what else it says
 */
public record RequestEntry<E, Q>(E entry, Q envelope) implements RequestElement {

    /** The entries of a request, each with the envelope. */
    public static <E, Q> Iterator<RequestEntry<E, Q>> all(List<E> entries, Q envelope) {
        return entries.stream()
                .map(entry -> new RequestEntry<>(entry, envelope))
                .iterator();
    }

    @Override
    public Object original() {
        return entry;
    }
}
