/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.kinesis;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.batchresidue.bulkapi.BulkApiContext;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.ItemKey;
import io.github.batchresidue.bulkapi.aws.RecordData;
import io.github.batchresidue.bulkapi.aws.SdkObjects;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.camel.component.aws2.kinesis.Kinesis2Constants;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.kinesis.model.PutRecordsRequestEntry;

/**
 * Makes a record of one element of a body: of an SDK {@link PutRecordsRequestEntry}; of data, if an option or the exchange says
 * what its partition key is; else of an object with the members {@code Data} (Base64, or bytes), {@code PartitionKey} and
 * {@code ExplicitHashKey}.
 */
final class RecordReader {

    private static final Set<String> MEMBERS = Set.of("Data", "PartitionKey", "ExplicitHashKey");
    /** As the service's model has it. */
    private static final int LONGEST_KEY = 256;

    private final RecordData data;
    /** Null if every record has its own. */
    private final String partitionKey;
    /** Null if the field is not given. */
    private final ItemKey partitionKeyField;

    /** @throws IllegalArgumentException if an option has a bad value */
    RecordReader(RecordData data, BulkApiContext context) {
        this.data = data;
        partitionKey = context.options().get(KinesisProvider.PARTITION_KEY);
        String field = context.text(KinesisProvider.PARTITION_KEY_FIELD);
        if (partitionKey != null && field != null) {
            throw new IllegalArgumentException("bulkApi.partitionKey=" + partitionKey
                    + " and bulkApi.partitionKeyField=" + field + ": give one of them");
        }
        if (partitionKey != null && !isPartitionKey(partitionKey)) {
            throw new IllegalArgumentException(
                    "bulkApi.partitionKey=" + partitionKey + ": expected 1 to " + LONGEST_KEY + " characters");
        }
        partitionKeyField = field == null ? null : field(field);
    }

    private static ItemKey field(String option) {
        try {
            ItemKey field = ItemKey.parse(option);
            if (field.paths().size() == 1) {
                return field;
            }
        } catch (IllegalArgumentException e) {
            // As said below: it tells of another option.
        }
        throw new IllegalArgumentException(
                "bulkApi.partitionKeyField=" + option + ": expected one name or JSON pointer");
    }

    /** @param ofExchange the partition key of data for which no option says one; null if there is none */
    PutRecordsRequestEntry read(Object element, String ofExchange) throws InvalidItemException {
        PutRecordsRequestEntry entry;
        if (element instanceof PutRecordsRequestEntry given) {
            entry = given;
        } else if (partitionKeyField != null) {
            SdkBytes bytes = data.of(element);
            entry = ofData(bytes, fieldOf(bytes));
        } else if (partitionKey != null || ofExchange != null) {
            entry = ofData(data.of(element), partitionKey != null ? partitionKey : ofExchange);
        } else {
            entry = ofMembers(data.members(element));
        }
        if (entry.data() == null) {
            throw new InvalidItemException("a record must have data");
        }
        if (entry.partitionKey() == null || !isPartitionKey(entry.partitionKey())) {
            throw new InvalidItemException("a record must have a partition key of 1 to " + LONGEST_KEY + " characters");
        }
        return entry;
    }

    private static PutRecordsRequestEntry ofData(SdkBytes bytes, String itsPartitionKey) {
        return PutRecordsRequestEntry.builder()
                .data(bytes)
                .partitionKey(itsPartitionKey)
                .build();
    }

    private String fieldOf(SdkBytes bytes) throws InvalidItemException {
        List<String> path = partitionKeyField.paths().get(0);
        JsonNode value = data.tree(bytes);
        for (String member : path) {
            value = value.path(member);
        }
        if (!value.isValueNode() || value.isNull()) {
            throw new InvalidItemException("it has no value at bulkApi.partitionKeyField, " + String.join("/", path));
        }
        return value.asText();
    }

    /** @param members null if the element has none */
    private static PutRecordsRequestEntry ofMembers(Map<?, ?> members) throws InvalidItemException {
        if (members == null || !MEMBERS.containsAll(members.keySet()) || members.get("PartitionKey") == null) {
            throw new InvalidItemException(
                    "it is no object with Data, PartitionKey and perhaps ExplicitHashKey; if it is"
                            + " data, say what its partition key is: set bulkApi.partitionKeyField or bulkApi.partitionKey, or"
                            + " send header " + Kinesis2Constants.PARTITION_KEY + " and have delegateHeaders name it");
        }
        return SdkObjects.fill(PutRecordsRequestEntry.builder(), members).build();
    }

    private static boolean isPartitionKey(String text) {
        return !text.isEmpty() && text.codePointCount(0, text.length()) <= LONGEST_KEY;
    }
}
