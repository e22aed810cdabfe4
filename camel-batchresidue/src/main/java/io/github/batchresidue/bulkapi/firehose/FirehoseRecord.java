/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.firehose;

import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reason;
import io.github.batchresidue.engine.Refusal;
import software.amazon.awssdk.services.firehose.model.PutRecordBatchRequest;
import software.amazon.awssdk.services.firehose.model.Record;

/**
 * One record. Sent twice it is delivered twice, so that one which may have landed is not sent again on its own.
 *
 * @param envelope the request it came in, without its records; null if it came alone
 * @param body what the caller handed in
 * @param key null if it has none
 */
record FirehoseRecord(Record entry, PutRecordBatchRequest envelope, Object body, Object key) implements BulkItem {

    /** 1,000 KiB before the data is encoded for the wire, as the service's model has it. */
    private static final long LARGEST = 1000 * 1024;

    /** Of the data, before it is encoded for the wire. */
    @Override
    public long bytes() {
        return entry.data().asByteArrayUnsafe().length;
    }

    @Override
    public Refusal refusal() {
        return bytes() <= LARGEST
                ? null
                : new Refusal(
                        Reason.TOO_LARGE,
                        new Failure(
                                0,
                                null,
                                "a record of " + bytes() + " bytes is larger than the " + LARGEST
                                        + " bytes that Firehose takes"));
    }

    @Override
    public String toString() {
        return "FirehoseRecord[" + bytes() + " bytes]"; // Not its content: this may be logged.
    }
}
