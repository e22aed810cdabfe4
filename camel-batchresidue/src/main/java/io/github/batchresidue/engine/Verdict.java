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
 * @param result what the service gave for an item that landed, such as what it found; null if it gave nothing
 */
public record Verdict(Kind kind, Failure failure, Object result) {

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
        /**
         * Not accepted because the reply was full with what it has of others. It goes again at once, which is no
         * redelivery, as long as each such reply accepts something; of one that accepts nothing it is residue.
         */
        NOT_REACHED,
        /** The reply does not tell. */
        UNKNOWN
    }

    private static final Verdict LANDED = new Verdict(Kind.LANDED, null, null);

    public Verdict {
        Objects.requireNonNull(kind, "kind");
        if (failure == null && kind != Kind.LANDED) {
            failure = Failure.NONE;
        }
    }

    public Verdict(Kind kind, Failure failure) {
        this(kind, failure, null);
    }

    public static Verdict landed() {
        return LANDED;
    }

    /** Landed, and the service gave this for it. */
    public static Verdict landed(Object result) {
        return new Verdict(Kind.LANDED, null, result);
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

    public static Verdict notReached(Failure failure) {
        return new Verdict(Kind.NOT_REACHED, failure);
    }

    public static Verdict unknown(Failure failure) {
        return new Verdict(Kind.UNKNOWN, failure);
    }
}
