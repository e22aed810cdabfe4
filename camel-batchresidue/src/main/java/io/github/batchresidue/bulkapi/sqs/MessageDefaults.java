/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.sqs;

import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.aws.AttributeHeaders;
import io.github.batchresidue.bulkapi.aws.MessageReader;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.TypeConversionException;
import org.apache.camel.component.aws2.sqs.ExchangeIdMessageDeduplicationIdStrategy;
import org.apache.camel.component.aws2.sqs.MessageDeduplicationIdStrategy;
import org.apache.camel.component.aws2.sqs.MessageGroupIdStrategy;
import org.apache.camel.component.aws2.sqs.Sqs2Configuration;
import org.apache.camel.component.aws2.sqs.Sqs2Constants;
import org.apache.camel.component.aws2.sqs.Sqs2Endpoint;
import org.apache.camel.component.aws2.sqs.Sqs2MessageHelper;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/**
 * What a message takes from the delegate's options and from the exchange it comes with, where it does not say it itself.
 * The delegate's producer gives the same to texts; to a request that names its entries it gives nothing.
 */
final class MessageDefaults {

    private static final int MOST_ATTRIBUTES = 10;

    private final Sqs2Endpoint endpoint;
    private final AttributeHeaders<MessageAttributeValue> attributeHeaders;

    MessageDefaults(Sqs2Endpoint endpoint) {
        this.endpoint = endpoint;
        this.attributeHeaders = new AttributeHeaders<>(
                endpoint::getHeaderFilterStrategy,
                Sqs2MessageHelper::toMessageAttributeValue,
                MOST_ATTRIBUTES,
                endpoint.getConfiguration().getMessageHeaderExceededLimit());
    }

    /** @param index where the message stands in the body */
    SendMessageBatchRequestEntry complete(SendMessageBatchRequestEntry entry, long index, Exchange exchange)
            throws InvalidItemException {
        Sqs2Configuration queue = endpoint.getConfiguration();
        SendMessageBatchRequestEntry.Builder complete = entry.toBuilder();
        Map<String, MessageAttributeValue> attributes = attributeHeaders.addTo(entry.messageAttributes(), exchange);
        if (!attributes.isEmpty()) {
            complete.messageAttributes(attributes);
        }
        if (entry.delaySeconds() == null) {
            complete.delaySeconds(delaySeconds(queue, exchange));
        }
        if (queue.getQueueName().endsWith(".fifo")) {
            if (entry.messageGroupId() == null) {
                complete.messageGroupId(groupId(queue.getMessageGroupIdStrategy(), entry, exchange));
            }
            if (entry.messageDeduplicationId() == null) {
                complete.messageDeduplicationId(
                        deduplicationId(queue.getMessageDeduplicationIdStrategy(), entry, index, exchange));
            }
        }
        return complete.build();
    }

    /** The header, else the option unless the queue itself delays. */
    private static Integer delaySeconds(Sqs2Configuration queue, Exchange exchange) throws InvalidItemException {
        Integer ofQueue = queue.isDelayQueue() ? null : queue.getDelaySeconds();
        try {
            return exchange.getMessage().getHeader(Sqs2Constants.DELAY_HEADER, ofQueue, Integer.class);
        } catch (TypeConversionException e) {
            throw new InvalidItemException("header " + Sqs2Constants.DELAY_HEADER + " is no whole number");
        }
    }

    private static String groupId(
            MessageGroupIdStrategy strategy, SendMessageBatchRequestEntry entry, Exchange exchange) {
        return strategy == null
                ? null
                : strategy.getMessageGroupId(MessageReader.withText(exchange, entry.messageBody()));
    }

    /**
     * The id of the exchange is no message's alone: with it the queue would drop all but the first as duplicates. With the
     * index behind it each message has its own, and the same when Camel delivers the exchange again.
     */
    private static String deduplicationId(
            MessageDeduplicationIdStrategy strategy,
            SendMessageBatchRequestEntry entry,
            long index,
            Exchange exchange) {
        if (strategy instanceof ExchangeIdMessageDeduplicationIdStrategy) {
            return exchange.getExchangeId() + "-" + index;
        }
        return strategy == null
                ? null
                : strategy.getMessageDeduplicationId(MessageReader.withText(exchange, entry.messageBody()));
    }
}
