/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import java.util.concurrent.atomic.AtomicReference;

/** A buffer that is used again and again, by one at a time; others get their own meanwhile. Safe for use by many threads. */
final class SpareBuffer {

    private final int size;
    /** Null while it is in use. */
    private final AtomicReference<byte[]> spare = new AtomicReference<>();

    SpareBuffer(int size) {
        this.size = size;
    }

    /** Whatever was in it may still be there. */
    byte[] take() {
        byte[] taken = spare.getAndSet(null);
        return taken == null ? new byte[size] : taken;
    }

    /** Another may take it at any moment: who gives it back must not hold it any more. */
    void giveBack(byte[] buffer) {
        spare.set(buffer);
    }
}
