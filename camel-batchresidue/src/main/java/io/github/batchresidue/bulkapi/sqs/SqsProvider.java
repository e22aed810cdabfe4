/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.sqs;

import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkApiContext;
import io.github.batchresidue.bulkapi.BulkApiProvider;
import java.util.List;
import java.util.Set;
import org.apache.camel.Endpoint;

/** Makes {@link SqsApi}, and loads without the AWS SDK. */
public final class SqsProvider implements BulkApiProvider {

    /** What is done with the entries, where the delegate's own option cannot say it. */
    static final String OPERATION = "operation";
    /** The queue, for delegates other than {@code aws2-sqs}, which names its own. */
    static final String QUEUE_URL = "queueUrl";
    /** The queue's own limit of a message. */
    static final String MAXIMUM_MESSAGE_SIZE = "maximumMessageSize";
    /** Seconds for entries that say none. */
    static final String VISIBILITY_TIMEOUT = "visibilityTimeout";

    @Override
    public List<String> names() {
        return List.of("sqs");
    }

    @Override
    public Set<String> optionNames() {
        return Set.of(OPERATION, QUEUE_URL, MAXIMUM_MESSAGE_SIZE, VISIBILITY_TIMEOUT);
    }

    @Override
    public List<String> coordinates() {
        return List.of("org.apache.camel:camel-aws2-sqs");
    }

    @Override
    public boolean isSpokenBy(Endpoint delegate) {
        return delegate.getEndpointUri().startsWith("aws2-sqs:");
    }

    @Override
    public BulkApi create(BulkApiContext context) {
        return new SqsApi(context);
    }
}
