/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Has tasks that wait for a crew done by others when the whole crew stands still: it may be waiting for these very tasks, in
 * a way that cannot be seen, such as by a call over the network. After a second in which no task has ended there go as many
 * as the crew has threads, after two more seconds twice as many, and so on until one ends. A crew that is merely slow gets
 * no relief.
 */
final class Relief {

    private static final long PATIENCE_MILLIS = 1000;

    /** About nine hours. */
    private static final int MOST_STRIKES = 15;

    private final Crew crew;
    private final int size;
    private final Crew others;
    private final ScheduledExecutorService timer;
    private final AtomicBoolean isWatching = new AtomicBoolean();

    /** @param size how many threads the crew has */
    Relief(Crew crew, int size, Crew others, ScheduledExecutorService timer) {
        this.crew = crew;
        this.size = size;
        this.others = others;
        this.timer = timer;
    }

    /** To be called when a task has been handed to the crew. */
    void watch() {
        if (crew.hasWaiting() && isWatching.compareAndSet(false, true)) {
            lookLater(crew.ended(), 0);
        }
    }

    private void lookLater(long endedSoFar, int strikes) {
        try {
            timer.schedule(() -> look(endedSoFar, strikes), PATIENCE_MILLIS << strikes, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            isWatching.set(false); // The component has stopped.
        }
    }

    private void look(long endedBefore, int strikes) {
        if (!crew.hasWaiting()) {
            isWatching.set(false);
            watch(); // Race: a task may have come meanwhile, and relied on this look.
            return;
        }
        long ended = crew.ended();
        boolean standsStill = ended == endedBefore;
        if (standsStill) {
            crew.handOver((long) size << strikes, others);
        }
        lookLater(ended, standsStill ? Math.min(strikes + 1, MOST_STRIKES) : 0);
    }
}
