/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * What came back from one request: a verdict for each item, or what became of the request as a whole. Immutable.
 * A {@code hintMillis} is the longest wait that the reply asks for, 0 if it asks for none; it lengthens a wait and
 * never shortens one.
 */
public sealed interface Reply {

    /**
     * The service answered item by item.
     *
     * @param verdicts one for each item, in the order of the request; with any other number every item is unknown
     */
    record Verdicts(List<Verdict> verdicts, long hintMillis) implements Reply {
        public Verdicts {
            verdicts = List.copyOf(verdicts);
        }
    }

    /** The request was refused for lack of capacity: nothing landed, all of it may be sent again. */
    record Throttled(Failure failure, long hintMillis) implements Reply {}

    /** The request was too large and nothing landed: it is halved. */
    record TooLarge(Failure failure) implements Reply {}

    /**
     * The request was refused for its content.
     *
     * @param nothingLanded false if a part of the request may have landed all the same
     */
    record Rejected(Failure failure, boolean nothingLanded) implements Reply {}

    /** Each item of the request is terminal, whatever the service would say of it alone. */
    record Terminal(Failure failure) implements Reply {}

    /** The request was refused for what no item can help (credentials, a missing table): the run fails at once. */
    record Refused(Throwable cause, Failure failure) implements Reply {
        public Refused {
            Objects.requireNonNull(cause, "cause");
        }
    }

    /**
     * No readable answer of the service came back.
     *
     * @param nothingLanded true only if it is certain that nothing landed (the connection was refused)
     */
    record TransportFailed(Throwable cause, Failure failure, boolean nothingLanded, long hintMillis) implements Reply {
        public TransportFailed {
            Objects.requireNonNull(cause, "cause");
        }
    }

    /** All {@code items} items landed. */
    static Reply allLanded(int items) {
        return new Verdicts(Collections.nCopies(items, Verdict.landed()), 0);
    }

    /** The answer of the service tells nothing about any of the {@code items} items. */
    static Reply unreadable(int items, Failure failure) {
        return new Verdicts(Collections.nCopies(items, Verdict.unknown(failure)), 0);
    }
}
