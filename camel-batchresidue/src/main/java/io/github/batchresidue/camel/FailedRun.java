/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.engine.RunState;
import java.util.Objects;
import java.util.Optional;
import org.apache.camel.Exchange;
import org.apache.camel.ExchangePropertyKey;

/**
 * A run that has failed, kept on its exchange for Camel's error handler, which may redeliver it to the same step.
 *
 * <p>Camel leaves properties alone when it redelivers, and copies them to every exchange that is made of this one; its
 * redelivery headers stay on the message behind the step that was redelivered. Neither tells a redelivery from a first
 * visit by itself: all of {@link #isRedeliveredAs} together does. A route around the step may be what is redelivered: it
 * may bring another body then, or visit the step more than once.
 *
 * @param visit what the run began with
 * @param failure the exchange's exception
 * @param exception carries the ledger
 * @param items the body, as far as it has not been read
 */
record FailedRun(
        BatchResidueProducer step,
        Visit visit,
        Throwable failure,
        BatchResidueException exception,
        ItemSource items,
        RunState state) {

    /**
     * An exchange as it comes to a step.
     *
     * @param exchangeId a copy of the exchange has another
     * @param body its body; a redelivery brings the same, or one that is equal
     * @param loopIndex the turn of the loop that it is in; null if it is in none
     * @param redeliveries how often Camel has redelivered it to the step that it is at, or was at before
     */
    record Visit(String exchangeId, Object body, Integer loopIndex, int redeliveries) {

        static Visit of(Exchange exchange) {
            Integer counter = exchange.getMessage().getHeader(Exchange.REDELIVERY_COUNTER, Integer.class);
            return new Visit(
                    exchange.getExchangeId(),
                    exchange.getMessage().getBody(),
                    exchange.getProperty(ExchangePropertyKey.LOOP_INDEX, Integer.class),
                    counter == null ? 0 : counter);
        }

        private boolean isRedeliveredAs(Visit next) {
            return exchangeId.equals(next.exchangeId)
                    && redeliveries + 1 == next.redeliveries
                    && Objects.equals(loopIndex, next.loopIndex)
                    && isEqual(body, next.body);
        }

        private static boolean isEqual(Object body, Object next) {
            try {
                return Objects.deepEquals(body, next);
            } catch (Throwable e) {
                return false; // A body that cannot be compared is another one.
            }
        }
    }

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

    private boolean isRedeliveredAs(Exchange exchange, BatchResidueProducer visited) {
        return (step == visited || step.isReplacedBy(visited))
                && visit.isRedeliveredAs(Visit.of(exchange))
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
