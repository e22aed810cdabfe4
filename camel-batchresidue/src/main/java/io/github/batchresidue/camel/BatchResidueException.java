/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Reason;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.camel.CamelExchangeException;
import org.apache.camel.Exchange;
import org.apache.camel.ExchangePropertyKey;

/**
 * Carries the ledger of a failed call. It is the exchange's exception itself if items had nowhere to go; if the delegate
 * failed it rides on the delegate's own exception as suppressed, so that it survives steps that copy exchanges.
 */
public class BatchResidueException extends CamelExchangeException {

    private static final long serialVersionUID = 1L;

    /** On an exchange: the one that it still carries though a later call has succeeded. */
    private static final String SUPERSEDED = "CamelBatchResidueSuperseded";

    private final transient Ledger ledger;
    private transient String endpointUri;
    private volatile boolean isOutdated;

    public BatchResidueException(String message, Exchange exchange, Ledger ledger, Throwable cause) {
        super(message + ": " + summary(ledger), exchange, tellable(cause));
        this.ledger = ledger;
    }

    /** An exception that cannot give its message must not cost the ledger. */
    private static Throwable tellable(Throwable cause) {
        try {
            if (cause != null) {
                cause.getMessage();
            }
            return cause;
        } catch (Throwable e) {
            return Place.of(cause);
        }
    }

    /** What became of every item; null only after serialization. */
    public Ledger getLedger() {
        return ledger;
    }

    /**
     * The one that the exchange carries: on its exception, or on the one that an error handler caught. Camel keeps what was
     * caught; once a later call at the same endpoint has succeeded, made with the exchange or with a copy that it got its
     * result from, that one is not given any more.
     */
    public static Optional<BatchResidueException> of(Exchange exchange) {
        return of(exchange.getException(), exchange).or(() -> ofCaught(exchange));
    }

    private static Optional<BatchResidueException> ofCaught(Exchange exchange) {
        return of(exchange.getProperty(ExchangePropertyKey.EXCEPTION_CAUGHT, Throwable.class), exchange)
                .filter(caught -> caught != exchange.getProperty(SUPERSEDED));
    }

    private static Optional<BatchResidueException> of(Throwable exception, Exchange exchange) {
        return FailedRun.on(exchange)
                .filter(run -> run.isCauseOf(exception))
                .map(FailedRun::exception)
                .or(() -> of(exception));
    }

    /**
     * The one that the exception is, has as a cause, or carries as suppressed; of several the nearest. None if the
     * exception forbids suppressed ones, or is one object that several failures share, and nobody can say whose ledger
     * would be meant: then only {@link #of(Exchange)} knows.
     */
    public static Optional<BatchResidueException> of(Throwable exception) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Throwable> next = new ArrayDeque<>();
        for (Throwable at = exception; at != null; at = next.poll()) {
            if (at instanceof BatchResidueException found && !found.isOutdated) {
                return Optional.of(found);
            }
            if (seen.add(at)) {
                Collections.addAll(next, at.getSuppressed());
                if (at.getCause() != null) {
                    next.add(at.getCause());
                }
            }
        }
        return Optional.empty();
    }

    /** Goes where the failure goes. One that carries a ledger already would collect them, and mix those of many callers. */
    void rideOn(Throwable failure) {
        synchronized (failure) {
            boolean isShared = false;
            for (Throwable other : failure.getSuppressed()) {
                if (other instanceof BatchResidueException rider) {
                    rider.outdate();
                    isShared = true;
                }
            }
            if (!isShared) {
                failure.addSuppressed(this);
            }
        }
    }

    /** Nobody is to take its ledger for the one that counts: the call went on, or nobody knows whose it is. */
    void outdate() {
        isOutdated = true;
    }

    /** Says where the call was made. */
    BatchResidueException at(BatchResidueEndpoint callee) {
        endpointUri = callee.getEndpointUri();
        return this;
    }

    /** A call has succeeded: what the exchange still carries of an earlier one at the same endpoint is history. */
    static void supersede(Exchange exchange, BatchResidueEndpoint callee) {
        ofCaught(exchange)
                .filter(caught -> callee.getEndpointUri().equals(caught.endpointUri))
                .ifPresent(caught -> exchange.setProperty(SUPERSEDED, caught));
    }

    /** Counts and reasons, and the first item of each list. The service's messages stay in the ledger: they may quote items. */
    private static String summary(Ledger ledger) {
        StringBuilder text = new StringBuilder()
                .append(ledger.items())
                .append(ledger.inputExhausted() ? " items" : " items read, input left unread")
                .append(", ")
                .append(ledger.landed())
                .append(" landed, ")
                .append(ledger.terminal())
                .append(" terminal, ")
                .append(ledger.givenUp())
                .append(" given up, ")
                .append(ledger.pending())
                .append(" pending");
        describe(ledger.terminalItems(), text);
        describe(ledger.givenUpItems(), text);
        return text.toString();
    }

    private static void describe(List<LedgerItem> items, StringBuilder text) {
        if (items.isEmpty()) {
            return;
        }
        Map<Reason, Integer> reasons = new EnumMap<>(Reason.class);
        items.forEach(item -> reasons.merge(item.reason(), 1, Integer::sum));
        LedgerItem first = items.get(0);
        text.append("; ").append(reasons).append(", first item ").append(first.index());
        if (first.failure().status() != 0) {
            text.append(" status ").append(first.failure().status());
        }
        if (first.failure().code() != null) {
            text.append(" ").append(first.failure().code());
        }
    }
}
