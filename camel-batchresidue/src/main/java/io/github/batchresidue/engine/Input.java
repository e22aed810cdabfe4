/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.function.Consumer;

/** How far the source has been read. Touched only while stepping. */
final class Input {

    private final Source source;
    private long nextIndex;
    private Reading reading;
    private boolean exhausted;
    private boolean stopped;
    private Exception failure;

    Input(Source source, RunState before) {
        this.source = source;
        this.nextIndex = before.nextIndex();
        this.exhausted = before.inputExhausted();
        this.failure = before.inputFailure();
        this.stopped = failure != null;
    }

    /**
     * Begins to read.
     *
     * @param bytes what there is room for: the item that exceeds it is the last
     */
    Reading begin(int mostItems, long bytes) {
        reading = new Reading(source, nextIndex, mostItems, bytes);
        return reading;
    }

    /** Takes note of what a reading has brought; false if the run was cut off and did not wait for it. */
    boolean end(Reading done) {
        if (reading != done) {
            return false;
        }
        reading = null;
        nextIndex += done.items().size();
        exhausted = done.isExhausted();
        if (done.problem() instanceof Exception e) {
            failure = e;
            stopped = true;
        } else if (stopped) {
            stop();
        }
        return true;
    }

    /** Has nothing more read than the item that is being read. */
    void stop() {
        stopped = true;
        if (reading != null) {
            reading.finishSoon();
        } else {
            exhausted = exhausted || failure == null && isSourceExhausted();
        }
    }

    private boolean isSourceExhausted() {
        try {
            return source.exhausted();
        } catch (Throwable e) {
            return false; // What cannot be said to have been read counts as unread.
        }
    }

    /** Waits no longer for a reading that is under way; hands over what it has brought. */
    void cutShort(Consumer<Reading> admit) {
        if (reading != null) {
            reading.close();
            admit.accept(reading);
        }
    }

    boolean isBeingRead() {
        return reading != null;
    }

    /** Whether nothing will be read any more. */
    boolean isOver() {
        return exhausted || stopped;
    }

    /** How many items have been read: the index of the next one. */
    long items() {
        return nextIndex;
    }

    boolean isExhausted() {
        return exhausted;
    }

    /** Why the source could not be read any further; null if it could. */
    Exception failure() {
        return failure;
    }
}
