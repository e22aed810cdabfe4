/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Item;
import io.github.batchresidue.engine.Round;
import java.util.List;
import org.apache.camel.Exchange;

/** A request of a run has been answered and every item of it has its verdict. */
public class BatchResidueRoundEvent extends BatchResidueEvent {

    private static final long serialVersionUID = 1L;

    private final transient List<Item> items;
    private final transient Round round;
    private final transient Failure failure;
    private final long nextWaitMillis;

    BatchResidueRoundEvent(
            Exchange exchange, String delegate, List<Item> items, Round round, Failure failure, long nextWaitMillis) {
        super(exchange, delegate);
        this.items = items;
        this.round = round;
        this.failure = failure;
        this.nextWaitMillis = nextWaitMillis;
    }

    /** What the request carried, in its order. */
    public List<Item> getItems() {
        return items;
    }

    /** The numbers. */
    public Round getRound() {
        return round;
    }

    /** Why something of it has to go again or never will; null if everything landed. */
    public Failure getFailure() {
        return failure;
    }

    /** The shortest wait that begins with this round, in milliseconds; -1 if none does. */
    public long getNextWaitMillis() {
        return nextWaitMillis;
    }

    @Override
    public String toString() {
        String text = "Batch residue round: " + round.items() + " items to " + getDelegate() + ": " + round.landed()
                + " landed, " + round.terminal() + " terminal, " + round.residue() + " residue, " + round.unknown()
                + " unknown";
        if (nextWaitMillis >= 0) {
            text += ", next wait " + nextWaitMillis + " ms";
        }
        return failure == null ? text : text + ", " + whatWasSaid();
    }

    /** Without the service's message, which may quote an item. */
    private String whatWasSaid() {
        return failure.code() == null ? "status " + failure.status() : failure.status() + " " + failure.code();
    }
}
