/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.List;

/**
 * What became of every item: each item that was read stands in exactly one column. Immutable.
 *
 * <p>The counts are complete. Of the lists, {@link #terminalItems()} and {@link #givenUpItems()} leave out items that a
 * dead-letter endpoint took if the body was a stream, and {@link #landedItems()} is empty unless landed items are
 * retained: memory would grow with the stream.
 *
 * @param items how many items were read
 * @param landed how many landed
 * @param terminal how many were refused for good
 * @param givenUp how many were given up
 * @param pending how many have not ended because the run failed first
 * @param inputExhausted false if a part of the body was left unread
 * @param rounds the most attempts of any item
 * @param requests how many requests were sent
 * @param waitedMillis how long nothing was in flight between the first and the last request
 * @param elapsedMillis from the first request to the end; 0 if none was sent
 * @param landedItems in the order in which they landed
 * @param terminalItems in the order in which they ended
 * @param givenUpItems in the order in which they ended
 * @param pendingItems by index
 * @param timeline the rounds; of a long run the first and the last ones and the sum of those between
 */
public record Ledger(
        long items,
        long landed,
        long terminal,
        long givenUp,
        long pending,
        boolean inputExhausted,
        int rounds,
        long requests,
        long waitedMillis,
        long elapsedMillis,
        List<LedgerItem> landedItems,
        List<LedgerItem> terminalItems,
        List<LedgerItem> givenUpItems,
        List<LedgerItem> pendingItems,
        List<Round> timeline) {

    public Ledger {
        landedItems = LandedItems.immutable(landedItems);
        terminalItems = List.copyOf(terminalItems);
        givenUpItems = List.copyOf(givenUpItems);
        pendingItems = List.copyOf(pendingItems);
        timeline = List.copyOf(timeline);
    }

    /** Whether any item was given up. */
    public boolean gaveUp() {
        return givenUp > 0;
    }

    /** Terminal and given-up items that no dead-letter endpoint took. */
    public long undelivered() {
        return undelivered(terminalItems) + undelivered(givenUpItems);
    }

    private static long undelivered(List<LedgerItem> items) {
        return items.stream().filter(item -> !item.delivered()).count();
    }
}
