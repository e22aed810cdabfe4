/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.quickstart;

import io.github.batchresidue.engine.Ledger;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What became of the orders, seen from the ledger, from the dead-letter files and from the table.
 *
 * @param orders lines of the file
 * @param ledger of the run
 * @param failure with what the run failed; null if it did not
 * @param terminalLines lines in the file of terminal items
 * @param givenUpLines lines in the file of given-up items
 * @param table what the table holds; null if nobody can look into it
 * @param requests what it took
 */
record Summary(
        int orders,
        Ledger ledger,
        Exception failure,
        long terminalLines,
        long givenUpLines,
        TableContent table,
        Progress.Requests requests) {

    /**
     * What a table holds.
     *
     * @param items how many
     * @param mostWrites how often the key was written that was written most often
     */
    record TableContent(long items, int mostWrites) {}

    static final Path TERMINAL_FILE = Quickstart.DIRECTORY.resolve("terminal.ndjson");
    static final Path GIVEN_UP_FILE = Quickstart.DIRECTORY.resolve("given-up.ndjson");

    /** What does not add up; empty if every order is accounted for. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        if (failure != null) {
            problems.add("the run failed: " + failure.getMessage());
        }
        require(ledger.inputExhausted(), "a part of the file was not read", problems);
        requireEqual("lines of the file", orders, "items read", ledger.items(), problems);
        requireEqual(
                "items read",
                ledger.items(),
                "landed + terminal + given up + pending",
                ledger.landed() + ledger.terminal() + ledger.givenUp() + ledger.pending(),
                problems);
        requireEqual("pending", ledger.pending(), "none", 0, problems);
        requireEqual("requests of the ledger", ledger.requests(), "requests seen", requests.sent(), problems);
        requireEqual("terminal", ledger.terminal(), "lines in " + TERMINAL_FILE, terminalLines, problems);
        requireEqual("given up", ledger.givenUp(), "lines in " + GIVEN_UP_FILE, givenUpLines, problems);
        if (table != null) {
            requireEqual("landed", ledger.landed(), "items in the table", table.items(), problems);
            require(table.mostWrites() <= 1, "an order was written " + table.mostWrites() + " times", problems);
        }
        return problems;
    }

    private static void require(boolean holds, String otherwise, List<String> problems) {
        if (!holds) {
            problems.add(otherwise);
        }
    }

    private static void requireEqual(String one, long a, String other, long b, List<String> problems) {
        require(a == b, one + " (" + a + ") differs from " + other + " (" + b + ")", problems);
    }

    void print(PrintStream out) {
        out.println();
        line(out, "read", ledger.items(), "of " + orders + " lines in the file");
        line(out, "landed", ledger.landed(), table == null ? "" : inTable());
        line(out, "terminal", ledger.terminal(), terminalLines + " lines in " + TERMINAL_FILE);
        line(out, "given up", ledger.givenUp(), givenUpLines + " lines in " + GIVEN_UP_FILE);
        line(out, "pending", ledger.pending(), "");
        line(
                out,
                "requests",
                ledger.requests(),
                "at least " + requests.fewest() + " were needed to send each order once");
        line(out, "", requests.refused(), "of them refused for an invalid order that they carried");
        line(out, "", requests.throttled(), "of them for want of capacity");
        out.printf(
                Locale.ROOT,
                "  %-10s %6.1f s  waited, of %.1f s in all%n",
                "time",
                ledger.waitedMillis() / 1000.0,
                ledger.elapsedMillis() / 1000.0);
        out.println();
        out.println("What did not land, and why:");
        out.println("  cut -c 1-240 " + TERMINAL_FILE);
        out.println("  cut -c 1-240 " + GIVEN_UP_FILE);
        out.println();
        List<String> problems = problems();
        if (problems.isEmpty()) {
            out.println("OK: every order is accounted for.");
        } else {
            out.println("NOT OK:");
            problems.forEach(problem -> out.println("  " + problem));
        }
    }

    private String inTable() {
        return String.format(
                Locale.ROOT,
                "%,d items in the table, each written %s",
                table.items(),
                table.mostWrites() <= 1 ? "once" : "up to " + table.mostWrites() + " times");
    }

    private static void line(PrintStream out, String name, long count, String remark) {
        out.println(String.format(Locale.ROOT, "  %-10s %,8d  %s", name, count, remark)
                .stripTrailing());
    }
}
