/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Takes a run from event to event. What happens from outside (a reply, a timer, a stop, items that were read, a delivered
 * dead letter) is an event. Events are applied one at a time by whichever thread brings the first one, so the state of the
 * run needs no lock and bringing an event never blocks. Calls to the outside are collected as actions and performed after
 * the state has been let go: a transport, source or dead letter that blocks, or answers during the call, holds up nobody
 * else and never deepens the stack.
 */
final class Steps {

    /** A call to the outside. */
    interface Action {

        /** Makes the call; gives the event that it led to, or null. */
        Runnable perform();

        /** Whether the thread may be held up by it before anything is under way: whatever else is to be done goes first. */
        default boolean comesLast() {
            return false;
        }
    }

    private final Consumer<Runnable> apply;
    private final Runnable goOn;

    // Events that wait to be applied, and how many the stepping thread has not yet seen.
    private final Queue<Runnable> events = new ConcurrentLinkedQueue<>();
    private final AtomicInteger unseen = new AtomicInteger();

    /** Touched only while stepping. */
    private final List<Action> planned = new ArrayList<>();

    /**
     * @param apply applies an event to the state
     * @param goOn does what the state allows after all events of a step have been applied
     */
    Steps(Consumer<Runnable> apply, Runnable goOn) {
        this.apply = apply;
        this.goOn = goOn;
    }

    /** Has the event applied, now or by the thread that is stepping, and performs what this thread's steps have planned. */
    void happened(Runnable event) {
        Deque<Action> mine = new ArrayDeque<>();
        step(event, mine);
        for (Action action = mine.poll(); action != null; action = mine.poll()) {
            if (action.comesLast() && !mine.isEmpty()) {
                mine.add(action);
                continue;
            }
            Runnable next = action.perform();
            if (next != null) {
                step(next, mine);
            }
        }
    }

    /** Plans a call to the outside; only while stepping. */
    void plan(Action action) {
        planned.add(action);
    }

    private void step(Runnable event, Deque<Action> mine) {
        events.add(event);
        if (unseen.getAndIncrement() != 0) {
            return; // Race: another thread is stepping, and will not let go before it has seen this event.
        }
        int seen;
        do {
            seen = unseen.get();
            for (int i = 0; i < seen; i++) {
                apply.accept(events.remove());
            }
            goOn.run();
            mine.addAll(planned);
            planned.clear();
        } while (unseen.addAndGet(-seen) != 0);
    }
}
