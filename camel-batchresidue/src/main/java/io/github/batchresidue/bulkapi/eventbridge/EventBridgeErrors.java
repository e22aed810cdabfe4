/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.eventbridge;

import io.github.batchresidue.bulkapi.aws.ItemErrors;
import io.github.batchresidue.bulkapi.aws.RequestErrors;
import io.github.batchresidue.bulkapi.aws.RequestErrors.Meaning;
import io.github.batchresidue.engine.Verdict;
import java.util.Map;

/** What the errors of PutEvents mean; the service's model itself says which of its codes are worth another attempt. */
final class EventBridgeErrors {

    static final ItemErrors OF_ENTRIES = new ItemErrors(
            Map.of(
                    "InternalFailure", Verdict.Kind.RESIDUE,
                    "ThrottlingException", Verdict.Kind.RESIDUE,
                    "AccessDeniedException", Verdict.Kind.TERMINAL,
                    "InvalidAccountIdException", Verdict.Kind.TERMINAL,
                    "InvalidArgument", Verdict.Kind.TERMINAL,
                    "MalformedDetail", Verdict.Kind.TERMINAL,
                    "RedactionFailure", Verdict.Kind.TERMINAL,
                    "NotAuthorizedForSourceException", Verdict.Kind.TERMINAL,
                    "NotAuthorizedForDetailTypeException", Verdict.Kind.TERMINAL),
            Verdict.Kind.TERMINAL);

    static final RequestErrors OF_REQUESTS = new RequestErrors(Map.of(
            "ValidationException", Meaning.REJECTED,
            "InvalidArgument", Meaning.REJECTED,
            "SerializationException", Meaning.REJECTED));

    private EventBridgeErrors() {}
}
