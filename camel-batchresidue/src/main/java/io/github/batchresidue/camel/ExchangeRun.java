/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.Observer;
import io.github.batchresidue.engine.Run;
import io.github.batchresidue.engine.RunEnd;
import io.github.batchresidue.engine.RunState;
import io.github.batchresidue.engine.Scheduler;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.apache.camel.support.SynchronizationAdapter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The run of one exchange: from its body to the ledger on it. Calls the callback exactly once and never throws. */
final class ExchangeRun {

    private static final Logger LOG = LoggerFactory.getLogger(BatchResidueProducer.class);

    private enum Stage {
        STARTING,
        STARTED,
        ENDED
    }

    private final BatchResidueEndpoint endpoint;
    private final RunPlan plan;
    private final Exchange exchange;
    private final AsyncCallback callback;
    private final ItemSource items;
    private final CallingThread callingThread;
    private final Run run;
    // Race: the run may end on another thread before start() has returned; whoever is second calls back.
    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.STARTING);
    private volatile RunEnd end;

    /** @throws Exception if the body cannot be read, or not as the options want it; nothing has been sent then */
    ExchangeRun(BatchResidueEndpoint endpoint, RunPlan plan, Exchange exchange, AsyncCallback callback)
            throws Exception {
        this.endpoint = endpoint;
        this.plan = plan;
        this.exchange = exchange;
        this.callback = callback;
        this.items = ItemSource.of(exchange.getMessage().getBody(), exchange, plan.bulkApi);
        refuseToKeepWhatIsReadOnce();
        RunThreads threads = endpoint.getComponent().threads();
        this.callingThread = exchange.isTransacted() ? new CallingThread(threads) : null;
        Scheduler scheduler = callingThread == null ? threads : callingThread;
        this.run = new Run(
                plan.options(items.isInMemory(), exchange.isTransacted()),
                new Run.Collaborators(
                        items,
                        new DelegateTransport(plan, exchange, threads.workers()),
                        new DeadLetterSender(plan, exchange, callingThread),
                        scheduler,
                        () -> ThreadLocalRandom.current().nextDouble(),
                        observer()),
                RunState.NEW,
                this::ended);
    }

    private void refuseToKeepWhatIsReadOnce() {
        if (plan.configuration.getResult() == BatchResidueConfiguration.ResultBody.ORIGINAL && items.isReadOnce()) {
            items.close();
            throw new IllegalArgumentException("result=ORIGINAL: the body is a "
                    + exchange.getMessage().getBody().getClass().getName()
                    + ", which can be read only once; use result=LEDGER, or a body that can be read again");
        }
    }

    private Observer observer() {
        boolean isEventWanted = exchange.getContext().getCamelContextExtension().isEventNotificationApplicable();
        return isEventWanted || LOG.isDebugEnabled()
                ? new RunReporter(LOG, exchange, plan.printableDelegate, isEventWanted)
                : Observer.NONE;
    }

    /** Begins; true if the run has ended already. */
    boolean start() {
        endpoint.begun(this);
        run.start();
        if (callingThread != null) {
            stayOnCallingThread();
            return true;
        }
        if (stage.compareAndSet(Stage.STARTING, Stage.STARTED)) {
            return false;
        }
        finish();
        callback.done(true);
        return true;
    }

    private void stayOnCallingThread() {
        boolean isInterrupted = false;
        while (end == null) {
            try {
                callingThread.workUntil(() -> end != null);
            } catch (InterruptedException e) {
                isInterrupted = true;
                run.stop();
            }
        }
        finish();
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        callback.done(true);
    }

    /** Ends the run whatever it is doing: what has not landed is given up. */
    void stop() {
        run.stop();
    }

    private void ended(RunEnd result) {
        end = result;
        if (callingThread != null) {
            callingThread.schedule(() -> {}, 0);
        } else if (!stage.compareAndSet(Stage.STARTING, Stage.ENDED)) {
            finish();
            callback.done(false);
        }
    }

    private void finish() {
        endpoint.ended(this);
        try {
            Ledger ledger = end.ledger();
            RunResult.write(ledger, exchange);
            Throwable failure = RunResult.failureOf(end, exchange, plan.configuration);
            if (failure != null) {
                exchange.setException(failure);
            } else if (plan.configuration.getResult() == BatchResidueConfiguration.ResultBody.LEDGER) {
                exchange.getMessage().setBody(ledger);
            }
            if (ledger.givenUp() > 0) {
                LOG.warn(
                        "Gave up {} of {} items for {} (exchange {})",
                        ledger.givenUp(),
                        ledger.items(),
                        plan.printableDelegate,
                        exchange.getExchangeId());
            }
        } catch (RuntimeException | Error e) {
            exchange.setException(e);
        } finally {
            closeItems();
        }
    }

    /** A source that still has items stays open until the exchange completes: a redelivery goes on with it. */
    private void closeItems() {
        if (end.ledger().inputExhausted()) {
            items.close();
        } else {
            exchange.getExchangeExtension().addOnCompletion(new SynchronizationAdapter() {
                @Override
                public void onDone(Exchange done) {
                    items.close();
                }
            });
        }
    }
}
