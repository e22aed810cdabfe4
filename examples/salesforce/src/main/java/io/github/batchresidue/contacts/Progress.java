/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.contacts;

import io.github.batchresidue.camel.BatchResidueRoundEvent;
import io.github.batchresidue.engine.Round;
import java.io.PrintStream;
import java.util.Locale;
import org.apache.camel.spi.CamelEvent;
import org.apache.camel.support.EventNotifierSupport;

/** Prints a line for each request as it is answered. */
final class Progress extends EventNotifierSupport {

    private static final String LINE = "  %9s %9s %9s %9s %9s %9s   %s%n";

    private final PrintStream out;
    private long requests;

    Progress(PrintStream out) {
        this.out = out;
    }

    void printHead() {
        out.printf(LINE, "sent at", "contacts", "landed", "terminal", "residue", "unknown", "first failure");
    }

    @Override
    public synchronized void notify(CamelEvent event) {
        if (event instanceof BatchResidueRoundEvent answered) {
            requests++;
            Round round = answered.getRound();
            out.printf(
                    LINE,
                    String.format(Locale.ROOT, "%.2f s", round.atMillis() / 1000.0),
                    count(round.items()),
                    count(round.landed()),
                    count(round.terminal()),
                    count(round.residue()),
                    count(round.unknown()),
                    failure(answered));
        }
    }

    private static String count(long number) {
        return number == 0 ? "-" : Long.toString(number);
    }

    private static String failure(BatchResidueRoundEvent answered) {
        if (answered.getFailure() == null) {
            return "";
        }
        String code = answered.getFailure().code();
        return code == null ? "no answer" : code;
    }

    synchronized long requests() {
        return requests;
    }
}
