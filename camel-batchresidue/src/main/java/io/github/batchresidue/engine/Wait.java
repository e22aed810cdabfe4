/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.ArrayList;
import java.util.List;

/** Residue of one reply that falls due together. */
final class Wait {

    final long knownAt;
    final long dueAt;
    /** What the back-off gave, without the server's hint: the next step of a growing policy builds on it. */
    final long backOffMillis;

    final List<Item> items = new ArrayList<>(1);

    Wait(long knownAt, long dueAt, long backOffMillis) {
        this.knownAt = knownAt;
        this.dueAt = dueAt;
        this.backOffMillis = backOffMillis;
    }

    long millis() {
        return dueAt - knownAt;
    }
}
