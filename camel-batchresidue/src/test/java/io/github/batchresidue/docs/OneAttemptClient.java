/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.docs;

import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/** The client of the README, which repeats nothing by itself. */
final class OneAttemptClient {

    private OneAttemptClient() {}

    static DynamoDbClient of(DynamoDbClientBuilder builder) {
        // tag::client[]
        DynamoDbClient client = builder.overrideConfiguration(
                        override -> override.retryStrategy(AwsRetryStrategy.doNotRetry()))
                .build();
        // end::client[]
        return client;
    }
}
