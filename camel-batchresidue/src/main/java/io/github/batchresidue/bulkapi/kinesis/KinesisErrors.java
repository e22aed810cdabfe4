/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.kinesis;

import io.github.batchresidue.bulkapi.aws.ItemErrors;
import io.github.batchresidue.bulkapi.aws.RequestErrors;
import io.github.batchresidue.bulkapi.aws.RequestErrors.Meaning;
import io.github.batchresidue.engine.Verdict;
import java.util.Map;

/** What the errors of PutRecords mean; the codes are those of the service's model. */
final class KinesisErrors {

    /** The model knows no record that fails for good: what is wrong with one refuses its request. */
    static final ItemErrors OF_RECORDS = new ItemErrors(
            Map.of(
                    "ProvisionedThroughputExceededException",
                    Verdict.Kind.RESIDUE,
                    "InternalFailure",
                    Verdict.Kind.RESIDUE),
            Verdict.Kind.RESIDUE);

    static final RequestErrors OF_REQUESTS = new RequestErrors(Map.of(
            "KMSThrottlingException", Meaning.THROTTLED,
            "InvalidArgumentException", Meaning.REJECTED,
            "ValidationException", Meaning.REJECTED,
            "SerializationException", Meaning.REJECTED));

    private KinesisErrors() {}
}
