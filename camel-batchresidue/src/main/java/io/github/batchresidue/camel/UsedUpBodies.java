/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * Bodies that failed calls have taken from and nobody can read again. Known by themselves, because the exchange that
 * brings one again may be another: a circuit breaker works on a copy, and what is on the copy is lost. Keeps no body
 * and no exception alive. Thread-safe.
 */
final class UsedUpBodies {

    private record UsedUp(WeakReference<Object> body, WeakReference<BatchResidueException> by) {}

    private final List<UsedUp> bodies = new ArrayList<>();

    synchronized void add(Object body, BatchResidueException by) {
        bodies.removeIf(usedUp -> usedUp.body.refersTo(null) || usedUp.body.refersTo(body));
        bodies.add(new UsedUp(new WeakReference<>(body), new WeakReference<>(by)));
    }

    /**
     * What a failed call has taken from a body is gone from it: a new call would pass it over in silence.
     *
     * @throws IllegalStateException if the body is one of these; its cause is what that call failed with
     */
    synchronized void refuse(Object body) {
        for (UsedUp usedUp : bodies) {
            if (body != null && usedUp.body.refersTo(body)) {
                throw new IllegalStateException(
                        "the body, a " + body.getClass().getName()
                                + ", was read by a call that failed and cannot be read again: take the items that are"
                                + " pending from the ledger of that call, or use a body that can be read again",
                        usedUp.by.get());
            }
        }
    }
}
