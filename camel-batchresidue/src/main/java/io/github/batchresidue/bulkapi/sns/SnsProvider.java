/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.sns;

import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkApiContext;
import io.github.batchresidue.bulkapi.BulkApiProvider;
import java.util.List;
import java.util.Set;
import org.apache.camel.Endpoint;

/** Makes {@link SnsApi}, and loads without the AWS SDK. */
public final class SnsProvider implements BulkApiProvider {

    /** The topic, for delegates other than {@code aws2-sns}, which names its own. */
    static final String TOPIC_ARN = "topicArn";
    /** The topic's own limit of a message and of a request. */
    static final String MAXIMUM_MESSAGE_SIZE = "maximumMessageSize";

    @Override
    public List<String> names() {
        return List.of("sns");
    }

    @Override
    public Set<String> optionNames() {
        return Set.of(TOPIC_ARN, MAXIMUM_MESSAGE_SIZE);
    }

    @Override
    public List<String> coordinates() {
        return List.of("org.apache.camel:camel-aws2-sns");
    }

    @Override
    public boolean isSpokenBy(Endpoint delegate) {
        return delegate.getEndpointUri().startsWith("aws2-sns:");
    }

    @Override
    public BulkApi create(BulkApiContext context) {
        return new SnsApi(context);
    }
}
