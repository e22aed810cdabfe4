/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.benchmarks;

import java.io.PrintStream;
import java.util.Locale;

/** Compares figures with what they are meant to be, and says so. */
final class Targets {

    private final PrintStream out;
    private int missed;

    Targets(PrintStream out) {
        this.out = out;
    }

    void atLeast(double wanted, String what, double figure) {
        print(what, figure, ">=", wanted, figure >= wanted);
    }

    void atMost(double wanted, String what, double figure) {
        print(what, figure, "<=", wanted, figure <= wanted);
    }

    /** A figure to hold another one against. */
    void compare(String what, double figure) {
        out.printf(Locale.ROOT, "%-60s %8.2f%n", what, figure);
    }

    private void print(String what, double figure, String comparison, double wanted, boolean isMet) {
        out.printf(
                Locale.ROOT, "%-60s %8.2f  %s %-6.1f %s%n", what, figure, comparison, wanted, isMet ? "ok" : "MISSED");
        missed += isMet ? 0 : 1;
    }

    boolean areMet() {
        return missed == 0;
    }
}
