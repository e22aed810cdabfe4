/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

/** How long an item waits before it is sent again. */
@FunctionalInterface
public interface BackOff {

    /**
     * The wait in milliseconds, never negative.
     *
     * @param redelivery which re-send of the item it precedes, from 1
     * @param previousMillis the wait this function gave before the item's previous redelivery; 0 if there was none
     * @param draw a random number in [0, 1), the same for all items of one reply
     */
    long delayMillis(int redelivery, long previousMillis, double draw);
}
