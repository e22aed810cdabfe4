/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.kinesis;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkApiContext;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.ItemKey;
import io.github.batchresidue.bulkapi.Limits;
import io.github.batchresidue.bulkapi.RawJson;
import io.github.batchresidue.bulkapi.aws.AwsFailures;
import io.github.batchresidue.bulkapi.aws.ClientSender;
import io.github.batchresidue.bulkapi.aws.PositionalResults;
import io.github.batchresidue.bulkapi.aws.RecordData;
import io.github.batchresidue.bulkapi.aws.RequestEntry;
import io.github.batchresidue.engine.Reply;
import java.util.Iterator;
import java.util.List;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.component.aws2.kinesis.Kinesis2Constants;
import org.apache.camel.component.aws2.kinesis.Kinesis2Endpoint;
import software.amazon.awssdk.services.kinesis.KinesisClient;
import software.amazon.awssdk.services.kinesis.model.PutRecordsRequest;
import software.amazon.awssdk.services.kinesis.model.PutRecordsRequestEntry;
import software.amazon.awssdk.services.kinesis.model.PutRecordsResponse;

/**
 * PutRecords.
 *
 * <p>The request is an SDK {@link PutRecordsRequest} in the body. The answer is an SDK {@link PutRecordsResponse}, or a map
 * or JSON with the member {@code Records}.
 *
 * <p>The service keeps no order, and a record that fails does not hold up those behind it. {@code itemKey=PartitionKey} has
 * records of one partition key sent one after the other; other names are fields of the data.
 */
final class KinesisApi implements BulkApi {

    /** The service's 10 MiB, partition keys included; a stream takes as much in one record only if it is told to. */
    private static final int MOST_BYTES = 10 * 1024 * 1024;

    private static final Limits LIMITS = new Limits(500, MOST_BYTES, 0);
    private static final List<List<String>> BY_PARTITION_KEY = List.of(List.of("PartitionKey"));
    private static final PositionalResults RESULTS =
            new PositionalResults("Records", "SequenceNumber", KinesisErrors.OF_RECORDS);

    private final ObjectMapper mapper;
    private final ItemKey itemKey;
    private final RecordData data;
    private final RecordReader reader;
    private final long maxRecordBytes;
    /** Null if the delegate does not name it. */
    private final String stream;

    KinesisApi(BulkApiContext context) {
        mapper = context.objectMapper();
        itemKey = context.itemKey();
        data = new RecordData(mapper, PutRecordsRequestEntry.class);
        reader = new RecordReader(data, context);
        maxRecordBytes = maxRecordBytes(context.options().get(KinesisProvider.MAX_RECORD_BYTES));
        stream = context.delegate() instanceof Kinesis2Endpoint kinesis
                ? kinesis.getConfiguration().getStreamName()
                : null;
    }

    private static long maxRecordBytes(String option) {
        if (option == null) {
            return MOST_BYTES;
        }
        try {
            long bytes = Long.parseLong(option);
            if (bytes >= 1 && bytes <= MOST_BYTES) {
                return bytes;
            }
        } catch (NumberFormatException e) {
            // As said below.
        }
        throw new IllegalArgumentException(
                "bulkApi.maxRecordBytes=" + option + ": expected a whole number from 1 to " + MOST_BYTES);
    }

    @Override
    public Limits limits() {
        return LIMITS;
    }

    // ---- Items

    @Override
    public Iterator<?> wholeRequest(Object body) {
        // Only the SDK's own: a JSON text with a member Records may as well be a record.
        return body instanceof PutRecordsRequest request
                ? RequestEntry.all(
                        request.records(),
                        request.toBuilder()
                                .records((List<PutRecordsRequestEntry>) null)
                                .build())
                : null;
    }

    @Override
    public BulkItem item(Object element) throws InvalidItemException {
        return item(element, (String) null);
    }

    /** The delegate's own header, which {@code delegateHeaders} has to let through, is the partition key of data. */
    @Override
    public BulkItem item(Object element, long index, Exchange exchange) throws InvalidItemException {
        return item(element, exchange.getMessage().getHeader(Kinesis2Constants.PARTITION_KEY, String.class));
    }

    private KinesisRecord item(Object element, String ofExchange) throws InvalidItemException {
        return element instanceof RequestEntry<?, ?> part
                ? item(reader.read(part.entry(), ofExchange), (PutRecordsRequest) part.envelope(), part.entry())
                : item(reader.read(element, ofExchange), null, element);
    }

    private KinesisRecord item(PutRecordsRequestEntry entry, PutRecordsRequest envelope, Object element) {
        Object body = RawJson.body(element);
        Object key =
                itemKey.paths().equals(BY_PARTITION_KEY) ? entry.partitionKey() : data.key(itemKey, entry.data(), body);
        return new KinesisRecord(entry, envelope, body, key, maxRecordBytes);
    }

    // ---- Requests

    @Override
    public void write(List<BulkItem> items, Exchange exchange) {
        PutRecordsRequest envelope = ((KinesisRecord) items.get(0)).envelope();
        PutRecordsRequest.Builder request = envelope == null ? PutRecordsRequest.builder() : envelope.toBuilder();
        if (envelope == null || envelope.streamName() == null && envelope.streamARN() == null) {
            request.streamName(stream);
        }
        exchange.getMessage()
                .setBody(request.records(items.stream()
                                .map(item -> ((KinesisRecord) item).entry())
                                .toList())
                        .build());
    }

    /** The delegate's producer tells how many records failed, and not which. */
    @Override
    public Processor sender(Endpoint delegate) {
        return delegate instanceof Kinesis2Endpoint kinesis
                ? new ClientSender<>(
                        () -> client(kinesis),
                        "amazonKinesisClient",
                        PutRecordsRequest.class,
                        KinesisClient::putRecords)
                : null;
    }

    /** The one that the producer would use. It is made when it is first asked for, which must not be before the start. */
    private static KinesisClient client(Kinesis2Endpoint kinesis) {
        return kinesis.isStarted() ? kinesis.getComponent().getConnection().getClient(kinesis) : null;
    }

    // ---- Replies

    @Override
    public Reply read(List<BulkItem> items, Exchange exchange) {
        return exchange.getException() != null
                ? AwsFailures.reply(exchange.getException(), items.size(), KinesisErrors.OF_REQUESTS)
                : RESULTS.read(items.size(), exchange.getMessage(), mapper);
    }
}
