/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.eventbridge;

import io.github.batchresidue.bulkapi.BulkApiContext;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.aws.RecordData;
import io.github.batchresidue.bulkapi.aws.SdkObjects;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;

/**
 * Makes an entry of one element of a body: of an SDK {@link PutEventsRequestEntry}; of a detail, if the options give source
 * and detail type; else of an object with the members of an entry, of which {@code Detail} may be an object too, and
 * {@code Time} a time of Java's, seconds or a text with its offset.
 */
final class EntryReader {

    private static final String DETAIL = "Detail";
    private static final Set<String> MEMBERS =
            Set.of("Source", "DetailType", DETAIL, "Resources", "Time", "EventBusName", "TraceHeader");

    private final RecordData data;
    private final String source;
    private final String detailType;
    private final String eventBus;

    /**
     * @param eventBus of entries that name none; may be null
     * @throws IllegalArgumentException if an option is missing or empty
     */
    EntryReader(RecordData data, BulkApiContext context, String eventBus) {
        this.data = data;
        this.source = context.text(EventBridgeProvider.SOURCE);
        this.detailType = context.text(EventBridgeProvider.DETAIL_TYPE);
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
            if (given.time() != null) {
                entry.time(SdkObjects.instant("Time", given.time()));
            }
        } else if (source != null) {
            entry = PutEventsRequestEntry.builder()
                    .source(source)
                    .detailType(detailType)
                    .detail(data.of(element).asUtf8String());
        } else {
            entry = ofMembers(data.members(element));
        }
        if (entry.build().eventBusName() == null) {
            entry.eventBusName(eventBus);
        }
        return entry.build();
    }

    /** @param given null if the element has no members */
    private PutEventsRequestEntry.Builder ofMembers(Map<?, ?> given) throws InvalidItemException {
        if (given == null || !MEMBERS.containsAll(given.keySet())) {
            throw new InvalidItemException(
                    "an entry is an object with Source, DetailType, Detail, Resources, Time,"
                            + " EventBusName and TraceHeader only; if it is a detail, set bulkApi.source and bulkApi.detailType");
        }
        Map<Object, Object> members = new HashMap<>(given);
        if (members.get(DETAIL) != null) {
            members.put(DETAIL, data.of(members.get(DETAIL)).asUtf8String());
        }
        return SdkObjects.fill(PutEventsRequestEntry.builder(), members);
    }
}
