/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

/** The one timer of a run: for the moment when time alone allows something new. Touched only while stepping. */
final class WakeUp {

    private static final long NEVER = Long.MAX_VALUE;

    private final Scheduler scheduler;
    private final Steps steps;
    private Scheduler.Cancellable timer;
    private long moment = NEVER;

    WakeUp(Scheduler scheduler, Steps steps) {
        this.scheduler = scheduler;
        this.steps = steps;
    }

    /** Has the run go on then, and at no other time that was set before; {@link Long#MAX_VALUE} for never. */
    void set(long at, long now) {
        if (at == moment) {
            return;
        }
        cancel();
        if (at != NEVER) {
            timer = scheduler.schedule(() -> steps.happened(() -> happened(at)), at - now);
            moment = at;
        }
    }

    private void happened(long at) {
        if (moment == at) {
            timer = null;
            moment = NEVER;
        }
    }

    void cancel() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
        moment = NEVER;
    }
}
