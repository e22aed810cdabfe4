/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * A call to the outside that is answered once: the run goes on with the answer whether it comes during the call, later, or
 * from another thread.
 */
abstract class Call<T> implements Steps.Action, Consumer<T> {

    private enum Stage {
        PLANNED,
        CALLED,
        WITHDRAWN
    }

    private final Steps steps;
    // Race: the run may be cut off between planning a call and making it; exactly one of the two wins.
    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.PLANNED);
    private final AtomicBoolean answered = new AtomicBoolean();
    // Race: the answer may come while the call is under way; whoever is second goes on with it.
    private final AtomicBoolean firstOfTwo = new AtomicBoolean();
    private T answer;

    Call(Steps steps) {
        this.steps = steps;
    }

    abstract void call();

    /** The answer of a call that has thrown. */
    abstract T answerFor(Throwable thrown);

    /** Goes on with the answer; while stepping. */
    abstract void settle(T answer);

    final boolean isPlanned() {
        return stage.get() == Stage.PLANNED;
    }

    /** Takes it back; false if the call has been made already. */
    boolean withdraw() {
        return stage.compareAndSet(Stage.PLANNED, Stage.WITHDRAWN);
    }

    @Override
    public Runnable perform() {
        if (!stage.compareAndSet(Stage.PLANNED, Stage.CALLED)) {
            return null;
        }
        try {
            call();
        } catch (Throwable e) {
            accept(answerFor(e));
        }
        return firstOfTwo.getAndSet(true) ? () -> settle(answer) : null;
    }

    @Override
    public void accept(T arrived) {
        if (answered.getAndSet(true)) {
            return;
        }
        answer = arrived;
        if (firstOfTwo.getAndSet(true)) {
            steps.happened(() -> settle(arrived));
        }
    }
}
