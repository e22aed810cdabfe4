/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.sns;

import io.github.batchresidue.bulkapi.aws.RequestErrors;
import io.github.batchresidue.bulkapi.aws.RequestErrors.Meaning;
import io.github.batchresidue.engine.Verdict;
import java.util.Map;

/** What an error means, of one entry or of a whole request. The codes are those of the service's model. */
final class SnsErrors {

    /** Of an entry: what may heal although it is said to be the sender's fault. Of any other that decides. */
    static final Map<String, Verdict.Kind> OF_ENTRIES = Map.of(
            "Throttled", Verdict.Kind.RESIDUE,
            "RequestThrottled", Verdict.Kind.RESIDUE,
            "ThrottlingException", Verdict.Kind.RESIDUE,
            "KMSThrottling", Verdict.Kind.RESIDUE);

    static final RequestErrors OF_REQUESTS = new RequestErrors(Map.of(
            "Throttled", Meaning.THROTTLED,
            "TooManyEntriesInBatchRequest", Meaning.TOO_LARGE,
            "BatchRequestTooLong", Meaning.TOO_LARGE,
            "BatchEntryIdsNotDistinct", Meaning.REJECTED,
            "InvalidBatchEntryId", Meaning.REJECTED,
            "InvalidParameter", Meaning.REJECTED,
            "ParameterValueInvalid", Meaning.REJECTED,
            "ValidationException", Meaning.REJECTED));

    private SnsErrors() {}
}
