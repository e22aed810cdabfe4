/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.sqs;

import io.github.batchresidue.bulkapi.aws.AwsFailures;
import io.github.batchresidue.bulkapi.aws.RequestErrors;
import io.github.batchresidue.bulkapi.aws.RequestErrors.Meaning;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Verdict;
import java.util.Map;
import software.amazon.awssdk.core.exception.SdkClientException;

/**
 * What an error means, of one entry or of a whole request. The codes are those of the service's model and of its
 * documentation; the codes of entries it does not enumerate.
 */
final class SqsErrors {

    /** Of an entry: what may heal although it is said to be the sender's fault. Of any other that decides. */
    static final Map<String, Verdict.Kind> OF_ENTRIES = Map.of(
            "RequestThrottled", Verdict.Kind.RESIDUE,
            "ThrottlingException", Verdict.Kind.RESIDUE,
            "KmsThrottled", Verdict.Kind.RESIDUE,
            "KMS.ThrottlingException", Verdict.Kind.RESIDUE,
            "OverLimit", Verdict.Kind.RESIDUE);

    static final RequestErrors OF_REQUESTS = new RequestErrors(Map.of(
            "TooManyEntriesInBatchRequest", Meaning.TOO_LARGE,
            "BatchRequestTooLong", Meaning.TOO_LARGE,
            "BatchEntryIdsNotDistinct", Meaning.REJECTED,
            "InvalidBatchEntryId", Meaning.REJECTED,
            "InvalidMessageContents", Meaning.REJECTED,
            "InvalidParameterValue", Meaning.REJECTED,
            "InvalidAttributeValue", Meaning.REJECTED,
            "MissingParameter", Meaning.REJECTED,
            "OverLimit", Meaning.THROTTLED));

    /** What the SDK says when the service has confirmed another text than was sent; it has no class for it. */
    private static final String OTHER_CHECKSUM = "MD5 returned by SQS does not match";

    /** What fails with a NullPointerException where the answer accepts what was not sent, or has null for an entry. */
    private static final String CHECKSUM_CODE = "software.amazon.awssdk.services.sqs.internal.MessageMD5Checksum";

    private SqsErrors() {}

    static Reply reply(Throwable thrown, int items) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (isOtherChecksum(cause)) {
                return Reply.unreadable(items, new Failure(200, null, cause.getMessage()));
            }
            if (isOfChecksumCode(cause)) {
                return Reply.unreadable(
                        items, new Failure(200, null, "the answer accepts an entry that was not sent, or null"));
            }
        }
        return AwsFailures.reply(thrown, items, OF_REQUESTS);
    }

    private static boolean isOtherChecksum(Throwable cause) {
        return cause instanceof SdkClientException
                && String.valueOf(cause.getMessage()).startsWith(OTHER_CHECKSUM);
    }

    private static boolean isOfChecksumCode(Throwable cause) {
        return cause instanceof NullPointerException
                && cause.getStackTrace().length > 0
                && cause.getStackTrace()[0].getClassName().startsWith(CHECKSUM_CODE);
    }
}
