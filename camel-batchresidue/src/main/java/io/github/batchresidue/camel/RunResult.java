/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Reason;
import io.github.batchresidue.engine.RunEnd;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.camel.Exchange;
import org.apache.camel.Message;

/** What a run leaves on the exchange. */
final class RunResult {

    /** The headers, with what of the ledger they hold. */
    private static final Map<String, Function<Ledger, Object>> HEADERS = Map.of(
            BatchResidueConstants.ITEM_COUNT, Ledger::items,
            BatchResidueConstants.LANDED_COUNT, Ledger::landed,
            BatchResidueConstants.TERMINAL_COUNT, Ledger::terminal,
            BatchResidueConstants.GIVEN_UP_COUNT, Ledger::givenUp,
            BatchResidueConstants.PENDING_COUNT, Ledger::pending,
            BatchResidueConstants.ROUNDS, Ledger::rounds,
            BatchResidueConstants.REQUESTS, Ledger::requests,
            BatchResidueConstants.GAVE_UP, Ledger::gaveUp,
            BatchResidueConstants.WAITED_MILLIS, Ledger::waitedMillis);

    private RunResult() {}

    static void write(Ledger ledger, Exchange exchange) {
        exchange.setProperty(BatchResidueConstants.LEDGER, ledger);
        Message message = exchange.getMessage();
        HEADERS.forEach((name, value) -> message.setHeader(name, value.apply(ledger)));
    }

    /** Removes what an earlier run has left: if this one cannot even begin, nobody is to take it for its result. */
    static void removeFrom(Exchange exchange) {
        exchange.removeProperty(BatchResidueConstants.LEDGER);
        HEADERS.keySet().forEach(exchange.getMessage()::removeHeader);
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
        boolean isTooLate = end.cutOff() == Reason.TIMEOUT;
        String deadline = "the deadline (redeliveryTimeout=" + configuration.getRedeliveryTimeout() + ") was reached";
        if (!ledger.inputExhausted()) {
            String what = isTooLate ? deadline : "stopped";
            return new BatchResidueException(what + " before the body was read to its end", exchange, ledger, null);
        }
        if (ledger.undelivered() > 0 && configuration.isThrowExceptionOnUndelivered()) {
            String what = ledger.undelivered() + " items did not land and " + whyUndelivered(ledger);
            return new BatchResidueException(isTooLate ? deadline + "; " + what : what, exchange, ledger, null);
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
