/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.sqs;

import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.Limits;
import java.util.Iterator;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.Processor;
import org.apache.camel.component.aws2.sqs.Sqs2Endpoint;

/** What the batch operations differ in. Safe for use by many threads. */
interface QueueOperation {

    /** Most entries of a request, of whatever operation. */
    int MOST_ENTRIES = 10;

    Limits limits();

    Iterator<?> wholeRequest(Object body);

    /** @param exchange what an entry takes from it that does not say it itself; null if there is none */
    BulkItem item(Object element, long index, Exchange exchange) throws InvalidItemException;

    void write(List<BulkItem> items, Message message);

    /**
     * Whether the text that the service confirms to have taken is the item's.
     *
     * @param md5 as the service has it; null if it does not say
     */
    default boolean isTextOf(BulkItem item, String md5) {
        return true;
    }

    /** What performs the call; null if the delegate's producer does. */
    Processor sender(Sqs2Endpoint delegate);
}
