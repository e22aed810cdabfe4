/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Item;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Transport;
import io.github.batchresidue.engine.Verdict;
import java.util.AbstractList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.camel.Exchange;
import org.apache.camel.ExchangePropertyKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes an exchange of each request, has the delegate perform it, and has the bulk API read the answer. */
final class DelegateTransport implements Transport {

    private static final Logger LOG = LoggerFactory.getLogger(DelegateTransport.class);

    private final RunPlan plan;
    private final Exchange parent;
    private final RunThreads threads;
    private final RollbackMarks rollbackMarks;
    private final RunObserver observer;
    private final boolean isSideBySide;
    private final AtomicBoolean hasWarned = new AtomicBoolean();

    DelegateTransport(
            RunPlan plan, Exchange parent, RunThreads threads, RollbackMarks rollbackMarks, RunObserver observer) {
        this.plan = plan;
        this.parent = parent;
        this.threads = threads;
        this.rollbackMarks = rollbackMarks;
        this.observer = observer;
        this.isSideBySide = plan.configuration.getParallelRequests() > 1 && !parent.isTransacted();
    }

    /** Requests that may go side by side need a thread each while the delegate blocks. */
    @Override
    public void send(List<Item> items, Answer reply) {
        reply.letWait();
        if (isSideBySide || !threads.mayWorkHere() && !parent.isTransacted()) {
            threads.work(() -> perform(items, reply));
        } else {
            perform(items, reply);
        }
    }

    private void perform(List<Item> items, Answer reply) {
        List<BulkItem> bulkItems = bulkItems(items);
        Exchange request;
        try {
            request = newRequest();
            plan.bulkApi.write(bulkItems, request);
        } catch (Throwable e) {
            reply.accept(new Reply.Refused(e, Failure.of(e)));
            return;
        }
        if (!reply.begin()) {
            return;
        }
        if (plan.delegate.hasSender()) {
            request.setProperty(BulkApi.ANSWER, reply);
        }
        try {
            observer.requesting(items, request);
            Waiters.accompany(request);
            plan.delegate.perform(request, doneSync -> reply.accept(read(items, bulkItems, request)));
        } catch (Throwable e) {
            reply.accept(new Reply.TransportFailed(e, Failure.of(e), false, 0));
        }
    }

    private Exchange newRequest() {
        Exchange request = ChildExchanges.of(parent);
        request.getMessage().setBody(null);
        HeaderRules.keepForDelegate(request.getMessage(), plan.delegateHeaders);
        return request;
    }

    private Reply read(List<Item> items, List<BulkItem> bulkItems, Exchange answer) {
        try {
            if (answer.getException() == null && answer.getMessage().getBody() instanceof Ledger) {
                return ledgerIsNoAnswer();
            }
            Reply reply = plan.bulkApi.read(bulkItems, answer);
            if (reply == null) {
                throw new IllegalStateException("it gives null");
            }
            return plan.rules.apply(items, isSwallowedByCircuit(reply, answer) ? circuitIsOpen(answer) : reply);
        } catch (Exception e) {
            return Reply.unreadable(items.size(), cannotRead(e));
        } catch (Throwable e) {
            return new Reply.TransportFailed(e, cannotRead(e), false, 0);
        } finally {
            free(answer);
        }
    }

    /** The bulk API is at fault. The log has the place alone: a message may quote an item. */
    private Failure cannotRead(Throwable thrown) {
        Failure failure = Failure.of(thrown);
        String reader = "read() of " + plan.bulkApi.getClass().getName();
        if (hasWarned.compareAndSet(false, true)) {
            LOG.warn("{} failed, and may do so again: nobody knows which items have landed", reader, Place.of(thrown));
        }
        String why = failure.message() == null ? thrown.getClass().getName() : failure.message();
        return new Failure(0, failure.code(), reader + " failed: " + why);
    }

    /** What was left to be done when the exchange completes is nothing to the reply. */
    private void free(Exchange answer) {
        try {
            rollbackMarks.takeFrom(answer);
            ChildExchanges.cleanUp(answer);
        } catch (Throwable e) {
            LOG.debug("Cannot clean up after a request", e);
        }
    }

    private static Reply ledgerIsNoAnswer() {
        Exception cause = new IllegalStateException("the delegate answers with the ledger of a batchresidue step of its"
                + " own, which has sent the items already: call its route without a batchresidue step around it, or"
                + " give that step's own delegate here");
        return new Reply.Refused(cause, Failure.of(cause));
    }

    /**
     * A circuit breaker of Camel that is open lets nothing through and by default throws nothing either: what comes back
     * is no answer.
     */
    private static boolean isSwallowedByCircuit(Reply reply, Exchange answer) {
        return answer.getProperty(ExchangePropertyKey.CIRCUIT_BREAKER_RESPONSE_REJECTED, false, Boolean.class)
                && reply instanceof Reply.Verdicts verdicts
                && verdicts.verdicts().stream().allMatch(verdict -> verdict.kind() == Verdict.Kind.UNKNOWN);
    }

    /** Nothing has landed then, unless an error handler of that route has tried before. */
    private static Reply circuitIsOpen(Exchange answer) {
        Exception cause =
                new RejectedExecutionException("a circuit breaker in the delegate's route let the request not through");
        boolean isFirstAttempt = answer.getMessage().getHeader(Exchange.REDELIVERED) == null;
        return new Reply.TransportFailed(cause, Failure.of(cause), isFirstAttempt, 0);
    }

    private static List<BulkItem> bulkItems(List<Item> items) {
        return new AbstractList<>() {
            @Override
            public BulkItem get(int index) {
                return (BulkItem) items.get(index).content();
            }

            @Override
            public int size() {
                return items.size();
            }
        };
    }
}
