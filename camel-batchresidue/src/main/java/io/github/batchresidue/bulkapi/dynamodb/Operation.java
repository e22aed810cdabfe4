/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reason;
import io.github.batchresidue.engine.Refusal;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * One put or delete.
 *
 * @param envelope the request it came in, without its operations; null if it came alone
 * @param body what the caller handed in
 * @param key null if it has none
 * @param id its primary key in words; null if that is not known
 * @param bytes in a request
 * @param storedBytes of the item to put
 */
record Operation(
        String table,
        WriteRequest request,
        BatchWriteItemRequest envelope,
        Object body,
        Object key,
        String id,
        long bytes,
        long storedBytes)
        implements BulkItem {

    /** 400 KB with names and values; the service counts a KB as 1024 bytes. */
    private static final long LARGEST_ITEM = 400 * 1024;

    static Operation of(
            String table, WriteRequest request, BatchWriteItemRequest envelope, Object body, Object key, String id) {
        return new Operation(
                table,
                request,
                envelope,
                body,
                key,
                id,
                Sizes.wireBytes(table, request),
                Sizes.storedBytes(attributes(request)));
    }

    /** The item of a put, the key of a delete. */
    static Map<String, AttributeValue> attributes(WriteRequest request) {
        return request.putRequest() != null
                ? request.putRequest().item()
                : request.deleteRequest().key();
    }

    /** Puts replace and deletes repeat: by key, a second one changes nothing. */
    @Override
    public boolean safeToResend() {
        return true;
    }

    @Override
    public Refusal refusal() {
        if (storedBytes <= LARGEST_ITEM) {
            return null;
        }
        return new Refusal(
                Reason.TOO_LARGE,
                new Failure(
                        0,
                        null,
                        "an item of " + storedBytes + " bytes, names and values counted, is larger than the "
                                + LARGEST_ITEM + " bytes that DynamoDB stores"));
    }

    @Override
    public String toString() {
        return "Operation[" + table + ", " + bytes + " bytes]"; // Not its content: this may be logged.
    }
}
