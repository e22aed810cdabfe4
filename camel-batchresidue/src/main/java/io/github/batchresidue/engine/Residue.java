/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeSet;

/** What is to be sent again: residue that waits, and residue that is due and may linger for company. */
final class Residue {

    private static final Comparator<Wait> BY_DUE_TIME =
            Comparator.<Wait>comparingLong(wait -> wait.dueAt).thenComparingLong(wait -> wait.items.get(0).index);
    private static final long NOT_COMPUTED = -1;

    private final RunOptions options;

    private final TreeSet<Wait> waits = new TreeSet<>(BY_DUE_TIME);
    private int waiting;
    private final PriorityQueue<Item> due = new PriorityQueue<>(Item.BY_INDEX);
    private long dueBytes;
    private long lingersUntil = NOT_COMPUTED;

    Residue(RunOptions options) {
        this.options = options;
    }

    /** Items that wait or are due. */
    int size() {
        return waiting + due.size();
    }

    /** Begins a wait, with at least one item; no item may be added to it any more. */
    void add(Wait wait) {
        waits.add(wait);
        waiting += wait.items.size();
    }

    /** Adds an item whose wait, if any, has long been over: what is due goes with it without lingering. */
    void addDue(Item item) {
        makeDue(item);
        lingersUntil = 0;
    }

    private void makeDue(Item item) {
        due.add(item);
        dueBytes += item.bytes;
    }

    /** Makes due what has waited long enough. */
    void promote(long now) {
        while (!waits.isEmpty() && waits.first().dueAt <= now) {
            Wait wait = waits.pollFirst();
            waiting -= wait.items.size();
            wait.items.forEach(this::makeDue);
        }
    }

    /** Whether a request can go: a full one at once, a smaller one when it has lingered. */
    boolean isReady(long now) {
        return !due.isEmpty() && (isFull() || now >= lingersUntil());
    }

    private boolean isFull() {
        return due.size() >= options.batchSize() || options.envelopeBytes() + dueBytes > options.batchBytes();
    }

    /**
     * Until when a request smaller than a batch waits for company: for residue that was known when the earliest of the
     * request fell due, and falls due within a tenth of that item's own wait. What becomes known later does not count,
     * so it is computed once for each request and never extended.
     */
    private long lingersUntil() {
        if (lingersUntil == NOT_COMPUTED) {
            lingersUntil = computeLinger();
        }
        return lingersUntil;
    }

    private long computeLinger() {
        Wait earliest = null;
        for (Item item : due) {
            if (item.wait == null) {
                return 0; // It came from a run that failed, and waits for nothing.
            }
            if (earliest == null || item.wait.dueAt < earliest.dueAt) {
                earliest = item.wait;
            }
        }
        long latest = earliest.dueAt + earliest.millis() / 10;
        long until = 0;
        for (Wait wait : waits) {
            if (wait.dueAt > latest) {
                break;
            }
            if (wait.knownAt <= earliest.dueAt) {
                until = wait.dueAt;
            }
        }
        return until;
    }

    /** Takes a request of due items, in the order of the body. */
    List<Item> take() {
        Filling request = new Filling(options, due.size());
        try {
            while (!due.isEmpty() && request.hasRoomFor(due.peek())) {
                Item item = due.remove();
                dueBytes -= item.bytes;
                request.add(item);
            }
        } catch (Throwable e) {
            request.items().forEach(this::makeDue); // A rule that throws must not lose the items.
            throw e;
        }
        lingersUntil = NOT_COMPUTED;
        return request.items();
    }

    /** When time alone allows the next request, or brings an item to one; {@link Long#MAX_VALUE} if never. */
    long nextMoment() {
        long at = waits.isEmpty() ? Long.MAX_VALUE : waits.first().dueAt;
        return due.isEmpty() ? at : Math.min(at, lingersUntil());
    }

    void removeAllTo(Collection<Item> rest) {
        rest.addAll(due);
        due.clear();
        dueBytes = 0;
        waits.forEach(wait -> rest.addAll(wait.items));
        waits.clear();
        waiting = 0;
    }
}
