/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.sns;

import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkApiContext;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.Limits;
import io.github.batchresidue.bulkapi.RawJson;
import io.github.batchresidue.bulkapi.aws.AwsFailures;
import io.github.batchresidue.bulkapi.aws.BatchEntry;
import io.github.batchresidue.bulkapi.aws.BatchResults;
import io.github.batchresidue.bulkapi.aws.ClientSender;
import io.github.batchresidue.bulkapi.aws.MessageReader;
import io.github.batchresidue.bulkapi.aws.RequestEntry;
import io.github.batchresidue.bulkapi.aws.Resending;
import io.github.batchresidue.bulkapi.aws.SdkObjects;
import io.github.batchresidue.bulkapi.aws.Texts;
import io.github.batchresidue.engine.Reply;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.component.aws2.sns.Sns2Endpoint;
import software.amazon.awssdk.services.sns.SnsClient;
import software.amazon.awssdk.services.sns.model.MessageAttributeValue;
import software.amazon.awssdk.services.sns.model.PublishBatchRequest;
import software.amazon.awssdk.services.sns.model.PublishBatchRequestEntry;

/**
 * PublishBatch.
 *
 * <p>The request is an SDK {@link PublishBatchRequest} in the body. The answer is the SDK's response, or a map or JSON with
 * the members {@code Successful} and {@code Failed}.
 */
final class SnsApi implements BulkApi {

    private static final int MOST_ENTRIES = 10;

    /** 256 KiB, of a message and of a request; a topic may be told to take up to 1 MiB. */
    private static final int DEFAULT_BYTES = 256 * 1024;

    private static final int LEAST_BYTES = 1024;
    private static final int MOST_BYTES = 1024 * 1024;

    /** What topics that keep the order of a group and drop duplicates are named like, and no others may be. */
    private static final String FIFO = ".fifo";

    private static final String ARN = "arn:";

    private final BulkApiContext context;
    private final LongSupplier nanos;
    private final MessageReader messages;
    private final int mostBytes;
    /** Null if the delegate is of another component, as are the defaults. */
    private final Sns2Endpoint endpoint;

    private final MessageDefaults defaults;
    /** Null if nobody has named it. */
    private final String topicArn;

    SnsApi(BulkApiContext context) {
        this(context, System::nanoTime);
    }

    /** @param nanos the time, as {@link System#nanoTime} */
    SnsApi(BulkApiContext context, LongSupplier nanos) {
        this.context = context;
        this.nanos = nanos;
        messages = new MessageReader(context.objectMapper(), PublishBatchRequestEntry.class, "Message");
        Integer option = context.wholeNumber(SnsProvider.MAXIMUM_MESSAGE_SIZE, LEAST_BYTES, MOST_BYTES);
        mostBytes = option == null ? DEFAULT_BYTES : option;
        topicArn = context.text(SnsProvider.TOPIC_ARN);
        endpoint = context.delegate() instanceof Sns2Endpoint sns ? sns : null;
        defaults = endpoint == null ? null : new MessageDefaults(endpoint);
        if (endpoint != null && topicArn != null) {
            throw new IllegalArgumentException("bulkApi.topicArn=" + topicArn + ": the delegate names the topic, "
                    + Objects.requireNonNullElse(
                            endpoint.getConfiguration().getTopicName(),
                            endpoint.getConfiguration().getTopicArn()));
        }
        if (topicArn != null && !topicArn.startsWith(ARN)) {
            throw new IllegalArgumentException("bulkApi.topicArn=" + topicArn
                    + ": expected the ARN of a topic, such as " + ARN + "aws:sns:eu-west-1:123456789012:orders");
        }
    }

    @Override
    public Limits limits() {
        return new Limits(MOST_ENTRIES, mostBytes, 0);
    }

    // ---- Items

    @Override
    public Iterator<?> wholeRequest(Object body) {
        return body instanceof PublishBatchRequest request
                ? RequestEntry.all(
                        request.publishBatchRequestEntries(),
                        request.toBuilder()
                                .publishBatchRequestEntries((List<PublishBatchRequestEntry>) null)
                                .build())
                : null;
    }

    @Override
    public BulkItem item(Object element) throws InvalidItemException {
        if (element instanceof RequestEntry<?, ?> part) {
            return item((PublishBatchRequestEntry) part.entry(), part.entry(), (PublishBatchRequest) part.envelope());
        }
        return item(entry(element), RawJson.body(element), null);
    }

    /** A whole request goes as its caller wrote it; what comes alone is given what the delegate would give it. */
    @Override
    public BulkItem item(Object element, long index, Exchange exchange) throws InvalidItemException {
        return element instanceof RequestEntry<?, ?> || defaults == null
                ? item(element)
                : item(defaults.complete(entry(element), index, exchange), RawJson.body(element), null);
    }

    private PublishBatchRequestEntry entry(Object element) throws InvalidItemException {
        return element instanceof PublishBatchRequestEntry entry
                ? entry
                : SdkObjects.fill(PublishBatchRequestEntry.builder(), messages.members(element))
                        .build();
    }

    private BulkItem item(PublishBatchRequestEntry entry, Object body, PublishBatchRequest envelope)
            throws InvalidItemException {
        if (entry.message() == null || entry.message().isEmpty()) {
            throw new InvalidItemException("it has no Message, and SNS takes no empty message");
        }
        boolean isFifo = isFifo(envelope == null ? null : envelope.topicArn(), entry);
        long bytes = bytes(entry);
        return new BatchEntry<>(
                body,
                entry,
                envelope,
                messages.key(context.itemKey(), body, entry.message(), entry.messageGroupId(), isFifo),
                entry.id(),
                bytes,
                isFifo ? Resending.deduplicated(nanos) : Resending.NEVER_SAFE,
                BatchEntry.tooLarge(bytes, mostBytes, "topic"));
    }

    private boolean isFifo(String otherArn, PublishBatchRequestEntry entry) {
        if (otherArn != null) {
            return otherArn.endsWith(FIFO);
        }
        if (endpoint != null) {
            return MessageDefaults.isFifo(endpoint);
        }
        return topicArn == null ? entry.messageDeduplicationId() != null : topicArn.endsWith(FIFO);
    }

    /** The message and its attributes' names, types and values. */
    private static long bytes(PublishBatchRequestEntry entry) {
        long bytes = Texts.utf8(entry.message());
        for (Map.Entry<String, MessageAttributeValue> attribute :
                entry.messageAttributes().entrySet()) {
            MessageAttributeValue value = attribute.getValue();
            bytes += Texts.attribute(attribute.getKey(), value.dataType(), value.stringValue(), value.binaryValue());
        }
        return bytes;
    }

    // ---- Requests

    @Override
    public void write(List<BulkItem> items, Exchange exchange) {
        PublishBatchRequest envelope = BatchEntry.envelope(items, PublishBatchRequest.class);
        PublishBatchRequest.Builder request = envelope == null ? PublishBatchRequest.builder() : envelope.toBuilder();
        if (envelope == null || envelope.topicArn() == null) {
            // The endpoint may have found it only at its start.
            request.topicArn(
                    endpoint == null
                            ? namedTopic()
                            : endpoint.getConfiguration().getTopicArn());
        }
        List<PublishBatchRequestEntry> entries =
                BatchEntry.entries(items, PublishBatchRequestEntry.class, (entry, id) -> entry.toBuilder()
                        .id(id)
                        .build());
        exchange.getMessage()
                .setBody(request.publishBatchRequestEntries(entries).build());
    }

    private String namedTopic() {
        if (topicArn == null) {
            throw new IllegalArgumentException(
                    "bulkApi.topicArn: give the topic; neither the delegate nor the request names it");
        }
        return topicArn;
    }

    /** The delegate's producer takes a batch only if it is told to, and anything else for a single message. */
    @Override
    public Processor sender(Endpoint delegate) {
        return delegate instanceof Sns2Endpoint sns
                ? new ClientSender<>(
                        sns::getSNSClient, "amazonSNSClient", PublishBatchRequest.class, SnsClient::publishBatch)
                : null;
    }

    // ---- Replies

    @Override
    public Reply read(List<BulkItem> items, Exchange exchange) {
        return exchange.getException() != null
                ? AwsFailures.reply(exchange.getException(), items.size(), SnsErrors.OF_REQUESTS)
                : BatchResults.read(
                        items.size(),
                        exchange.getMessage(),
                        SnsErrors.OF_ENTRIES,
                        (position, md5) -> true, // It confirms no text.
                        context.objectMapper());
    }
}
