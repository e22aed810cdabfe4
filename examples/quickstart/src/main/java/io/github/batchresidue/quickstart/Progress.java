/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.quickstart;

import io.github.batchresidue.camel.BatchResidueItemEvent;
import io.github.batchresidue.camel.BatchResidueRoundEvent;
import io.github.batchresidue.engine.Round;
import java.io.PrintStream;
import java.util.Locale;
import org.apache.camel.spi.CamelEvent;
import org.apache.camel.support.EventNotifierSupport;

/** Follows the main job: prints a line every two seconds, and counts what the ledger does not tell apart. */
final class Progress extends EventNotifierSupport {

    /**
     * The requests of a run.
     *
     * @param sent how many
     * @param fewest that could have carried every item once
     * @param refused how many of them for an invalid item in them
     * @param throttled how many of them for want of capacity, as a whole
     */
    record Requests(long sent, long fewest, long refused, long throttled) {}

    private static final long LINE_EVERY_MILLIS = 2000;
    /** What BatchWriteItem takes. */
    private static final int ITEMS_IN_A_REQUEST = 25;

    private final String delegate;
    private final PrintStream out;

    private long landed;
    private long terminal;
    private long givenUp;
    private long neverSent;
    private long requests;
    private long refused;
    private long throttled;
    private long nextLineAt;

    /** @param delegate whose requests are to be seen */
    Progress(String delegate, PrintStream out) {
        this.delegate = delegate;
        this.out = out;
    }

    @Override
    public synchronized void notify(CamelEvent event) {
        if (event instanceof BatchResidueItemEvent ended && ended.getDelegate().equals(delegate)) {
            count(ended);
        } else if (event instanceof BatchResidueRoundEvent round
                && round.getDelegate().equals(delegate)) {
            count(round);
        }
    }

    private void count(BatchResidueItemEvent event) {
        switch (event.getItem().outcome()) {
            case LANDED -> landed++;
            case TERMINAL -> terminal++;
            default -> givenUp++;
        }
        if (event.getItem().attempts() == 0) {
            neverSent++;
        }
    }

    private void count(BatchResidueRoundEvent event) {
        Round round = event.getRound();
        requests++;
        if (round.landed() == 0) {
            switch (String.valueOf(event.getFailure().code())) {
                case "ValidationException" -> refused++;
                case "ProvisionedThroughputExceededException", "ThrottlingException" -> throttled++;
                default -> {} // No answer of the table: the run fails with it.
            }
        }
        if (round.atMillis() >= nextLineAt) {
            nextLineAt += LINE_EVERY_MILLIS;
            out.printf(
                    Locale.ROOT,
                    "  %6.1f s  %,6d landed  %3d terminal  %2d given up  %,5d requests%n",
                    round.atMillis() / 1000.0,
                    landed,
                    terminal,
                    givenUp,
                    requests);
        }
    }

    /** The requests so far, and how many there would have been at best. */
    synchronized Requests requests() {
        long sent = landed + terminal + givenUp - neverSent;
        long fewest = (sent + ITEMS_IN_A_REQUEST - 1) / ITEMS_IN_A_REQUEST;
        return new Requests(requests, fewest, refused, throttled);
    }
}
