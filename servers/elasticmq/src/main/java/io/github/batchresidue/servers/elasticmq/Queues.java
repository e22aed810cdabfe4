/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.servers.elasticmq;

import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;

/** Looks into queues. */
public final class Queues {

    private Queues() {}

    /** Takes everything out of a queue, in its order: the texts of the messages. */
    public static List<String> drain(SqsClient client, String queueUrl) {
        List<String> texts = new ArrayList<>();
        while (true) {
            List<Message> messages = client.receiveMessage(
                            request -> request.queueUrl(queueUrl).maxNumberOfMessages(10))
                    .messages();
            if (messages.isEmpty()) {
                return texts;
            }
            messages.forEach(message -> texts.add(message.body()));
            client.deleteMessageBatch(request -> request.queueUrl(queueUrl)
                    .entries(messages.stream()
                            .map(message -> DeleteMessageBatchRequestEntry.builder()
                                    .id(message.messageId())
                                    .receiptHandle(message.receiptHandle())
                                    .build())
                            .toList()));
        }
    }
}
