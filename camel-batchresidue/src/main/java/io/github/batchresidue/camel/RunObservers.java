/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Item;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Observer;
import io.github.batchresidue.engine.Round;
import java.util.List;
import java.util.function.Consumer;
import org.apache.camel.Exchange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All who observe one run. What one of them throws reaches neither the others nor the run. */
final class RunObservers implements RunObserver {

    private static final Logger LOG = LoggerFactory.getLogger(RunObservers.class);

    private final List<RunObserver> observers;

    RunObservers(List<RunObserver> observers) {
        this.observers = List.copyOf(observers);
    }

    /** As the engine wants it: without anybody a run makes nothing that is only to be looked at. */
    Observer orNone() {
        return observers.isEmpty() ? Observer.NONE : this;
    }

    /** How far the run is; null if nobody counts. */
    RunProgress progress() {
        for (RunObserver observer : observers) {
            if (observer instanceof RunProgress progress) {
                return progress;
            }
        }
        return null;
    }

    @Override
    public void requesting(List<Item> items, Exchange request) {
        each(observer -> observer.requesting(items, request));
    }

    @Override
    public void settled(List<Item> items, Round round, Failure failure, long nextWaitMillis) {
        each(observer -> observer.settled(items, round, failure, nextWaitMillis));
    }

    @Override
    public void ended(LedgerItem item) {
        each(observer -> observer.ended(item));
    }

    @Override
    public boolean seesLanded() {
        return observers.stream().anyMatch(Observer::seesLanded);
    }

    @Override
    public void finished(Ledger ledger) {
        each(observer -> observer.finished(ledger));
    }

    private void each(Consumer<RunObserver> look) {
        for (RunObserver observer : observers) {
            try {
                look.accept(observer);
            } catch (Throwable e) {
                LOG.debug("{} failed; the run goes on", observer.getClass().getSimpleName(), e);
            }
        }
    }
}
