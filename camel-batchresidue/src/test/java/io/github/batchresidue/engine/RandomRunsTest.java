/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import static org.assertj.core.api.Assertions.fail;

import org.junit.jupiter.api.Test;

/**
 * The law of the ledger and the rules of the loop, over random options, items, replies, failures, stops and resumptions
 * in virtual time. A failure prints its seed; {@code -Dbatchresidue.seed=N} does that one again.
 */
class RandomRunsTest {

    private static final String SEED = "batchresidue.seed";
    private static final int RUNS = 120_000;

    @Test
    void theLawHoldsInEveryRun() {
        Long seed = Long.getLong(SEED);
        long first = seed == null ? 0 : seed;
        long end = seed == null ? RUNS : seed + 1;
        for (long i = first; i < end; i++) {
            String violation = new RandomRun(i).violation();
            if (violation != null) {
                fail("seed " + i + ", " + violation
                        + "\nreplay: mvn test -pl camel-batchresidue -am -Dtest=RandomRunsTest"
                        + " -Dsurefire.failIfNoSpecifiedTests=false -D" + SEED + "=" + i);
            }
        }
    }
}
