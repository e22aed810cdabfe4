/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.sqs;

import io.github.batchresidue.bulkapi.BulkApiContext;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.ItemKey;
import io.github.batchresidue.bulkapi.Limits;
import io.github.batchresidue.bulkapi.RawJson;
import io.github.batchresidue.bulkapi.aws.BatchEntry;
import io.github.batchresidue.bulkapi.aws.MessageReader;
import io.github.batchresidue.bulkapi.aws.RequestEntry;
import io.github.batchresidue.bulkapi.aws.Resending;
import java.util.Map;
import software.amazon.awssdk.awscore.AwsRequest;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * What is done to messages that were received. An element is a receipt handle, a message as the SDK gives it, or an entry.
 * A second attempt does no harm: a message is deleted once, and hidden from the second on.
 */
abstract class ReceiptOperation implements QueueOperation {

    private static final String RECEIPT_HANDLE = "ReceiptHandle";

    private final ItemKey itemKey;
    private final MessageReader receipts;

    ReceiptOperation(BulkApiContext context) {
        this.itemKey = context.itemKey();
        this.receipts = new MessageReader(context.objectMapper(), RECEIPT_HANDLE);
    }

    @Override
    public final Limits limits() {
        return new Limits(MOST_ENTRIES, Limits.NONE, 0);
    }

    /** The members of the entry that an element stands for. */
    final Map<?, ?> members(Object element) throws InvalidItemException {
        if (element instanceof Message message && message.receiptHandle() != null) {
            return Map.of(RECEIPT_HANDLE, message.receiptHandle());
        }
        return receipts.members(element);
    }

    final <E> BulkItem item(Object element, E entry, String id, String receiptHandle) throws InvalidItemException {
        if (receiptHandle == null || receiptHandle.isEmpty()) {
            throw new InvalidItemException("it has no ReceiptHandle");
        }
        Object body = RawJson.body(element);
        AwsRequest envelope = element instanceof RequestEntry<?, ?> part ? (AwsRequest) part.envelope() : null;
        Object key = receipts.key(itemKey, body, receiptHandle, null);
        return new BatchEntry<>(body, entry, envelope, key, id, 0, Resending.ALWAYS_SAFE, null);
    }
}
