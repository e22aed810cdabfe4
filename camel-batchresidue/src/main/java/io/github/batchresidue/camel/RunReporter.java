/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Item;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Round;
import java.util.List;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.spi.EventNotifier;
import org.apache.camel.spi.ManagementStrategy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells what a run does: one line a round in the log, and events to whoever listens. */
final class RunReporter implements RunObserver {

    private static final Logger LOG = LoggerFactory.getLogger(BatchResidueProducer.class);

    private final Exchange exchange;
    private final String delegate;
    private final List<EventNotifier> listeners;

    RunReporter(Exchange exchange, String delegate) {
        this.exchange = exchange;
        this.delegate = delegate;
        this.listeners = listeners(exchange);
    }

    /** Those that hear of exchanges; an exchange that is about an event leads to none, as everywhere in Camel. */
    private static List<EventNotifier> listeners(Exchange exchange) {
        CamelContext context = exchange.getContext();
        if (!context.getCamelContextExtension().isEventNotificationApplicable()
                || exchange.getExchangeExtension().isNotifyEvent()) {
            return List.of();
        }
        return context.getManagementStrategy().getStartedEventNotifiers().stream()
                .filter(listener -> !listener.isDisabled() && !listener.isIgnoreExchangeEvents())
                .toList();
    }

    /** Whether there is anybody to tell. */
    boolean isHeard() {
        return !listeners.isEmpty() || LOG.isDebugEnabled();
    }

    @Override
    public void settled(List<Item> items, Round round, Failure failure, long nextWaitMillis) {
        LOG.debug(
                "{}: at {} ms sent {}: {} landed, {} terminal, {} residue, {} unknown, {} (exchange {})",
                delegate,
                round.atMillis(),
                round.items(),
                round.landed(),
                round.terminal(),
                round.residue(),
                round.unknown(),
                nextWaitMillis < 0 ? "no wait" : "next wait " + nextWaitMillis + " ms",
                exchange.getExchangeId());
        if (!listeners.isEmpty()) {
            tell(new BatchResidueRoundEvent(exchange, delegate, items, round, failure, nextWaitMillis));
        }
    }

    @Override
    public void ended(LedgerItem item) {
        if (!listeners.isEmpty()) {
            tell(new BatchResidueItemEvent(exchange, delegate, item));
        }
    }

    @Override
    public boolean seesLanded() {
        return !listeners.isEmpty();
    }

    private void tell(BatchResidueEvent event) {
        ManagementStrategy management = exchange.getContext().getManagementStrategy();
        if (management.getEventFactory().isTimestampEnabled()) {
            event.setTimestamp(System.currentTimeMillis());
        }
        for (EventNotifier listener : listeners) {
            try {
                if (listener.isEnabled(event)) {
                    listener.notify(event);
                }
            } catch (Throwable e) {
                LOG.debug("A listener failed on {}", event.getClass().getSimpleName(), e);
            }
        }
    }
}
