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
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;

/** DeleteMessageBatch, with the delegate's client: its producer deletes one message at a time. */
final class DeleteMessages extends ReceiptOperation {

    private final Queue queue;

    DeleteMessages(BulkApiContext context, Queue queue) {
        super(context, DeleteMessageBatchRequestEntry.class);
        this.queue = queue;
    }

    @Override
    public Iterator<?> wholeRequest(Object body) {
        return body instanceof DeleteMessageBatchRequest request
                ? RequestEntry.all(
                        request.entries(),
                        request.toBuilder()
                                .entries((List<DeleteMessageBatchRequestEntry>) null)
                                .build())
                : null;
    }

    @Override
    public BulkItem item(Object element, long index, Exchange exchange) throws InvalidItemException {
        Object given = element instanceof RequestEntry<?, ?> part ? part.entry() : element;
        DeleteMessageBatchRequestEntry entry = given instanceof DeleteMessageBatchRequestEntry own
                ? own
                : SdkObjects.fill(DeleteMessageBatchRequestEntry.builder(), members(given))
                        .build();
        return item(element, entry, entry.id(), entry.receiptHandle());
    }

    @Override
    public void write(List<BulkItem> items, Message message) {
        DeleteMessageBatchRequest envelope = BatchEntry.envelope(items, DeleteMessageBatchRequest.class);
        DeleteMessageBatchRequest.Builder request =
                envelope == null ? DeleteMessageBatchRequest.builder() : envelope.toBuilder();
        if (envelope == null || envelope.queueUrl() == null) {
            request.queueUrl(queue.url());
        }
        List<DeleteMessageBatchRequestEntry> entries =
                BatchEntry.entries(items, DeleteMessageBatchRequestEntry.class, (entry, id) -> entry.toBuilder()
                        .id(id)
                        .build());
        message.setBody(request.entries(entries).build());
    }

    @Override
    public Processor sender(Sqs2Endpoint delegate) {
        return new ClientSender<>(
                delegate::getClient, "amazonSQSClient", DeleteMessageBatchRequest.class, SqsClient::deleteMessageBatch);
    }
}
