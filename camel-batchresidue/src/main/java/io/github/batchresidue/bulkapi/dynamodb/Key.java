/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import io.github.batchresidue.bulkapi.BulkItem;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

/**
 * The key of an item to read.
 *
 * @param attributes what its request says of the table beside the keys
 * @param envelope the request it came in, without its tables; null if it came alone
 * @param body what the caller handed in
 * @param key null if it has none
 * @param id its values in words; null if they cannot be said so
 */
record Key(
        String table,
        Map<String, AttributeValue> values,
        KeysAndAttributes attributes,
        BatchGetItemRequest envelope,
        Object body,
        Object key,
        String id)
        implements BulkItem {

    @Override
    public long bytes() {
        return Sizes.wireBytes(table, values);
    }

    @Override
    public boolean safeToResend() {
        return true; // To read twice changes nothing.
    }

    @Override
    public String toString() {
        return "Key[" + table + "]"; // Not its content: this may be logged.
    }
}
