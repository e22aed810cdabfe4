/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

/**
 * What an item carries, as far as the engine needs to know it. Implementations are immutable as seen from the engine:
 * every method gives the same answer each time it is called, except that {@link #safeToResend} may turn false.
 */
public interface Content {

    /** The item as the caller handed it in, for the ledger and the dead letters. */
    Object body();

    /** Bytes the item adds to a request, separators included, counted as the bulk API counts them; never negative. */
    long bytes();

    /**
     * What makes two items the same record, compared by {@code equals}; null if the item has no key. Two items of one
     * key are never out together, and the later is not sent before the earlier has ended.
     */
    default Object key() {
        return null;
    }

    /**
     * Whether sending the item again does no harm when an earlier attempt may have landed. Asked anew each time: a
     * deduplication id is good for a while only.
     */
    default boolean safeToResend() {
        return false;
    }

    /**
     * The item will stay in memory longer than those that were read with it: a content that shares a buffer with them
     * lets go of it. Called by the run, any number of times, possibly while the item is still being sent.
     */
    default void detach() {}

    /**
     * Nobody asks for the item any more, and no request that carried it is under way: a content that shares a buffer
     * with others gives back its part of it. The run's last call, made once at most: of an item that landed with its
     * only attempt and that no ledger lists and no observer was told of. Of any other item nobody knows when it is
     * forgotten.
     */
    default void discard() {}

    /** Why the item can never be accepted, known before it is sent; null if it may be sent. */
    default Refusal refusal() {
        return null;
    }
}
