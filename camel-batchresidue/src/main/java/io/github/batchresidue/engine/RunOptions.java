/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.Objects;

/**
 * How a run behaves. Immutable; {@link #builder()} has the defaults of the component.
 *
 * @param batchSize most items in a request, from 1
 * @param batchBytes most bytes in a request; {@link Long#MAX_VALUE} for no limit
 * @param envelopeBytes bytes of a request without items, counted into {@code batchBytes}
 * @param requestRule what else a request may hold
 * @param parallelRequests most requests in flight at once, from 1
 * @param maxPendingResidue most items that may wait before reading stops; 0: no fresh item is sent while any waits
 * @param maximumRedeliveries redeliveries per item; -1 for no limit
 * @param countOnlyStalledRounds whether only rounds in which nothing landed count
 * @param backOff the wait before a redelivery
 * @param redeliveryTimeoutMillis the deadline from the first request; 0 for none
 * @param isolateRejected whether a request refused for its content is halved
 * @param retryTransportFailures whether a transport failure is a round like any other instead of the end of the run
 * @param unknownOutcome what happens to an item that may have landed
 * @param groupDeadLetters whether dead letters are delivered together at the end, one delivery for each outcome
 * @param retainEnded whether landed and delivered items stay in the ledger's lists
 */
public record RunOptions(
        int batchSize,
        long batchBytes,
        long envelopeBytes,
        RequestRule requestRule,
        int parallelRequests,
        int maxPendingResidue,
        int maximumRedeliveries,
        boolean countOnlyStalledRounds,
        BackOff backOff,
        long redeliveryTimeoutMillis,
        boolean isolateRejected,
        boolean retryTransportFailures,
        UnknownOutcome unknownOutcome,
        boolean groupDeadLetters,
        boolean retainEnded) {

    /** What happens to an item of which nobody knows whether it landed. */
    public enum UnknownOutcome {
        /** It is sent again if that is safe, else given up. */
        AUTO,
        /** It is sent again. */
        RETRY,
        /** It is given up. */
        GIVE_UP
    }

    public RunOptions {
        require(batchSize >= 1, "batchSize", batchSize);
        require(batchBytes >= 1, "batchBytes", batchBytes);
        require(envelopeBytes >= 0, "envelopeBytes", envelopeBytes);
        require(parallelRequests >= 1, "parallelRequests", parallelRequests);
        require(maxPendingResidue >= 0, "maxPendingResidue", maxPendingResidue);
        require(maximumRedeliveries >= -1, "maximumRedeliveries", maximumRedeliveries);
        require(redeliveryTimeoutMillis >= 0, "redeliveryTimeoutMillis", redeliveryTimeoutMillis);
        Objects.requireNonNull(requestRule, "requestRule");
        Objects.requireNonNull(backOff, "backOff");
        Objects.requireNonNull(unknownOutcome, "unknownOutcome");
    }

    private static void require(boolean holds, String option, long value) {
        if (!holds) {
            throw new IllegalArgumentException(option + " must not be " + value);
        }
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Collects the options of a run. Not thread-safe. */
    public static final class Builder {
        private int batchSize = 1000;
        private long batchBytes = Long.MAX_VALUE;
        private long envelopeBytes;
        private RequestRule requestRule = RequestRule.NONE;
        private int parallelRequests = 1;
        private int maxPendingResidue = -1;
        private int maximumRedeliveries = 10;
        private boolean countOnlyStalledRounds;
        private BackOff backOff = new ExponentialBackOff(1000, 2.0, 60_000, ExponentialBackOff.Jitter.EQUAL);
        private long redeliveryTimeoutMillis;
        private boolean isolateRejected = true;
        private boolean retryTransportFailures;
        private UnknownOutcome unknownOutcome = UnknownOutcome.AUTO;
        private boolean groupDeadLetters;
        private boolean retainEnded = true;

        private Builder() {}

        public Builder batchSize(int value) {
            batchSize = value;
            return this;
        }

        public Builder batchBytes(long value) {
            batchBytes = value;
            return this;
        }

        public Builder envelopeBytes(long value) {
            envelopeBytes = value;
            return this;
        }

        public Builder requestRule(RequestRule value) {
            requestRule = value;
            return this;
        }

        public Builder parallelRequests(int value) {
            parallelRequests = value;
            return this;
        }

        public Builder maxPendingResidue(int value) {
            maxPendingResidue = value;
            return this;
        }

        public Builder maximumRedeliveries(int value) {
            maximumRedeliveries = value;
            return this;
        }

        public Builder countOnlyStalledRounds(boolean value) {
            countOnlyStalledRounds = value;
            return this;
        }

        public Builder backOff(BackOff value) {
            backOff = value;
            return this;
        }

        public Builder redeliveryTimeoutMillis(long value) {
            redeliveryTimeoutMillis = value;
            return this;
        }

        public Builder isolateRejected(boolean value) {
            isolateRejected = value;
            return this;
        }

        public Builder retryTransportFailures(boolean value) {
            retryTransportFailures = value;
            return this;
        }

        public Builder unknownOutcome(UnknownOutcome value) {
            unknownOutcome = value;
            return this;
        }

        public Builder groupDeadLetters(boolean value) {
            groupDeadLetters = value;
            return this;
        }

        public Builder retainEnded(boolean value) {
            retainEnded = value;
            return this;
        }

        /** The options; a {@code maxPendingResidue} that was not set becomes max(1000, 10 × {@code batchSize}). */
        public RunOptions build() {
            int pending = maxPendingResidue < 0
                    ? (int) Math.max(1000, Math.min(10L * batchSize, Integer.MAX_VALUE))
                    : maxPendingResidue;
            return new RunOptions(
                    batchSize,
                    batchBytes,
                    envelopeBytes,
                    requestRule,
                    parallelRequests,
                    pending,
                    maximumRedeliveries,
                    countOnlyStalledRounds,
                    backOff,
                    redeliveryTimeoutMillis,
                    isolateRejected,
                    retryTransportFailures,
                    unknownOutcome,
                    groupDeadLetters,
                    retainEnded);
        }
    }
}
