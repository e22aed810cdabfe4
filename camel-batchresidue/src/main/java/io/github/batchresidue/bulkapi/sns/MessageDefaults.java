/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.sns;

import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.aws.AttributeHeaders;
import io.github.batchresidue.bulkapi.aws.MessageReader;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Date;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.camel.Exchange;
import org.apache.camel.component.aws2.sns.ExchangeIdMessageDeduplicationIdStrategy;
import org.apache.camel.component.aws2.sns.MessageDeduplicationIdStrategy;
import org.apache.camel.component.aws2.sns.MessageGroupIdStrategy;
import org.apache.camel.component.aws2.sns.Sns2Configuration;
import org.apache.camel.component.aws2.sns.Sns2Constants;
import org.apache.camel.component.aws2.sns.Sns2Endpoint;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.sns.model.MessageAttributeValue;
import software.amazon.awssdk.services.sns.model.PublishBatchRequestEntry;

/**
 * What a message takes from the delegate's options and from the exchange it comes with, where it does not say it itself.
 * The delegate's producer gives the same to a message that is published alone; to a batch it gives nothing.
 */
final class MessageDefaults {

    private final Sns2Endpoint endpoint;
    private final AttributeHeaders<MessageAttributeValue> attributeHeaders;

    MessageDefaults(Sns2Endpoint endpoint) {
        this.endpoint = endpoint;
        this.attributeHeaders =
                AttributeHeaders.unlimited(endpoint::getHeaderFilterStrategy, MessageDefaults::attribute);
    }

    static boolean isFifo(Sns2Endpoint endpoint) {
        Sns2Configuration topic = endpoint.getConfiguration();
        return String.valueOf(topic.getTopicArn()).endsWith(".fifo")
                || String.valueOf(topic.getTopicName()).endsWith(".fifo");
    }

    /** @param index where the message stands in the body */
    PublishBatchRequestEntry complete(PublishBatchRequestEntry entry, long index, Exchange exchange)
            throws InvalidItemException {
        Sns2Configuration topic = endpoint.getConfiguration();
        PublishBatchRequestEntry.Builder complete = entry.toBuilder();
        Map<String, MessageAttributeValue> attributes = attributeHeaders.addTo(entry.messageAttributes(), exchange);
        if (!attributes.isEmpty()) {
            complete.messageAttributes(attributes);
        }
        if (entry.subject() == null) {
            complete.subject(exchange.getMessage().getHeader(Sns2Constants.SUBJECT, topic.getSubject(), String.class));
        }
        if (entry.messageStructure() == null) {
            complete.messageStructure(exchange.getMessage()
                    .getHeader(Sns2Constants.MESSAGE_STRUCTURE, topic.getMessageStructure(), String.class));
        }
        if (isFifo(endpoint)) {
            if (entry.messageGroupId() == null) {
                complete.messageGroupId(groupId(topic.getMessageGroupIdStrategy(), entry, exchange));
            }
            if (entry.messageDeduplicationId() == null) {
                complete.messageDeduplicationId(
                        deduplicationId(topic.getMessageDeduplicationIdStrategy(), entry, index, exchange));
            }
        }
        return complete.build();
    }

    private static String groupId(MessageGroupIdStrategy strategy, PublishBatchRequestEntry entry, Exchange exchange) {
        return strategy == null ? null : strategy.getMessageGroupId(MessageReader.withText(exchange, entry.message()));
    }

    /** The id of the exchange is no message's alone: with it the topic would drop all but the first as duplicates. */
    private static String deduplicationId(
            MessageDeduplicationIdStrategy strategy, PublishBatchRequestEntry entry, long index, Exchange exchange) {
        if (strategy instanceof ExchangeIdMessageDeduplicationIdStrategy) {
            return exchange.getExchangeId() + "-" + index;
        }
        return strategy == null
                ? null
                : strategy.getMessageDeduplicationId(MessageReader.withText(exchange, entry.message()));
    }

    /** As the delegate's producer has it; null for what it does not send. */
    private static MessageAttributeValue attribute(Object header) {
        if (header instanceof byte[] bytes) {
            return binary(SdkBytes.fromByteArray(bytes));
        } else if (header instanceof ByteBuffer buffer) {
            return binary(SdkBytes.fromByteBuffer(buffer));
        } else if (header instanceof Collection<?> list) {
            return text(
                    "String.Array",
                    list.stream()
                            .map(element -> element instanceof String ? "\"" + element + "\"" : String.valueOf(element))
                            .collect(Collectors.joining(", ", "[", "]")));
        } else if (header instanceof String text && !text.isEmpty()
                || header instanceof Number
                || header instanceof Date) {
            return text("String", header.toString());
        }
        return null;
    }

    private static MessageAttributeValue text(String type, String value) {
        return MessageAttributeValue.builder().dataType(type).stringValue(value).build();
    }

    private static MessageAttributeValue binary(SdkBytes value) {
        return MessageAttributeValue.builder()
                .dataType("Binary")
                .binaryValue(value)
                .build();
    }
}
