/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.Objects;

/**
 * What a reply says of one item.
 *
 * @param kind the verdict
 * @param failure what the service said; null if the item landed
 */
public record Verdict(Kind kind, Failure failure) {

    /** The verdicts. */
    public enum Kind {
        /** Accepted. */
        LANDED,
        /**
         * Refused as a duplicate. Counts as landed if any earlier attempt of the item ended unknown, for then it met
         * our own; with no such attempt it is somebody else's item, and terminal.
         */
        ALREADY,
        /** Refused for good. */
        TERMINAL,
        /** Refused for good because it is too large. */
        TOO_LARGE,
        /** Not accepted, may be sent again. */
        RESIDUE,
        /** Not accepted because of another item of the request. */
        VICTIM,
        /** The reply does not tell. */
        UNKNOWN
    }

    private static final Verdict LANDED = new Verdict(Kind.LANDED, null);

    public Verdict {
        Objects.requireNonNull(kind, "kind");
        if (failure == null && kind != Kind.LANDED) {
            failure = Failure.NONE;
        }
    }

    public static Verdict landed() {
        return LANDED;
    }

    public static Verdict already(Failure failure) {
        return new Verdict(Kind.ALREADY, failure);
    }

    public static Verdict terminal(Failure failure) {
        return new Verdict(Kind.TERMINAL, failure);
    }

    public static Verdict tooLarge(Failure failure) {
        return new Verdict(Kind.TOO_LARGE, failure);
    }

    public static Verdict residue(Failure failure) {
        return new Verdict(Kind.RESIDUE, failure);
    }

    public static Verdict victim(Failure failure) {
        return new Verdict(Kind.VICTIM, failure);
    }

    public static Verdict unknown(Failure failure) {
        return new Verdict(Kind.UNKNOWN, failure);
    }
}
