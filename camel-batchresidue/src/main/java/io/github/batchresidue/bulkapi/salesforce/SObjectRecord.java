/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.salesforce;

import io.github.batchresidue.bulkapi.BulkItem;

/**
 * One record, or the id of one to delete.
 *
 * @param payload what the delegate is given: a DTO, a JSON object, or an id
 * @param body what the caller handed in
 * @param type its object type; of an id, the prefix that stands for it
 * @param id its own id or its external id; null if it has none
 * @param key null if it has none
 * @param bytes as JSON, or in the query
 */
record SObjectRecord(Operation what, Object payload, Object body, String type, String id, Object key, long bytes)
        implements BulkItem {

    @Override
    public boolean safeToResend() {
        return what.isSafeToResend();
    }

    @Override
    public String operation() {
        return what.word();
    }

    /** Without the record: it may be long, and is nobody's business. */
    @Override
    public String toString() {
        return "SObjectRecord[" + what.word() + " " + type + "]";
    }
}
