/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.engine.DeadLetters;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Outcome;
import java.util.List;
import java.util.function.Consumer;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.ExchangePattern;
import org.apache.camel.ExchangePropertyKey;
import org.apache.camel.Message;
import org.apache.camel.support.ExchangeHelper;

/** Makes an exchange of each dead letter of one run. */
final class DeadLetterSender implements DeadLetters {

    private final RunPlan plan;
    private final Exchange parent;
    private final RunThreads threads;
    private final CallingThread callingThread;
    private final RollbackMarks rollbackMarks;

    /** @param callingThread where everything has to happen; null if it may happen anywhere */
    DeadLetterSender(
            RunPlan plan,
            Exchange parent,
            RunThreads threads,
            CallingThread callingThread,
            RollbackMarks rollbackMarks) {
        this.plan = plan;
        this.parent = parent;
        this.threads = threads;
        this.callingThread = callingThread;
        this.rollbackMarks = rollbackMarks;
    }

    @Override
    public boolean takes(Outcome outcome) {
        return plan.deadLetters.of(outcome) != null;
    }

    @Override
    public void deliver(List<LedgerItem> items, Consumer<Throwable> done) {
        if (callingThread == null) {
            threads.route(() -> send(items, done));
        } else {
            callingThread.execute(() -> send(items, done));
        }
    }

    /** The run waits for {@code done} whatever an item, an endpoint or its producer may throw. */
    private void send(List<LedgerItem> items, Consumer<Throwable> done) {
        try {
            sendLetter(items, done);
        } catch (Throwable e) {
            done.accept(e);
        }
    }

    private void sendLetter(List<LedgerItem> items, Consumer<Throwable> done) {
        Endpoint endpoint = plan.deadLetters.of(items.get(0).outcome());
        Exchange letter = plan.configuration.isDeadLetterGrouped() ? grouped(items) : single(items.get(0));
        Waiters.accompany(letter);
        plan.deadLetters.send(endpoint, letter, doneSync -> {
            try {
                rollbackMarks.takeFrom(letter);
                ChildExchanges.cleanUp(letter);
            } finally {
                done.accept(letter.getException());
            }
        });
    }

    private Exchange single(LedgerItem item) {
        Exchange letter = newLetter(item);
        Message message = letter.getMessage();
        message.setBody(item.body());
        message.setHeader(BatchResidueConstants.REASON, item.reason().name());
        message.setHeader(BatchResidueConstants.ATTEMPTS, item.attempts());
        message.setHeader(BatchResidueConstants.ITEM_INDEX, item.index());
        setIfPresent(message, BatchResidueConstants.ITEM_ID, ((BulkItem) item.content()).id());
        Failure failure = item.failure();
        setIfPresent(message, BatchResidueConstants.ERROR_STATUS, failure.status() == 0 ? null : failure.status());
        setIfPresent(message, BatchResidueConstants.ERROR_CODE, failure.code());
        setIfPresent(message, BatchResidueConstants.ERROR_MESSAGE, failure.message());
        return letter;
    }

    private Exchange grouped(List<LedgerItem> items) {
        Exchange letter = newLetter(items.get(0));
        letter.getMessage().setBody(items.stream().map(LedgerItem::body).toList());
        letter.getMessage().setHeader(BatchResidueConstants.ITEM_COUNT, (long) items.size());
        return letter;
    }

    private Exchange newLetter(LedgerItem item) {
        Exchange letter = ChildExchanges.of(parent);
        letter.setPattern(ExchangePattern.InOnly);
        letter.setProperty(ExchangePropertyKey.EXCEPTION_CAUGHT, new BatchResidueItemException(item));
        letter.setProperty(ExchangePropertyKey.FAILURE_ENDPOINT, plan.printableDelegate);
        letter.setProperty(ExchangePropertyKey.FAILURE_ROUTE_ID, ExchangeHelper.getRouteId(parent));
        Message message = letter.getMessage();
        HeaderRules.keepForDeadLetter(message);
        message.setHeader(BatchResidueConstants.OUTCOME, item.outcome().name());
        message.setHeader(BatchResidueConstants.DELEGATE, plan.printableDelegate);
        message.setHeader(BatchResidueConstants.ORIGIN_EXCHANGE_ID, parent.getExchangeId());
        return letter;
    }

    private static void setIfPresent(Message message, String name, Object value) {
        if (value != null) {
            message.setHeader(name, value);
        }
    }
}
