/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Item;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Observer;
import io.github.batchresidue.engine.Round;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.spi.CamelEvent;
import org.slf4j.Logger;

/** Tells what a run does: one line a round in the log, and events to whoever listens. */
final class RunReporter implements Observer {

    private final Logger log;
    private final Exchange exchange;
    private final String delegate;
    private final boolean isEventWanted;

    RunReporter(Logger log, Exchange exchange, String delegate, boolean isEventWanted) {
        this.log = log;
        this.exchange = exchange;
        this.delegate = delegate;
        this.isEventWanted = isEventWanted;
    }

    @Override
    public void settled(List<Item> items, Round round, Failure failure, long nextWaitMillis) {
        log.debug(
                "{}: at {} ms sent {}: {} landed, {} terminal, {} residue, {} unknown, next wait {} ms (exchange {})",
                delegate,
                round.atMillis(),
                round.items(),
                round.landed(),
                round.terminal(),
                round.residue(),
                round.unknown(),
                nextWaitMillis,
                exchange.getExchangeId());
        if (isEventWanted) {
            tell(new BatchResidueRoundEvent(exchange, delegate, items, round, failure, nextWaitMillis));
        }
    }

    @Override
    public void ended(LedgerItem item) {
        if (isEventWanted) {
            tell(new BatchResidueItemEvent(exchange, delegate, item));
        }
    }

    private void tell(CamelEvent event) {
        try {
            exchange.getContext().getManagementStrategy().notify(event);
        } catch (Exception e) {
            log.debug("A listener failed on {}", event.getClass().getSimpleName(), e);
        }
    }
}
