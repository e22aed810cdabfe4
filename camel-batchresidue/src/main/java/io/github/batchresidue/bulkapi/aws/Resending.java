/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Whether an entry may be sent again when an earlier attempt may have landed. Thread-safe. */
public interface Resending {

    /** A second attempt is a second message. */
    Resending NEVER_SAFE = () -> false;

    /** A second attempt changes nothing. */
    Resending ALWAYS_SAFE = () -> true;

    boolean isSafe();

    /** The entry is about to be sent. */
    default void begin() {}

    /**
     * For an entry that the service drops if it has taken it before, by its deduplication id or content.
     *
     * @param nanos the time, as {@link System#nanoTime}
     */
    static Resending deduplicated(LongSupplier nanos) {
        return new Deduplicated(nanos);
    }

    /** An entry that the service knows for five minutes after it was first taken. */
    final class Deduplicated implements Resending {

        /** Half a minute is left for the attempt to arrive. */
        private static final long NANOS = TimeUnit.SECONDS.toNanos(270);

        private final LongSupplier nanos;
        // Written by the thread of the first attempt, before anybody can ask about it.
        private volatile long until;
        private volatile boolean begun;

        private Deduplicated(LongSupplier nanos) {
            this.nanos = nanos;
        }

        @Override
        public void begin() {
            if (!begun) {
                until = nanos.getAsLong() + NANOS;
                begun = true;
            }
        }

        @Override
        public boolean isSafe() {
            return !begun || nanos.getAsLong() - until < 0;
        }
    }
}
