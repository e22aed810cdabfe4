/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.ArrayList;
import java.util.List;

/** What has ended, for the ledger. Touched only while stepping. */
final class EndedItems {

    private long landed;
    private long terminal;
    private long givenUp;
    private final LandedItems landedItems;
    private final List<LedgerItem> terminalItems = new ArrayList<>();
    private final List<LedgerItem> givenUpItems = new ArrayList<>();

    /** The dead items of the state are not listed yet: those that go on do not stay. */
    EndedItems(RunState before) {
        this.landed = before.landed();
        this.terminal = before.terminal();
        this.givenUp = before.givenUp();
        this.landedItems = new LandedItems(before.landedItems());
    }

    void countLanded() {
        landed++;
    }

    void listLanded(Item item, Object result) {
        landedItems.add(item.index, item.attempts, item.content, result);
    }

    void countDead(Outcome outcome) {
        if (outcome == Outcome.TERMINAL) {
            terminal++;
        } else {
            givenUp++;
        }
    }

    void listDead(LedgerItem item) {
        (item.outcome() == Outcome.TERMINAL ? terminalItems : givenUpItems).add(item);
    }

    /** One that was given up goes on. */
    void revive() {
        givenUp--;
    }

    long landed() {
        return landed;
    }

    long terminal() {
        return terminal;
    }

    long givenUp() {
        return givenUp;
    }

    List<LedgerItem> landedItems() {
        return landedItems.lines();
    }

    List<LedgerItem> terminalItems() {
        return terminalItems;
    }

    List<LedgerItem> givenUpItems() {
        return givenUpItems;
    }

    /** Those that ended without landing and are listed. */
    List<LedgerItem> deadItems() {
        List<LedgerItem> dead = new ArrayList<>(terminalItems);
        dead.addAll(givenUpItems);
        return dead;
    }
}
