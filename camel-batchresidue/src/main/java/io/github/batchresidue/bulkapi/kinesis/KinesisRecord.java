/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.kinesis;

import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reason;
import io.github.batchresidue.engine.Refusal;
import java.nio.charset.StandardCharsets;
import software.amazon.awssdk.services.kinesis.model.PutRecordsRequest;
import software.amazon.awssdk.services.kinesis.model.PutRecordsRequestEntry;

/**
 * One record. Sent twice it is in the stream twice, so that one which may have landed is not sent again on its own.
 *
 * @param envelope the request it came in, without its records; null if it came alone
 * @param body what the caller handed in
 * @param key null if it has none
 * @param maxBytes the most that the stream takes
 */
record KinesisRecord(PutRecordsRequestEntry entry, PutRecordsRequest envelope, Object body, Object key, long maxBytes)
        implements BulkItem {

    /** As the service counts: data, before it is encoded for the wire, and partition key. */
    @Override
    public long bytes() {
        return entry.data().asByteArrayUnsafe().length
                + (long) entry.partitionKey().getBytes(StandardCharsets.UTF_8).length;
    }

    @Override
    public Refusal refusal() {
        return bytes() <= maxBytes
                ? null
                : new Refusal(
                        Reason.TOO_LARGE,
                        new Failure(
                                0,
                                null,
                                "a record of " + bytes() + " bytes, data and partition key, is larger than the "
                                        + maxBytes + " bytes that the stream takes"));
    }

    @Override
    public String toString() {
        return "KinesisRecord[" + bytes() + " bytes]"; // Not its content: this may be logged.
    }
}
