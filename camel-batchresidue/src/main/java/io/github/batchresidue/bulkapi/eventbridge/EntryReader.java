/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.eventbridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.aws.RecordData;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;

/**
 * Makes an entry of one element of a body: of an SDK {@link PutEventsRequestEntry}; of a detail, if the options give source
 * and detail type; else of an object with the members of an entry, of which {@code Detail} may be an object too, and
 * {@code Time} seconds or a text with its offset.
 */
final class EntryReader {

    private final RecordData data;
    private final String source;
    private final String detailType;
    private final String eventBus;

    /**
     * @param eventBus of entries that name none; may be null
     * @throws IllegalArgumentException if an option is missing
     */
    EntryReader(RecordData data, Map<String, String> options, String eventBus) {
        this.data = data;
        this.source = options.get(EventBridgeProvider.SOURCE);
        this.detailType = options.get(EventBridgeProvider.DETAIL_TYPE);
        this.eventBus = eventBus;
        if ((source == null) != (detailType == null)) {
            throw new IllegalArgumentException("bulkApi.source=" + source + " and bulkApi.detailType=" + detailType
                    + ": give both, and items are details, or none, and items are entries");
        }
    }

    PutEventsRequestEntry read(Object element) throws InvalidItemException {
        PutEventsRequestEntry.Builder entry;
        if (element instanceof PutEventsRequestEntry given) {
            entry = given.toBuilder();
        } else if (source != null) {
            entry = PutEventsRequestEntry.builder()
                    .source(source)
                    .detailType(detailType)
                    .detail(data.of(element).asUtf8String());
        } else {
            entry = ofMembers(data.object(element));
        }
        if (entry.build().eventBusName() == null) {
            entry.eventBusName(eventBus);
        }
        return entry.build();
    }

    private PutEventsRequestEntry.Builder ofMembers(ObjectNode members) throws InvalidItemException {
        PutEventsRequestEntry.Builder entry = PutEventsRequestEntry.builder();
        for (Map.Entry<String, JsonNode> member : members.properties()) {
            JsonNode value = member.getValue();
            switch (member.getKey()) {
                case "Source" -> entry.source(value.textValue());
                case "DetailType" -> entry.detailType(value.textValue());
                case "Detail" -> entry.detail(value.isTextual() ? value.textValue() : value.toString());
                case "Resources" -> entry.resources(texts(value));
                case "Time" -> entry.time(time(value));
                case "EventBusName" -> entry.eventBusName(value.textValue());
                case "TraceHeader" -> entry.traceHeader(value.textValue());
                default ->
                    throw new InvalidItemException("an entry has Source, DetailType, Detail, Resources, Time,"
                            + " EventBusName and TraceHeader only; if it is a detail, set bulkApi.source and"
                            + " bulkApi.detailType");
            }
        }
        return entry;
    }

    private static List<String> texts(JsonNode value) {
        List<String> texts = new ArrayList<>();
        value.forEach(element -> texts.add(element.asText()));
        return texts;
    }

    private static Instant time(JsonNode value) throws InvalidItemException {
        try {
            return value.isNumber()
                    ? Instant.ofEpochMilli(
                            value.decimalValue().movePointRight(3).longValue())
                    : OffsetDateTime.parse(value.asText()).toInstant();
        } catch (DateTimeException e) {
            throw new InvalidItemException("Time must be seconds since 1970 or a text such as 2026-01-31T12:00:00Z");
        }
    }
}
