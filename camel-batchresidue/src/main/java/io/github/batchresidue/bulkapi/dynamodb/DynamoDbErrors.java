/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import io.github.batchresidue.bulkapi.aws.RequestErrors;
import io.github.batchresidue.bulkapi.aws.RequestErrors.Meaning;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reply;
import java.util.Map;

/** What the errors of a whole request mean, of writes and reads. Single items fail without a code. */
final class DynamoDbErrors {

    static final RequestErrors OF_REQUESTS = new RequestErrors(Map.of(
            "ValidationException", Meaning.REJECTED,
            "ItemCollectionSizeLimitExceededException", Meaning.REJECTED,
            "SerializationException", Meaning.REJECTED,
            // Another Region is writing one of the items; modelled as retryable.
            "ReplicatedWriteConflictException", Meaning.THROTTLED));

    private DynamoDbErrors() {}

    static Reply reply(Failure failure, boolean nothingLanded, long hintMillis) {
        return "ValidationException".equals(failure.code()) && isAboutSize(failure)
                ? new Reply.TooLarge(failure)
                : OF_REQUESTS.reply(failure, nothingLanded, hintMillis);
    }

    /** Too many items, or one too large: of either, half a request may have none. */
    private static boolean isAboutSize(Failure failure) {
        String message = String.valueOf(failure.message());
        return message.contains("Too many items requested")
                || message.contains("length less than or equal to 25")
                || message.contains("length less than or equal to 100")
                || message.contains("exceeded the maximum allowed size");
    }
}
