/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

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
import org.apache.camel.Exchange;
import org.apache.camel.ExchangePropertyKey;

/** Makes an exchange of each request, has the delegate perform it, and has the bulk API read the answer. */
final class DelegateTransport implements Transport {

    private final RunPlan plan;
    private final Exchange parent;
    private final RunThreads threads;
    private final RollbackMarks rollbackMarks;
    private final RunObserver observer;
    private final boolean isSideBySide;

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
        } catch (Exception | Error e) {
            reply.accept(new Reply.Refused(e, failureOf(e)));
            return;
        }
        if (!reply.begin()) {
            return;
        }
        observer.requesting(items, request);
        Waiters.accompany(request);
        try {
            plan.delegate.perform(request, doneSync -> reply.accept(read(items, bulkItems, request)));
        } catch (RuntimeException | Error e) {
            reply.accept(new Reply.TransportFailed(e, failureOf(e), false, 0));
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
            return plan.rules.apply(items, isSwallowedByCircuit(reply, answer) ? circuitIsOpen(answer) : reply);
        } catch (RuntimeException e) {
            return Reply.unreadable(items.size(), failureOf(e));
        } catch (Error e) {
            return new Reply.TransportFailed(e, failureOf(e), false, 0);
        } finally {
            rollbackMarks.takeFrom(answer);
            ChildExchanges.cleanUp(answer);
        }
    }

    private static Reply ledgerIsNoAnswer() {
        Exception cause = new IllegalStateException("the delegate answers with the ledger of a batchresidue step of its"
                + " own, which has sent the items already: call its route without a batchresidue step around it, or"
                + " give that step's own delegate here");
        return new Reply.Refused(cause, failureOf(cause));
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
        return new Reply.TransportFailed(cause, failureOf(cause), isFirstAttempt, 0);
    }

    private static Failure failureOf(Throwable e) {
        return new Failure(0, e.getClass().getSimpleName(), e.getMessage());
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
