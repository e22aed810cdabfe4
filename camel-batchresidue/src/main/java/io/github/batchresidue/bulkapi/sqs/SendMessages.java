/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.sqs;

import io.github.batchresidue.bulkapi.BulkApiContext;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.Limits;
import io.github.batchresidue.bulkapi.RawJson;
import io.github.batchresidue.bulkapi.aws.BatchEntry;
import io.github.batchresidue.bulkapi.aws.ClientRetries;
import io.github.batchresidue.bulkapi.aws.MessageReader;
import io.github.batchresidue.bulkapi.aws.RequestEntry;
import io.github.batchresidue.bulkapi.aws.Resending;
import io.github.batchresidue.bulkapi.aws.SdkObjects;
import io.github.batchresidue.bulkapi.aws.Texts;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.Processor;
import org.apache.camel.component.aws2.sqs.Sqs2Constants;
import org.apache.camel.component.aws2.sqs.Sqs2Endpoint;
import org.apache.camel.component.aws2.sqs.Sqs2Operations;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** SendMessageBatch: through the delegate's own producer, with requests that give the entries our ids. */
final class SendMessages implements QueueOperation {

    /** 1 MiB, of a message and of a request, since August 2025. */
    private static final int MOST_BYTES = 1024 * 1024;

    private static final int LEAST_MAXIMUM = 1024;

    private final BulkApiContext context;
    private final Queue queue;
    private final LongSupplier nanos;
    private final MessageReader messages;
    private final long maximumMessageSize;
    /** Null if the delegate is of another component, as are the defaults. */
    private final Sqs2Endpoint endpoint;

    private final MessageDefaults defaults;
    private final AtomicBoolean warned = new AtomicBoolean();

    SendMessages(BulkApiContext context, Queue queue, LongSupplier nanos) {
        this.context = context;
        this.queue = queue;
        this.nanos = nanos;
        this.messages = new MessageReader(context.objectMapper(), SendMessageBatchRequestEntry.class, "MessageBody");
        this.endpoint = context.delegate() instanceof Sqs2Endpoint sqs ? sqs : null;
        this.defaults = endpoint == null ? null : new MessageDefaults(endpoint);
        this.maximumMessageSize = maximumMessageSize(context, endpoint);
    }

    /** The option, else what the delegate sets on the queue, else what the service allows. */
    private static long maximumMessageSize(BulkApiContext context, Sqs2Endpoint endpoint) {
        Integer option = context.wholeNumber(SqsProvider.MAXIMUM_MESSAGE_SIZE, LEAST_MAXIMUM, MOST_BYTES);
        Integer ofQueue = endpoint == null ? null : endpoint.getConfiguration().getMaximumMessageSize();
        return option != null ? option : ofQueue != null ? ofQueue : MOST_BYTES;
    }

    @Override
    public Limits limits() {
        return new Limits(MOST_ENTRIES, MOST_BYTES, 0);
    }

    // ---- Items

    @Override
    public Iterator<?> wholeRequest(Object body) {
        return body instanceof SendMessageBatchRequest request
                ? RequestEntry.all(
                        request.entries(),
                        request.toBuilder()
                                .entries((List<SendMessageBatchRequestEntry>) null)
                                .build())
                : null;
    }

    /** A whole request goes as its caller wrote it; what comes alone is given what the delegate would give it. */
    @Override
    public BulkItem item(Object element, long index, Exchange exchange) throws InvalidItemException {
        if (element instanceof RequestEntry<?, ?> part) {
            return item((SendMessageBatchRequestEntry) part.entry(), part.entry(), (SendMessageBatchRequest)
                    part.envelope());
        }
        SendMessageBatchRequestEntry entry = entry(element);
        return item(
                exchange == null || defaults == null ? entry : defaults.complete(entry, index, exchange),
                RawJson.body(element),
                null);
    }

    private SendMessageBatchRequestEntry entry(Object element) throws InvalidItemException {
        return element instanceof SendMessageBatchRequestEntry entry
                ? entry
                : SdkObjects.fill(SendMessageBatchRequestEntry.builder(), messages.members(element))
                        .build();
    }

    private BulkItem item(SendMessageBatchRequestEntry entry, Object body, SendMessageBatchRequest envelope)
            throws InvalidItemException {
        if (entry.messageBody() == null || entry.messageBody().isEmpty()) {
            throw new InvalidItemException("it has no MessageBody, and SQS takes no empty message");
        }
        boolean isFifo =
                queue.isFifo(envelope == null ? null : envelope.queueUrl(), entry.messageDeduplicationId() != null);
        long bytes = bytes(entry);
        return new BatchEntry<>(
                body,
                entry,
                envelope,
                messages.key(context.itemKey(), body, entry.messageBody(), entry.messageGroupId(), isFifo),
                entry.id(),
                bytes,
                isFifo ? Resending.deduplicated(nanos) : Resending.NEVER_SAFE,
                BatchEntry.tooLarge(bytes, maximumMessageSize, "queue"));
    }

    /** The body and its attributes' names, types and values; system attributes do not count. */
    private static long bytes(SendMessageBatchRequestEntry entry) {
        long bytes = Texts.utf8(entry.messageBody());
        for (Map.Entry<String, MessageAttributeValue> attribute :
                entry.messageAttributes().entrySet()) {
            MessageAttributeValue value = attribute.getValue();
            bytes += Texts.attribute(attribute.getKey(), value.dataType(), value.stringValue(), value.binaryValue());
        }
        return bytes;
    }

    // ---- Requests

    @Override
    public void write(List<BulkItem> items, Message message) {
        warnOfRetries();
        SendMessageBatchRequest envelope = BatchEntry.envelope(items, SendMessageBatchRequest.class);
        SendMessageBatchRequest.Builder request =
                envelope == null ? SendMessageBatchRequest.builder() : envelope.toBuilder();
        if (envelope == null || envelope.queueUrl() == null) {
            request.queueUrl(queue.url());
        }
        List<SendMessageBatchRequestEntry> entries =
                BatchEntry.entries(items, SendMessageBatchRequestEntry.class, (entry, id) -> entry.toBuilder()
                        .id(id)
                        .build());
        message.setBody(request.entries(entries).build());
        message.setHeader(Sqs2Constants.SQS_OPERATION, Sqs2Operations.sendBatchMessage);
    }

    /** The client of an {@code aws2-sqs} delegate checks it itself, unless its owner has told it not to. */
    @Override
    public boolean isTextOf(BulkItem item, String md5) {
        SendMessageBatchRequestEntry entry = (SendMessageBatchRequestEntry) ((BatchEntry<?>) item).entry();
        return endpoint != null || !TextChecksum.isOfOther(md5, entry.messageBody());
    }

    /** None of our own; but the client may still be found to repeat requests by itself. */
    @Override
    public Processor sender(Sqs2Endpoint delegate) {
        warnOfRetries();
        return null;
    }

    private void warnOfRetries() {
        SqsClient client = endpoint == null ? null : endpoint.getClient(); // It may get one only at its start.
        if (client != null && warned.compareAndSet(false, true)) {
            ClientRetries.warn(client, "amazonSQSClient");
        }
    }
}
