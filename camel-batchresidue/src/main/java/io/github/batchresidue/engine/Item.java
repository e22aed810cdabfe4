/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import io.github.batchresidue.engine.RunState.ItemState;
import java.util.Comparator;

/**
 * One element of the body on its way through a run. Seen from outside it is read-only; its state changes only on the
 * thread that steps the run.
 */
public final class Item {

    /** As if larger ones were of this size, which is beyond all limits: the sum of any number of items is a number then. */
    private static final long LARGEST = 1L << 31;

    static final Comparator<Item> BY_INDEX = Comparator.comparingLong(item -> item.index);

    final long index;
    final Content content;
    final Object key;
    final long bytes;

    /** Requests that carried the item. */
    int attempts;
    /** Re-sends that count towards the limit. */
    int redeliveries;
    /** Rounds of the item in which nothing landed. */
    int stalledRounds;
    /** Some attempt ended unknown. */
    boolean maybeLanded;
    /** What the last round said of it. */
    Failure failure = Failure.NONE;
    /** It owns its key: no other item of the key may be sent before this one has ended. Null if it does not. */
    Keys.KeyTurn turn;
    /** A ledger of an earlier run lists it. */
    boolean isListed;
    /** The wait it is in, or was in last; null before the first. */
    Wait wait;

    Item(long index, Content content) {
        this(index, content, content.key(), size(content));
    }

    private Item(long index, Content content, Object key, long bytes) {
        this.index = index;
        this.content = content;
        this.key = key;
        this.bytes = bytes;
    }

    private static long size(Content content) {
        long bytes = content.bytes();
        if (bytes < 0) {
            throw new IllegalArgumentException("its size is said to be " + bytes + " bytes: expected 0 or more");
        }
        return Math.min(bytes, LARGEST);
    }

    /** An item whose content cannot be asked: it can be accounted for, and not sent. */
    static Item misfit(long index, Content content) {
        return new Item(index, content, null, 0);
    }

    /** What a run that goes on needs of it. */
    ItemState state() {
        return new ItemState(
                index,
                content,
                attempts,
                redeliveries,
                stalledRounds,
                maybeLanded,
                failure,
                wait == null ? 0 : wait.knownAt,
                wait == null ? 0 : wait.dueAt,
                wait == null ? 0 : wait.backOffMillis);
    }

    /** Has the content let go of what it shares. One that cannot keeps it, which costs memory and nothing else. */
    void detach() {
        try {
            content.detach();
        } catch (Throwable e) {
            // As said above.
        }
    }

    /** Has the content give back what it shares. One that cannot keeps it. */
    void discard() {
        try {
            content.discard();
        } catch (Throwable e) {
            // As said above.
        }
    }

    /** Its 0-based position in the body. */
    public long index() {
        return index;
    }

    public Content content() {
        return content;
    }

    /** How often it was sent, the request in flight included. */
    public int attempts() {
        return attempts;
    }

    /** Whether an earlier attempt may have landed. */
    public boolean maybeLanded() {
        return maybeLanded;
    }
}
