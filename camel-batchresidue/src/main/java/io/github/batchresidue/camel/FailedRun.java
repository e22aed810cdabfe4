/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.engine.RunState;
import java.util.Optional;
import org.apache.camel.Exchange;
import org.apache.camel.ExchangePropertyKey;

/**
 * A run that has failed, kept on its exchange for Camel's error handler, which may redeliver it to the same step.
 *
 * <p>Camel leaves properties alone when it redelivers, and copies them to every exchange that is made of this one; its
 * redelivery headers stay on the message behind the step that was redelivered. Neither tells a redelivery from a first
 * visit by itself: all of {@link #isRedeliveredAs} together does.
 *
 * @param exchangeId the exchange that the run belonged to; a copy has another
 * @param redeliveries what Camel had counted when the run began
 * @param failure the exchange's exception
 * @param exception carries the ledger
 * @param items the body, as far as it has not been read
 */
record FailedRun(
        BatchResidueProducer step,
        String exchangeId,
        int redeliveries,
        Throwable failure,
        BatchResidueException exception,
        ItemSource items,
        RunState state) {

    private static final String PROPERTY = "CamelBatchResidueFailedRun";

    void leaveOn(Exchange exchange) {
        exchange.setProperty(PROPERTY, this);
    }

    static void removeFrom(Exchange exchange) {
        exchange.removeProperty(PROPERTY);
    }

    static Optional<FailedRun> on(Exchange exchange) {
        return Optional.ofNullable(exchange.getProperty(PROPERTY, FailedRun.class));
    }

    /** The run that goes on with this visit of the step. It is given once. */
    static Optional<FailedRun> takeFrom(Exchange exchange, BatchResidueProducer step) {
        Optional<FailedRun> run = on(exchange).filter(failed -> failed.isRedeliveredAs(exchange, step));
        run.ifPresent(taken -> {
            removeFrom(exchange);
            taken.exception.outdate();
        });
        return run;
    }

    /** How often Camel has redelivered the exchange to the step that it is at, or was at before. */
    static int redeliveriesOf(Exchange exchange) {
        Integer counter = exchange.getMessage().getHeader(Exchange.REDELIVERY_COUNTER, Integer.class);
        return counter == null ? 0 : counter;
    }

    private boolean isRedeliveredAs(Exchange exchange, BatchResidueProducer visited) {
        return step == visited
                && exchangeId.equals(exchange.getExchangeId())
                && redeliveries + 1 == redeliveriesOf(exchange)
                && isCauseOf(exchange.getProperty(ExchangePropertyKey.EXCEPTION_CAUGHT, Throwable.class));
    }

    /** Whether the exception is this run's failure, or was caused by it. */
    boolean isCauseOf(Throwable exception) {
        for (Throwable cause = exception; cause != null; cause = cause.getCause()) {
            if (cause == failure) {
                return true;
            }
        }
        return false;
    }
}
