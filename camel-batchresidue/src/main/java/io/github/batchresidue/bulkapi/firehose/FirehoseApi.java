/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.firehose;

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
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.component.aws2.firehose.KinesisFirehose2Endpoint;
import org.apache.camel.component.aws2.firehose.KinesisFirehose2Operations;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.firehose.FirehoseClient;
import software.amazon.awssdk.services.firehose.model.PutRecordBatchRequest;
import software.amazon.awssdk.services.firehose.model.PutRecordBatchResponse;
import software.amazon.awssdk.services.firehose.model.Record;

/**
 * PutRecordBatch.
 *
 * <p>The request is an SDK {@link PutRecordBatchRequest} in the body. The answer is an SDK
 * {@link PutRecordBatchResponse}, or a map or JSON with the member {@code RequestResponses}.
 */
final class FirehoseApi implements BulkApi {

    /** Bytes before they are encoded for the wire; a request that the service finds too large all the same is halved. */
    private static final Limits LIMITS = new Limits(500, 4 * 1024 * 1024, 0);

    private static final PositionalResults RESULTS =
            new PositionalResults("RequestResponses", "RecordId", FirehoseErrors.OF_RECORDS);

    private final ObjectMapper mapper;
    private final ItemKey itemKey;
    private final RecordData data;
    private final boolean appendNewLine;
    /** Null if the delegate does not name it. */
    private final String stream;

    FirehoseApi(BulkApiContext context) {
        mapper = context.objectMapper();
        itemKey = context.itemKey();
        data = new RecordData(mapper, Record.class);
        appendNewLine = appendNewLine(context.options().get(FirehoseProvider.APPEND_NEW_LINE));
        if (context.delegate() instanceof KinesisFirehose2Endpoint firehose) {
            KinesisFirehose2Operations operation = firehose.getConfiguration().getOperation();
            if (operation != null && operation != KinesisFirehose2Operations.sendBatchRecord) {
                throw new IllegalArgumentException("operation=" + operation
                        + ": a batch only sends records; remove the delegate's operation or set it to"
                        + " sendBatchRecord");
            }
            stream = firehose.getConfiguration().getStreamName();
        } else {
            stream = null;
        }
    }

    private static boolean appendNewLine(String option) {
        if (option != null && !option.equals("true") && !option.equals("false")) {
            throw new IllegalArgumentException("bulkApi.appendNewLine=" + option + ": expected true or false");
        }
        return Boolean.parseBoolean(option);
    }

    @Override
    public Limits limits() {
        return LIMITS;
    }

    // ---- Items

    @Override
    public Iterator<?> wholeRequest(Object body) {
        // Only the SDK's own: a JSON text with a member Records may as well be a record.
        return body instanceof PutRecordBatchRequest request
                ? RequestEntry.all(
                        request.records(),
                        request.toBuilder().records((List<Record>) null).build())
                : null;
    }

    @Override
    public BulkItem item(Object element) throws InvalidItemException {
        if (element instanceof RequestEntry<?, ?> part) {
            return item(part.entry(), (PutRecordBatchRequest) part.envelope());
        }
        return item(element, null);
    }

    private FirehoseRecord item(Object element, PutRecordBatchRequest envelope) throws InvalidItemException {
        Record entry = element instanceof Record given
                ? given
                : Record.builder().data(line(data.of(element))).build();
        if (entry.data() == null) {
            throw new InvalidItemException("a record must have data");
        }
        Object body = RawJson.body(element);
        return new FirehoseRecord(entry, envelope, body, data.key(itemKey, entry.data(), body));
    }

    private SdkBytes line(SdkBytes bytes) {
        if (!appendNewLine) {
            return bytes;
        }
        byte[] text = bytes.asByteArrayUnsafe();
        byte[] line = Arrays.copyOf(text, text.length + 1);
        line[text.length] = '\n';
        return SdkBytes.fromByteArrayUnsafe(line);
    }

    // ---- Requests

    @Override
    public void write(List<BulkItem> items, Exchange exchange) {
        PutRecordBatchRequest envelope = ((FirehoseRecord) items.get(0)).envelope();
        PutRecordBatchRequest.Builder request =
                envelope == null ? PutRecordBatchRequest.builder() : envelope.toBuilder();
        if (envelope == null || envelope.deliveryStreamName() == null) {
            request.deliveryStreamName(stream);
        }
        exchange.getMessage()
                .setBody(request.records(items.stream()
                                .map(item -> ((FirehoseRecord) item).entry())
                                .toList())
                        .build());
    }

    @Override
    public Processor sender(Endpoint delegate) {
        return delegate instanceof KinesisFirehose2Endpoint firehose
                ? new ClientSender<>(
                        firehose::getClient,
                        "amazonKinesisFirehoseClient",
                        PutRecordBatchRequest.class,
                        FirehoseClient::putRecordBatch)
                : null;
    }

    // ---- Replies

    @Override
    public Reply read(List<BulkItem> items, Exchange exchange) {
        return exchange.getException() != null
                ? AwsFailures.reply(exchange.getException(), items.size(), FirehoseErrors.OF_REQUESTS)
                : RESULTS.read(items.size(), exchange.getMessage(), mapper);
    }
}
