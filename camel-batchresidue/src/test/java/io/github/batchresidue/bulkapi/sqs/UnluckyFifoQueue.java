/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.sqs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongSupplier;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlRequest;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResultEntry;
import software.amazon.awssdk.services.sqs.model.SqsException;

/**
 * A FIFO queue in memory that has bad luck: whole requests are throttled or lost on the way there or back, entries fail
 * for a while or for good or are left out of the answer. It drops what it has taken in the last five minutes, as SQS does.
 */
final class UnluckyFifoQueue implements SqsClient {

    static final String URL = "http://sqs/1/orders.fifo";
    /** Begin of a text that is never taken. */
    static final String BAD = "bad";

    private static final long WINDOW_MILLIS = 300_000;

    private final Random random;
    private final int badLuck;
    private final LongSupplier millis;
    private final Map<String, Long> takenAt = new HashMap<>();
    private final List<SendMessageBatchRequestEntry> messages = new ArrayList<>();
    private final List<SendMessageBatchRequest> requests = new ArrayList<>();

    /** @param badLuck percent of what can go wrong */
    UnluckyFifoQueue(Random random, int badLuck, LongSupplier millis) {
        this.random = random;
        this.badLuck = badLuck;
        this.millis = millis;
    }

    /** What is in the queue, in its order. */
    List<SendMessageBatchRequestEntry> messages() {
        return messages;
    }

    List<SendMessageBatchRequest> requests() {
        return requests;
    }

    @Override
    public GetQueueUrlResponse getQueueUrl(GetQueueUrlRequest request) {
        return GetQueueUrlResponse.builder().queueUrl(URL).build();
    }

    @Override
    public SendMessageBatchResponse sendMessageBatch(SendMessageBatchRequest request) {
        requests.add(request);
        if (isUnlucky(4)) {
            throw SqsException.builder()
                    .statusCode(403)
                    .awsErrorDetails(AwsErrorDetails.builder()
                            .errorCode("RequestThrottled")
                            .errorMessage("slow down")
                            .build())
                    .build();
        }
        if (isUnlucky(4)) {
            throw SdkClientException.create("lost on the way there");
        }
        List<SendMessageBatchResultEntry> successful = new ArrayList<>();
        List<BatchResultErrorEntry> failed = new ArrayList<>();
        for (SendMessageBatchRequestEntry entry : request.entries()) {
            if (entry.messageBody().startsWith(BAD)) {
                failed.add(failed(entry, true, "InvalidMessageContents"));
            } else if (isUnlucky(1)) {
                failed.add(
                        random.nextBoolean()
                                ? failed(entry, false, "InternalError")
                                : failed(entry, true, "RequestThrottled"));
            } else {
                boolean isLost = isUnlucky(2) && random.nextBoolean();
                if (!isLost) {
                    take(entry);
                }
                if (!isLost && !isUnlucky(2)) {
                    successful.add(SendMessageBatchResultEntry.builder()
                            .id(entry.id())
                            .messageId(entry.messageBody())
                            .build());
                }
            }
        }
        if (isUnlucky(4)) {
            throw SdkClientException.create("lost on the way back");
        }
        Collections.shuffle(successful, random);
        return SendMessageBatchResponse.builder()
                .successful(successful)
                .failed(failed)
                .build();
    }

    private void take(SendMessageBatchRequestEntry entry) {
        Long before = takenAt.get(entry.messageDeduplicationId());
        if (before == null || millis.getAsLong() - before >= WINDOW_MILLIS) {
            takenAt.put(entry.messageDeduplicationId(), millis.getAsLong());
            messages.add(entry);
        }
    }

    private static BatchResultErrorEntry failed(
            SendMessageBatchRequestEntry entry, boolean isSendersFault, String code) {
        return BatchResultErrorEntry.builder()
                .id(entry.id())
                .senderFault(isSendersFault)
                .code(code)
                .build();
    }

    private boolean isUnlucky(int rarer) {
        return random.nextInt(100 * rarer) < badLuck;
    }

    @Override
    public String serviceName() {
        return SERVICE_NAME;
    }

    @Override
    public void close() {}
}
