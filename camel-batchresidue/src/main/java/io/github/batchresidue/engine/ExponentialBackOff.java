/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.Objects;

/**
 * A wait that grows by a factor up to a cap, spread by jitter. Immutable.
 *
 * @param delayMillis the wait before the first redelivery, not negative
 * @param multiplier the growth, from 1
 * @param maximumMillis the cap, not negative
 * @param jitter how the wait is spread
 */
public record ExponentialBackOff(long delayMillis, double multiplier, long maximumMillis, Jitter jitter)
        implements BackOff {

    /** How a wait is spread, so that many writers do not come back at one moment. */
    public enum Jitter {
        /** Not at all. */
        NONE,
        /** Half of it is fixed and half is random. */
        EQUAL,
        /** All of it is random. */
        FULL
    }

    public ExponentialBackOff {
        if (delayMillis < 0 || maximumMillis < 0 || !(multiplier >= 1)) {
            throw new IllegalArgumentException("delay " + delayMillis + " and maximum " + maximumMillis
                    + " must not be negative, multiplier " + multiplier + " not below 1");
        }
        Objects.requireNonNull(jitter, "jitter");
    }

    @Override
    public long delayMillis(int redelivery, long previousMillis, double draw) {
        double full = Math.min(delayMillis * Math.pow(multiplier, redelivery - 1), maximumMillis);
        return switch (jitter) {
            case NONE -> (long) full;
            case EQUAL -> (long) Math.ceil(full / 2 + draw * full / 2);
            case FULL -> (long) (draw * full);
        };
    }
}
