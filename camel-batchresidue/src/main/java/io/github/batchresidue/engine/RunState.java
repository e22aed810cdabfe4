/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.List;

/**
 * A run as data: what is needed to go on with it, in this process or another. The source is not part of it; it is handed
 * to the run that goes on. Times are those of the run's {@link Scheduler}.
 *
 * @param pending the items that have not ended, by index
 * @param landedItems retained landed items
 * @param deadItems terminal and given-up items that are still listed
 * @param nextIndex index of the next item to be read
 * @param landed how many landed
 * @param terminal how many are terminal
 * @param givenUp how many were given up
 * @param inputExhausted whether the source has nothing left
 * @param inputFailure why the source could not be read any further; null if it could
 * @param firstRequestAt when the first request was sent; -1 if none was
 * @param holdFreshUntil no fresh request before this time
 * @param rounds the most attempts of any item
 * @param requests how many requests were sent
 * @param waitedMillis how long nothing was in flight between requests
 * @param timeline the rounds so far
 */
public record RunState(
        List<ItemState> pending,
        List<LedgerItem> landedItems,
        List<LedgerItem> deadItems,
        long nextIndex,
        long landed,
        long terminal,
        long givenUp,
        boolean inputExhausted,
        Exception inputFailure,
        long firstRequestAt,
        long holdFreshUntil,
        int rounds,
        long requests,
        long waitedMillis,
        List<Round> timeline) {

    /** The state before the first step. */
    public static final RunState NEW =
            new RunState(List.of(), List.of(), List.of(), 0, 0, 0, 0, false, null, -1, 0, 0, 0, 0, List.of());

    public RunState {
        pending = List.copyOf(pending);
        landedItems = LandedItems.immutable(landedItems);
        deadItems = List.copyOf(deadItems);
        timeline = List.copyOf(timeline);
    }

    /**
     * An item that has not ended.
     *
     * @param redeliveries re-sends so far that count towards the limit
     * @param stalledRounds rounds of the item in which nothing landed
     * @param maybeLanded whether any attempt ended unknown
     * @param failure what the last round said
     * @param knownAt when its current wait began
     * @param dueAt when its current wait ends; not in the future if it waits for nothing
     * @param backOffMillis what the back-off gave last
     */
    public record ItemState(
            long index,
            Content content,
            int attempts,
            int redeliveries,
            int stalledRounds,
            boolean maybeLanded,
            Failure failure,
            long knownAt,
            long dueAt,
            long backOffMillis) {}
}
