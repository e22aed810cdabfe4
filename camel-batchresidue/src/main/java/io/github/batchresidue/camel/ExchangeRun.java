/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.Run;
import io.github.batchresidue.engine.RunEnd;
import io.github.batchresidue.engine.RunState;
import io.github.batchresidue.engine.Scheduler;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.apache.camel.support.SynchronizationAdapter;
import org.apache.camel.util.StopWatch;
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

    private final BatchResidueProducer producer;
    private final BatchResidueEndpoint endpoint;
    private final Runs runs;
    private final RunPlan plan;
    private final RunThreads threads;
    private final Exchange exchange;
    private final AsyncCallback callback;
    private final ItemSource items;
    private final FailedRun.Visit visit;
    private final CallingThread callingThread;
    private final RollbackMarks rollbackMarks = new RollbackMarks();
    private final RunObservers observers;
    private final Run run;
    // Race: the run may end on another thread before start() has returned; whoever is second calls back.
    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.STARTING);
    private final CompletableFuture<RunEnd> end = new CompletableFuture<>();

    /** @throws Exception if the body cannot be read, or not as the options want it; nothing has been sent then */
    static ExchangeRun begin(BatchResidueProducer producer, Exchange exchange, AsyncCallback callback)
            throws Exception {
        BatchResidueEndpoint endpoint = producer.getEndpoint();
        Runs runs = endpoint.getComponent().runs();
        RunPlan plan = endpoint.takePlan();
        try {
            Optional<FailedRun> failed = FailedRun.takeFrom(exchange, producer);
            ItemSource items = failed.isPresent()
                    ? failed.get().items()
                    : open(exchange, plan, endpoint.getComponent().usedUpBodies());
            RunState state = failed.map(FailedRun::state).orElse(RunState.NEW);
            return new ExchangeRun(producer, runs, plan, exchange, callback, items, state);
        } catch (Throwable e) {
            endpoint.givePlanBack();
            throw e;
        }
    }

    private static ItemSource open(Exchange exchange, RunPlan plan, UsedUpBodies usedUp) throws Exception {
        usedUp.refuse(exchange.getMessage().getBody());
        ItemSource items = ItemSource.of(
                exchange.getMessage().getBody(),
                exchange,
                plan.bulkApi,
                ChildExchanges.seenByItems(exchange, plan.delegateHeaders));
        refuseToKeepWhatIsReadOnce(items, exchange, plan);
        return items;
    }

    private static void refuseToKeepWhatIsReadOnce(ItemSource items, Exchange exchange, RunPlan plan) {
        if (plan.configuration.getResult() == BatchResidueConfiguration.ResultBody.ORIGINAL && items.isReadOnce()) {
            items.close();
            throw new IllegalArgumentException("result=ORIGINAL: the body is a "
                    + exchange.getMessage().getBody().getClass().getName()
                    + ", which can be read only once; use result=LEDGER, or a body that can be read again");
        }
    }

    private ExchangeRun(
            BatchResidueProducer producer,
            Runs runs,
            RunPlan plan,
            Exchange exchange,
            AsyncCallback callback,
            ItemSource items,
            RunState state) {
        this.producer = producer;
        this.endpoint = producer.getEndpoint();
        this.runs = runs;
        this.plan = plan;
        this.exchange = exchange;
        this.callback = callback;
        this.items = items;
        this.visit = FailedRun.Visit.of(exchange);
        this.threads = endpoint.getComponent().threads().forRunOf(exchange);
        this.callingThread = exchange.isTransacted() ? new CallingThread(threads) : null;
        Scheduler scheduler = callingThread == null ? threads : callingThread;
        this.observers = plan.observation.of(exchange, state);
        this.run = new Run(
                plan.options(items.isInMemory(), exchange.isTransacted()),
                new Run.Collaborators(
                        items,
                        new DelegateTransport(plan, exchange, threads, rollbackMarks, observers),
                        new DeadLetterSender(plan, exchange, threads, callingThread, rollbackMarks),
                        scheduler,
                        () -> ThreadLocalRandom.current().nextDouble(),
                        observers.orNone()),
                state,
                this::ended);
    }

    /** Begins; true if the run has ended already. */
    boolean start() {
        runs.begun(this);
        run.start();
        if (producer.hasEndedItsRuns()) {
            run.stop(); // Race: the producer may have asked its runs to end before this one was among them.
        }
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
        while (!end.isDone()) {
            try {
                callingThread.workUntil(end::isDone);
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

    /** How far the run is; null if nobody counts. */
    RunProgress progress() {
        return observers.progress();
    }

    boolean isOf(BatchResidueProducer other) {
        return producer == other;
    }

    boolean isAt(BatchResidueEndpoint other) {
        return endpoint == other;
    }

    /** Ends the run whatever it is doing: what has not landed is given up, and goes to the dead letters. */
    void stop() {
        run.stop();
        threads.route(items::letGo);
    }

    /** Ends the run at once: what no dead-letter endpoint has taken stays in the ledger. */
    void stopNow() {
        run.stopNow();
    }

    /**
     * Whether the run has ended; waits for it as long as given. Camel interrupts the thread that stops a route when its
     * own patience is at an end, and this wait begins just then: it is not cut short.
     */
    boolean hasEnded(long millis) {
        boolean isInterrupted = Thread.interrupted();
        StopWatch watch = new StopWatch();
        try {
            while (true) {
                try {
                    end.get(Math.max(0, millis - watch.taken()), TimeUnit.MILLISECONDS);
                    return true;
                } catch (TimeoutException | ExecutionException e) {
                    return false;
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void ended(RunEnd result) {
        end.complete(result);
        if (callingThread != null) {
            callingThread.schedule(() -> {}, 0);
        } else if (!stage.compareAndSet(Stage.STARTING, Stage.ENDED)) {
            threads.route(() -> {
                finish();
                Waiters.accompany(exchange);
                callback.done(false);
            });
        }
    }

    private void finish() {
        runs.ended(this);
        givePlanBack();
        try {
            RunEnd result = end.join();
            Ledger ledger = result.ledger();
            observers.finished(ledger);
            RunResult.write(ledger, exchange);
            rollbackMarks.putOn(exchange);
            BatchResidueException exception = RunResult.exceptionOf(result, exchange, plan.configuration);
            if (exception != null) {
                fail(exception, result);
            } else {
                BatchResidueException.supersede(exchange, endpoint);
                if (plan.configuration.getResult() == BatchResidueConfiguration.ResultBody.LEDGER) {
                    exchange.getMessage().setBody(ledger);
                }
            }
            if (ledger.givenUp() > 0) {
                LOG.warn(
                        "Gave up {} of {} items for {} (exchange {})",
                        ledger.givenUp(),
                        ledger.items(),
                        plan.printableDelegate,
                        exchange.getExchangeId());
            }
        } catch (Throwable e) {
            exchange.setException(e);
        } finally {
            closeItems();
        }
    }

    private void givePlanBack() {
        try {
            endpoint.givePlanBack();
        } catch (Throwable e) {
            LOG.warn("Cannot stop what was used by {}", plan.printableDelegate, e); // The run is over all the same.
        }
    }

    private void fail(BatchResidueException exception, RunEnd result) {
        Throwable failure = RunResult.failureOf(result, exception.at(endpoint));
        exchange.setException(failure);
        new FailedRun(producer, visit, failure, exception, items, result.state()).leaveOn(exchange);
        if (items.isReadOnce()) {
            endpoint.getComponent().usedUpBodies().add(exchange.getMessage().getBody(), exception);
        }
    }

    /** A source that still has items is the caller's until the exchange completes. */
    private void closeItems() {
        if (end.join().ledger().inputExhausted()) {
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
