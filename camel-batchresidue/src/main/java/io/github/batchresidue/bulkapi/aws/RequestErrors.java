/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reply;
import java.util.Map;

/**
 * The table of what a service's error codes mean for a whole request, where that is not what they mean everywhere; see
 * {@link AwsFailures}. Immutable.
 *
 * @param meanings by code
 */
public record RequestErrors(Map<String, Meaning> meanings) implements AwsFailures.ServiceErrors {

    /** What becomes of a request. */
    public enum Meaning {
        /** {@link Reply.Throttled} */
        THROTTLED,
        /** {@link Reply.TooLarge} */
        TOO_LARGE,
        /** {@link Reply.Rejected}; that nothing landed is certain if it was the only attempt */
        REJECTED
    }

    public RequestErrors {
        meanings = Map.copyOf(meanings);
    }

    @Override
    public Reply reply(Failure failure, boolean nothingLanded, long hintMillis) {
        Meaning meaning = failure.code() == null ? null : meanings.get(failure.code());
        if (meaning == null) {
            return null;
        }
        return switch (meaning) {
            case THROTTLED -> new Reply.Throttled(failure, hintMillis);
            case TOO_LARGE -> new Reply.TooLarge(failure);
            case REJECTED -> new Reply.Rejected(failure, nothingLanded);
        };
    }
}
