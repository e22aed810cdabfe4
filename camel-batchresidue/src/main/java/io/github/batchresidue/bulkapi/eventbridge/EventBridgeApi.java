/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.eventbridge;

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
import org.apache.camel.component.aws2.eventbridge.EventbridgeEndpoint;
import org.apache.camel.component.aws2.eventbridge.EventbridgeOperations;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequest;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;
import software.amazon.awssdk.services.eventbridge.model.PutEventsResponse;

/**
 * PutEvents.
 *
 * <p>The request is an SDK {@link PutEventsRequest} in the body. The answer is an SDK {@link PutEventsResponse}, or a map or
 * JSON with the member {@code Entries}.
 */
final class EventBridgeApi implements BulkApi {

    /** The sum of the entries has to be less than 1 MB; one that the service finds too large all the same is halved. */
    private static final Limits LIMITS = new Limits(10, 1024 * 1024 - 1, 0);

    private static final PositionalResults RESULTS =
            new PositionalResults("Entries", "EventId", EventBridgeErrors.OF_ENTRIES);

    private final ObjectMapper mapper;
    private final ItemKey itemKey;
    private final RecordData data;
    private final EntryReader reader;

    EventBridgeApi(BulkApiContext context) {
        mapper = context.objectMapper();
        itemKey = context.itemKey();
        data = new RecordData(mapper, PutEventsRequestEntry.class);
        reader = new EntryReader(data, context, eventBus(context.delegate()));
    }

    /** The bus of the delegate, which must be there to put events; null if it names none. */
    private static String eventBus(Endpoint delegate) {
        if (!(delegate instanceof EventbridgeEndpoint events)) {
            return null;
        }
        EventbridgeOperations operation = events.getConfiguration().getOperation();
        if (operation != EventbridgeOperations.putEvent) {
            throw new IllegalArgumentException(
                    "operation=" + operation + ": a batch only puts events; set the delegate's operation to putEvent");
        }
        return events.getConfiguration().getEventbusName();
    }

    @Override
    public Limits limits() {
        return LIMITS;
    }

    // ---- Items

    @Override
    public Iterator<?> wholeRequest(Object body) {
        // Only the SDK's own: a JSON text with a member Entries may as well be a detail.
        return body instanceof PutEventsRequest request
                ? RequestEntry.all(
                        request.entries(),
                        request.toBuilder()
                                .entries((List<PutEventsRequestEntry>) null)
                                .build())
                : null;
    }

    @Override
    public BulkItem item(Object element) throws InvalidItemException {
        if (element instanceof RequestEntry<?, ?> part) {
            return item(part.entry(), (PutEventsRequest) part.envelope());
        }
        return item(element, null);
    }

    private Event item(Object element, PutEventsRequest envelope) throws InvalidItemException {
        PutEventsRequestEntry entry = reader.read(element);
        Object body = RawJson.body(element);
        SdkBytes detail = SdkBytes.fromUtf8String(entry.detail() == null ? "" : entry.detail());
        return new Event(entry, envelope, body, data.key(itemKey, detail, body));
    }

    // ---- Requests

    @Override
    public void write(List<BulkItem> items, Exchange exchange) {
        PutEventsRequest envelope = ((Event) items.get(0)).envelope();
        PutEventsRequest.Builder request = envelope == null ? PutEventsRequest.builder() : envelope.toBuilder();
        exchange.getMessage()
                .setBody(request.entries(items.stream()
                                .map(item -> ((Event) item).entry())
                                .toList())
                        .build());
    }

    @Override
    public Processor sender(Endpoint delegate) {
        return delegate instanceof EventbridgeEndpoint events
                ? new ClientSender<>(
                        events::getEventbridgeClient,
                        "eventbridgeClient",
                        PutEventsRequest.class,
                        EventBridgeClient::putEvents)
                : null;
    }

    // ---- Replies

    @Override
    public Reply read(List<BulkItem> items, Exchange exchange) {
        return exchange.getException() != null
                ? AwsFailures.reply(exchange.getException(), items.size(), EventBridgeErrors.OF_REQUESTS)
                : RESULTS.read(items.size(), exchange.getMessage(), mapper);
    }
}
