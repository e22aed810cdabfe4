/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** A request from the moment it is planned until its reply is settled or nobody waits for it any more. */
final class Sending extends Call<Reply> implements Transport.Answer {

    private enum Waiting {
        NO,
        YES,
        OVER
    }

    final List<Item> items;
    final long plannedAt;
    final long idleBefore;
    private final Run run;
    private final long latest;
    // Race: the run may take it back while it waits for a thread; exactly one of the two wins.
    private final AtomicReference<Waiting> waiting = new AtomicReference<>(Waiting.NO);
    private volatile boolean abandoned;

    /**
     * @param idleBefore how long nothing was in flight before it
     * @param latest from when on it must not go out
     */
    Sending(Run run, List<Item> items, long plannedAt, long idleBefore, long latest) {
        super(run.steps);
        this.run = run;
        this.items = items;
        this.plannedAt = plannedAt;
        this.idleBefore = idleBefore;
        this.latest = latest;
    }

    @Override
    boolean withdraw() {
        return super.withdraw() || waiting.compareAndSet(Waiting.YES, Waiting.OVER);
    }

    @Override
    public Runnable perform() {
        if (run.isPast(latest)) {
            return run::timeOut;
        }
        Runnable answered = super.perform();
        return answered != null ? answered : () -> {}; // Another request may start now.
    }

    /** The run ends without its reply. */
    void abandon() {
        abandoned = true;
    }

    @Override
    public void letWait() {
        waiting.set(Waiting.YES);
    }

    @Override
    public boolean begin() {
        return !abandoned && !run.isPast(latest) && waiting.compareAndSet(Waiting.YES, Waiting.OVER);
    }

    @Override
    void call() {
        run.send(this);
    }

    @Override
    Reply answerFor(Throwable thrown) {
        return new Reply.TransportFailed(thrown, Failure.of(thrown), false, 0);
    }

    @Override
    void settle(Reply reply) {
        run.settle(this, reply == null ? answerFor(new NullPointerException("the reply is null")) : reply);
    }
}
