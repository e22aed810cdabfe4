/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

/**
 * One line of the ledger. Immutable.
 *
 * @param index the item's 0-based position in the body
 * @param content what the item carries
 * @param outcome its column
 * @param attempts how often it was sent
 * @param reason why it did not land; null if it landed or is pending
 * @param failure what the service said last; {@link Failure#NONE} if it said nothing
 * @param maybeLanded whether any attempt of it may have landed although the ledger cannot say so
 * @param delivery what became of it as a dead letter
 * @param result what the service gave for it when it landed, such as what it found; null if it gave nothing
 */
public record LedgerItem(
        long index,
        Content content,
        Outcome outcome,
        int attempts,
        Reason reason,
        Failure failure,
        boolean maybeLanded,
        Delivery delivery,
        Object result) {

    /** What became of an item as a dead letter. */
    public enum Delivery {
        /** There was nowhere to go, or it is not dead. */
        NONE,
        /** A dead-letter endpoint took it. */
        DELIVERED,
        /** The dead-letter endpoint failed, or the run was stopped before it answered. */
        FAILED
    }

    /** The line of an item for which the service gave nothing. */
    public LedgerItem(
            long index,
            Content content,
            Outcome outcome,
            int attempts,
            Reason reason,
            Failure failure,
            boolean maybeLanded,
            Delivery delivery) {
        this(index, content, outcome, attempts, reason, failure, maybeLanded, delivery, null);
    }

    /** The item as the caller handed it in. */
    public Object body() {
        return content.body();
    }

    /** Whether a dead-letter endpoint took it. */
    public boolean delivered() {
        return delivery == Delivery.DELIVERED;
    }

    LedgerItem with(Delivery newDelivery) {
        return new LedgerItem(index, content, outcome, attempts, reason, failure, maybeLanded, newDelivery, result);
    }
}
