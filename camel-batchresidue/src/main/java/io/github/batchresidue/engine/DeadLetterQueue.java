/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import io.github.batchresidue.engine.LedgerItem.Delivery;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Takes the items that ended without landing to the dead letters, one delivery at a time. Touched only while stepping. */
final class DeadLetterQueue {

    private final DeadLetters deadLetters;
    private final RunOptions options;
    private final Steps steps;
    private final EndedItems ended;
    private final boolean terminalIsTaken;
    private final boolean givenUpIsTaken;

    private final Deque<LedgerItem> undelivered = new ArrayDeque<>();
    private Delivering delivering;
    private Throwable failure;

    DeadLetterQueue(DeadLetters deadLetters, RunOptions options, Steps steps, EndedItems ended) {
        this.deadLetters = deadLetters;
        this.options = options;
        this.steps = steps;
        this.ended = ended;
        this.terminalIsTaken = deadLetters.takes(Outcome.TERMINAL);
        this.givenUpIsTaken = deadLetters.takes(Outcome.GIVEN_UP);
    }

    /** Has the item delivered if somebody takes it; else it is listed. */
    void add(LedgerItem item) {
        if (takes(item.outcome())) {
            undelivered.add(item);
        } else {
            ended.listDead(item);
        }
    }

    boolean takes(Outcome outcome) {
        return outcome == Outcome.TERMINAL ? terminalIsTaken : givenUpIsTaken;
    }

    /**
     * Begins the next delivery if there is one to begin.
     *
     * @param isLast whether no item will be added any more: what is delivered together goes then
     */
    void deliverNext(boolean isLast) {
        if (delivering != null || undelivered.isEmpty() || options.groupDeadLetters() && !isLast) {
            return;
        }
        delivering = new Delivering(options.groupDeadLetters() ? takeGroup() : List.of(undelivered.remove()));
        steps.plan(delivering);
    }

    private List<LedgerItem> takeGroup() {
        Outcome outcome = undelivered.element().outcome();
        List<LedgerItem> group =
                undelivered.stream().filter(item -> item.outcome() == outcome).toList();
        undelivered.removeIf(item -> item.outcome() == outcome);
        return group;
    }

    /** Waits for nobody any more: what has not been taken is listed. */
    void giveUp() {
        if (delivering != null) {
            delivering.withdraw();
            delivering.items.forEach(item -> ended.listDead(item.with(Delivery.FAILED)));
            delivering = null;
        }
        undelivered.forEach(item -> ended.listDead(item.with(Delivery.FAILED)));
        undelivered.clear();
    }

    /** How many items hold up reading. Those that are delivered together at the end hold up nothing. */
    int pending() {
        return options.groupDeadLetters() ? 0 : undelivered.size() + (delivering == null ? 0 : 1);
    }

    boolean isEmpty() {
        return undelivered.isEmpty() && delivering == null;
    }

    /** The first failure of a delivery; null if there was none. */
    Throwable failure() {
        return failure;
    }

    /** One delivery under way; the answer is null or what went wrong. */
    private final class Delivering extends Call<Throwable> {

        private final List<LedgerItem> items;

        Delivering(List<LedgerItem> items) {
            super(steps);
            this.items = items;
        }

        @Override
        void call() {
            deadLetters.deliver(items, this);
        }

        @Override
        Throwable answerFor(Throwable thrown) {
            return thrown;
        }

        @Override
        void settle(Throwable error) {
            if (delivering != this) {
                return; // The run was stopped and did not wait for it.
            }
            delivering = null;
            if (error != null) {
                if (failure == null) {
                    failure = error;
                }
                items.forEach(item -> ended.listDead(item.with(Delivery.FAILED)));
            } else if (options.retainEnded()) {
                items.forEach(item -> ended.listDead(item.with(Delivery.DELIVERED)));
            }
        }
    }
}
