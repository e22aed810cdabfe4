/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.books;

import io.github.batchresidue.camel.BatchResidueRoundEvent;
import io.github.batchresidue.engine.Round;
import java.io.PrintStream;
import java.util.Locale;
import org.apache.camel.spi.CamelEvent;
import org.apache.camel.support.EventNotifierSupport;

/** Prints a line every two seconds of a run, from the event that comes with each answered request. */
final class Progress extends EventNotifierSupport {

    private static final long LINE_EVERY_MILLIS = 2000;

    private final PrintStream out;
    private long landed;
    private long terminal;
    private long rejected;
    private long requests;
    private long nextLineAt;

    Progress(PrintStream out) {
        this.out = out;
    }

    @Override
    public synchronized void notify(CamelEvent event) {
        if (event instanceof BatchResidueRoundEvent answered) {
            Round round = answered.getRound();
            landed += round.landed();
            terminal += round.terminal();
            rejected += round.residue();
            requests++;
            if (round.atMillis() >= nextLineAt) {
                nextLineAt = round.atMillis() + LINE_EVERY_MILLIS;
                print(round.atMillis());
            }
        }
    }

    private void print(long atMillis) {
        out.printf(
                Locale.ROOT,
                "  %5.1f s  %,7d landed  %3d terminal  %,7d times rejected  %,5d requests%n",
                atMillis / 1000.0,
                landed,
                terminal,
                rejected,
                requests);
    }

    /** How often an operation was rejected for want of capacity. */
    synchronized long rejected() {
        return rejected;
    }
}
