/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.RunEnd;
import java.util.stream.Stream;
import org.apache.camel.Exchange;
import org.apache.camel.Message;

/** What a run leaves on the exchange. */
final class RunResult {

    private RunResult() {}

    static void write(Ledger ledger, Exchange exchange) {
        exchange.setProperty(BatchResidueConstants.LEDGER, ledger);
        Message message = exchange.getMessage();
        message.setHeader(BatchResidueConstants.ITEM_COUNT, ledger.items());
        message.setHeader(BatchResidueConstants.LANDED_COUNT, ledger.landed());
        message.setHeader(BatchResidueConstants.TERMINAL_COUNT, ledger.terminal());
        message.setHeader(BatchResidueConstants.GIVEN_UP_COUNT, ledger.givenUp());
        message.setHeader(BatchResidueConstants.PENDING_COUNT, ledger.pending());
        message.setHeader(BatchResidueConstants.ROUNDS, ledger.rounds());
        message.setHeader(BatchResidueConstants.REQUESTS, ledger.requests());
        message.setHeader(BatchResidueConstants.GAVE_UP, ledger.gaveUp());
        message.setHeader(BatchResidueConstants.WAITED_MILLIS, ledger.waitedMillis());
    }

    /** Carries the ledger if the exchange has to fail; null if it does not. */
    static BatchResidueException exceptionOf(RunEnd end, Exchange exchange, BatchResidueConfiguration configuration) {
        Ledger ledger = end.ledger();
        if (end.failure() != null) {
            return new BatchResidueException("the run failed", exchange, ledger, null);
        }
        if (end.inputFailure() != null) {
            return new BatchResidueException("the body cannot be read any further", exchange, ledger, null);
        }
        if (end.deadLetterFailure() != null) {
            return new BatchResidueException(
                    "a dead-letter endpoint failed", exchange, ledger, end.deadLetterFailure());
        }
        if (!ledger.inputExhausted()) {
            return new BatchResidueException("stopped before the body was read to its end", exchange, ledger, null);
        }
        if (ledger.undelivered() > 0 && configuration.isThrowExceptionOnUndelivered()) {
            return new BatchResidueException(
                    ledger.undelivered() + " items did not land and " + whyUndelivered(ledger), exchange, ledger, null);
        }
        return null;
    }

    /** With what the exchange fails: the delegate's or the body's own exception, with the ledger on it, if there is one. */
    static Throwable failureOf(RunEnd end, BatchResidueException exception) {
        Throwable own = end.failure() != null ? end.failure() : end.inputFailure();
        if (own == null) {
            return exception;
        }
        exception.rideOn(own);
        return own;
    }

    private static String whyUndelivered(Ledger ledger) {
        boolean isEndpointThere = Stream.concat(ledger.terminalItems().stream(), ledger.givenUpItems().stream())
                .anyMatch(item -> item.delivery() == LedgerItem.Delivery.FAILED);
        return isEndpointThere ? "were not taken as dead letters before the stop" : "had no endpoint to go to";
    }
}
