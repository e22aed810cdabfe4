/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.sqs;

import io.github.batchresidue.bulkapi.BulkApiContext;
import org.apache.camel.component.aws2.sqs.Sqs2Configuration;
import org.apache.camel.component.aws2.sqs.Sqs2Endpoint;

/** The queue that requests go to which name none. Thread-safe. */
final class Queue {

    /** FIFO queues are named so, and no others may be. */
    private static final String FIFO = ".fifo";

    /** Null if the delegate is of another component. */
    private final Sqs2Endpoint endpoint;
    /** Null until it is asked for. */
    private volatile String url;

    private Queue(Sqs2Endpoint endpoint, String url) {
        this.endpoint = endpoint;
        this.url = url;
    }

    static Queue of(BulkApiContext context) {
        String option = context.text(SqsProvider.QUEUE_URL);
        if (!(context.delegate() instanceof Sqs2Endpoint sqs)) {
            return new Queue(null, option);
        }
        if (option != null) {
            throw new IllegalArgumentException("bulkApi.queueUrl=" + option + ": the delegate names the queue, "
                    + sqs.getConfiguration().getQueueName());
        }
        return new Queue(sqs, knownUrl(sqs.getConfiguration()));
    }

    /** As the delegate knows it without asking, which takes a permission; null if it does not. */
    private static String knownUrl(Sqs2Configuration queue) {
        if (queue.getQueueUrl() != null) {
            return queue.getQueueUrl();
        }
        if (queue.getRegion() == null || queue.getQueueOwnerAWSAccountId() == null) {
            return null;
        }
        String host = queue.getAmazonAWSHost();
        String service = host.equals("amazonaws.com") ? "sqs." + queue.getRegion() + "." + host : host;
        return queue.getProtocol() + "://" + service.replaceAll("/$", "") + "/" + queue.getQueueOwnerAWSAccountId()
                + "/" + queue.getQueueName();
    }

    /**
     * Its URL, asked for by GetQueueUrl if the delegate does not say it.
     *
     * @throws IllegalArgumentException if nobody names a queue
     */
    String url() {
        if (url == null && endpoint == null) {
            throw new IllegalArgumentException(
                    "bulkApi.queueUrl: give the queue; neither the delegate nor the request names it");
        }
        if (url == null) {
            Sqs2Configuration queue = endpoint.getConfiguration();
            url = endpoint.getClient()
                    .getQueueUrl(request -> request.queueName(queue.getQueueName())
                            .queueOwnerAWSAccountId(queue.getQueueOwnerAWSAccountId()))
                    .queueUrl();
        }
        return url;
    }

    /**
     * Whether it keeps the order of a message group and drops duplicates.
     *
     * @param otherUrl the queue that a request names itself; null if it names none
     * @param hasDeduplicationId whether a message has one, which only a FIFO queue takes
     */
    boolean isFifo(String otherUrl, boolean hasDeduplicationId) {
        if (otherUrl != null) {
            return otherUrl.endsWith(FIFO);
        }
        if (endpoint != null) {
            return endpoint.getConfiguration().getQueueName().endsWith(FIFO);
        }
        return url == null ? hasDeduplicationId : url.endsWith(FIFO);
    }
}
