/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import io.github.batchresidue.bulkapi.RequestElement;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

/**
 * An element of a whole read request: a key with the table it is for.
 *
 * @param key in DynamoDB JSON, or of attribute values
 * @param attributes what the request says of this table beside its keys
 * @param envelope the request without its tables; null if it has nothing else to keep
 */
record TableKey(String table, Map<?, ?> key, KeysAndAttributes attributes, BatchGetItemRequest envelope)
        implements RequestElement {

    @Override
    public Object original() {
        return key;
    }
}
