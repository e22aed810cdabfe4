/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;

/**
 * Where items are that have been read, have not ended, and are not in flight: held for their key, fresh, waiting or due,
 * or urgent. An item is in exactly one of these places. Touched only while stepping.
 */
final class OpenItems {

    private final Scheduler scheduler;
    private final Keys keys = new Keys();
    private final FreshItems fresh;
    private final Residue residue;
    private final Deque<List<Item>> urgent = new ArrayDeque<>();

    OpenItems(RunOptions options, Scheduler scheduler) {
        this.scheduler = scheduler;
        this.fresh = new FreshItems(options);
        this.residue = new Residue(options);
    }

    /** Puts an item where it can be sent from, or has it held if another one owns its key. */
    void add(Item item) {
        if (keys.claim(item)) {
            place(item);
        }
    }

    /** Takes the key from an item that has ended, for the next one that is held for it. */
    void release(Item ended) {
        Item next = keys.release(ended);
        if (next != null) {
            place(next);
        }
    }

    /** Puts an item that owns its key, or has none, where it can be sent from. */
    void place(Item item) {
        if (item.attempts == 0) {
            fresh.add(item);
        } else if (item.wait != null && item.wait.dueAt > scheduler.now()) {
            residue.add(item.wait);
        } else {
            residue.addDue(item);
        }
    }

    FreshItems fresh() {
        return fresh;
    }

    Residue residue() {
        return residue;
    }

    /** Has the items sent before all others. */
    void addUrgent(List<Item> items) {
        urgent.push(items);
    }

    /** Takes the urgent items of one request; null if there are none. */
    List<Item> takeUrgent() {
        return urgent.poll();
    }

    /** How many items wait, are due or are held. */
    int pending() {
        return residue.size() + keys.held();
    }

    boolean isEmpty() {
        return urgent.isEmpty() && fresh.isEmpty() && pending() == 0;
    }

    void removeAllTo(Collection<Item> rest) {
        urgent.forEach(rest::addAll);
        urgent.clear();
        residue.removeAllTo(rest);
        fresh.removeAllTo(rest);
        keys.removeAllTo(rest);
    }
}
