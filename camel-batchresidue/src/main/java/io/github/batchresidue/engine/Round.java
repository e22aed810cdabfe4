/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

/**
 * One request and what its reply said, or the sum of several.
 *
 * @param requests how many requests this line stands for: 1, or more where the middle of a long run is summed up
 * @param atMillis when it was sent, from the first request of the run
 * @param waitMillis how long nothing was in flight before it
 * @param items how many items it carried
 * @param landed how many landed
 * @param terminal how many were refused for good
 * @param residue how many were not accepted and may go again, victims and halved requests included
 * @param unknown of how many nobody knows
 */
public record Round(
        long requests,
        long atMillis,
        long waitMillis,
        long items,
        long landed,
        long terminal,
        long residue,
        long unknown) {

    Round plus(Round other) {
        return new Round(
                requests + other.requests,
                atMillis,
                waitMillis + other.waitMillis,
                items + other.items,
                landed + other.landed,
                terminal + other.terminal,
                residue + other.residue,
                unknown + other.unknown);
    }
}
