/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import io.github.batchresidue.bulkapi.RequestElement;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;

/**
 * An element of a whole request: an operation with the table it is for.
 *
 * @param operation as it stands in the request
 * @param envelope the request without its operations; null if it has nothing else to keep
 */
record TableOperation(String table, Object operation, BatchWriteItemRequest envelope) implements RequestElement {

    @Override
    public Object original() {
        return operation;
    }
}
