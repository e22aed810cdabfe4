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
import java.util.Collections;
import java.util.Map;
import software.amazon.awssdk.awscore.AwsRequest;
import software.amazon.awssdk.core.SdkPojo;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * What is done to messages that were received. An element is a receipt handle, a message as the SDK gives it, or an entry.
 * A second attempt does no harm: a message is deleted once, and hidden from the second on.
 */
abstract class ReceiptOperation implements QueueOperation {

    private static final String RECEIPT_HANDLE = "ReceiptHandle";

    private final ItemKey itemKey;
    private final MessageReader receipts;

    /** @param entryType what the SDK has for an entry */
    ReceiptOperation(BulkApiContext context, Class<? extends SdkPojo> entryType) {
        this.itemKey = context.itemKey();
        this.receipts = new MessageReader(context.objectMapper(), entryType, RECEIPT_HANDLE);
        if (itemKey.source() == ItemKey.Source.FIELDS) {
            throw new IllegalArgumentException(
                    "itemKey: what is deleted or hidden are receipt handles, which have no fields to name; remove it, or"
                            + " give a #bean");
        }
    }

    @Override
    public final Limits limits() {
        return new Limits(MOST_ENTRIES, Limits.NONE, 0);
    }

    /** The members of the entry that an element stands for. */
    final Map<?, ?> members(Object element) throws InvalidItemException {
        Map<?, ?> members = element instanceof Message message
                ? Collections.singletonMap(RECEIPT_HANDLE, message.receiptHandle())
                : receipts.entryOrText(element);
        if (members == null || members.get(RECEIPT_HANDLE) == null) {
            throw new InvalidItemException(
                    "it has no ReceiptHandle: expected the handle as a text, the message as it was"
                            + " received, or a map with ReceiptHandle");
        }
        return members;
    }

    final <E> BulkItem item(Object element, E entry, String id, String receiptHandle) throws InvalidItemException {
        if (receiptHandle == null || receiptHandle.isEmpty()) {
            throw new InvalidItemException("it has no ReceiptHandle");
        }
        Object body = RawJson.body(element);
        AwsRequest envelope = element instanceof RequestEntry<?, ?> part ? (AwsRequest) part.envelope() : null;
        Object key = receipts.key(itemKey, body, receiptHandle, null, false);
        return new BatchEntry<>(body, entry, envelope, key, id, 0, Resending.ALWAYS_SAFE, null);
    }
}
