/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.sqs;

import io.github.batchresidue.bulkapi.BulkApiContext;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.aws.BatchEntry;
import io.github.batchresidue.bulkapi.aws.ClientSender;
import io.github.batchresidue.bulkapi.aws.RequestEntry;
import io.github.batchresidue.bulkapi.aws.SdkObjects;
import java.util.Iterator;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.Processor;
import org.apache.camel.component.aws2.sqs.Sqs2Endpoint;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequest;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;

/** ChangeMessageVisibilityBatch, with the delegate's client: its producer has no such operation. */
final class ChangeVisibilities extends ReceiptOperation {

    /** Twelve hours. */
    private static final int MOST_SECONDS = 43_200;

    private final Queue queue;
    /** Null if each entry has to say it. */
    private final Integer visibilityTimeout;

    ChangeVisibilities(BulkApiContext context, Queue queue) {
        super(context, ChangeMessageVisibilityBatchRequestEntry.class);
        this.queue = queue;
        this.visibilityTimeout = context.wholeNumber(SqsProvider.VISIBILITY_TIMEOUT, 0, MOST_SECONDS);
    }

    @Override
    public Iterator<?> wholeRequest(Object body) {
        return body instanceof ChangeMessageVisibilityBatchRequest request
                ? RequestEntry.all(
                        request.entries(),
                        request.toBuilder()
                                .entries((List<ChangeMessageVisibilityBatchRequestEntry>) null)
                                .build())
                : null;
    }

    @Override
    public BulkItem item(Object element, long index, Exchange exchange) throws InvalidItemException {
        Object given = element instanceof RequestEntry<?, ?> part ? part.entry() : element;
        ChangeMessageVisibilityBatchRequestEntry entry = given instanceof ChangeMessageVisibilityBatchRequestEntry own
                ? own
                : SdkObjects.fill(ChangeMessageVisibilityBatchRequestEntry.builder(), members(given))
                        .build();
        if (entry.visibilityTimeout() == null) {
            if (visibilityTimeout == null) {
                throw new InvalidItemException("it has no VisibilityTimeout: set bulkApi.visibilityTimeout");
            }
            entry = entry.toBuilder().visibilityTimeout(visibilityTimeout).build();
        }
        return item(element, entry, entry.id(), entry.receiptHandle());
    }

    @Override
    public void write(List<BulkItem> items, Message message) {
        ChangeMessageVisibilityBatchRequest envelope =
                BatchEntry.envelope(items, ChangeMessageVisibilityBatchRequest.class);
        ChangeMessageVisibilityBatchRequest.Builder request =
                envelope == null ? ChangeMessageVisibilityBatchRequest.builder() : envelope.toBuilder();
        if (envelope == null || envelope.queueUrl() == null) {
            request.queueUrl(queue.url());
        }
        List<ChangeMessageVisibilityBatchRequestEntry> entries = BatchEntry.entries(
                items,
                ChangeMessageVisibilityBatchRequestEntry.class,
                (entry, id) -> entry.toBuilder().id(id).build());
        message.setBody(request.entries(entries).build());
    }

    @Override
    public Processor sender(Sqs2Endpoint delegate) {
        return new ClientSender<>(
                delegate::getClient,
                "amazonSQSClient",
                ChangeMessageVisibilityBatchRequest.class,
                SqsClient::changeMessageVisibilityBatch);
    }
}
