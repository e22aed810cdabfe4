/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.Collections;
import java.util.List;

/** Failures that the engine itself states. */
final class Failures {

    private Failures() {}

    static Failure tooLarge(long index, long bytes, long limit) {
        return new Failure(
                0,
                null,
                "item " + index + ": a request with it alone has " + bytes + " bytes, and at most " + limit
                        + " are allowed by batchBytes or, without it, by the bulk API");
    }

    /** @param why the run does not wait for the reply any longer */
    static Failure unanswered(Reason why) {
        return new Failure(
                0,
                null,
                "no answer had come when the " + (why == Reason.SHUTDOWN ? "run was stopped" : "deadline was reached"));
    }

    /** A reply with a verdict too few or too many tells nothing of any item: nobody knows whose is missing. */
    static List<Verdict> miscounted(int items, int verdicts) {
        Failure failure = new Failure(0, null, "the reply has " + verdicts + " results for " + items + " items");
        return Collections.nCopies(items, Verdict.unknown(failure));
    }
}
