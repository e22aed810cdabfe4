/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.quickstart;

import io.github.batchresidue.camel.BatchResidueItemEvent;
import io.github.batchresidue.camel.BatchResidueRoundEvent;
import io.github.batchresidue.engine.Outcome;
import io.github.batchresidue.engine.Round;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;
import org.apache.camel.spi.CamelEvent;
import org.apache.camel.support.EventNotifierSupport;

/** Prints a line for each request of the reference run as it is answered. */
final class Timeline extends EventNotifierSupport {

    private static final String LINE = "  %9s   %-8s %-8s %-8s %9s%n";

    private final String delegate;
    private final PrintStream out;
    private String landed = "";

    /** @param delegate whose requests are to be seen */
    Timeline(String delegate, PrintStream out) {
        this.delegate = delegate;
        this.out = out;
    }

    @Override
    public synchronized void notify(CamelEvent event) {
        if (event instanceof BatchResidueItemEvent ended && ended.getDelegate().equals(delegate)) {
            if (ended.getItem().outcome() == Outcome.LANDED) {
                landed += letter(ended.getItem().body());
            }
        } else if (event instanceof BatchResidueRoundEvent round
                && round.getDelegate().equals(delegate)) {
            print(round);
            landed = "";
        }
    }

    void printHead() {
        out.printf(LINE, "sent at", "items", "landed", "residue", "next wait");
    }

    private void print(BatchResidueRoundEvent event) {
        StringBuilder sent = new StringBuilder();
        StringBuilder residue = new StringBuilder();
        event.getItems().forEach(item -> {
            String letter = letter(item.content().body());
            sent.append(letter);
            residue.append(landed.contains(letter) ? "" : letter);
        });
        Round round = event.getRound();
        out.printf(
                LINE,
                seconds(round.atMillis()),
                sent,
                landed.isEmpty() ? "-" : landed,
                residue.isEmpty() ? "-" : residue,
                event.getNextWaitMillis() < 0 ? "-" : seconds(event.getNextWaitMillis()));
    }

    private static String letter(Object item) {
        return String.valueOf(((Map<?, ?>) item).get("id"));
    }

    static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.3f s", millis / 1000.0);
    }
}
