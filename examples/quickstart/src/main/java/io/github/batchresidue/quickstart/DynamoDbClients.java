/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.quickstart;

import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/**
 * Makes the client of the table. It sends each request once: by default the SDK would repeat a throttled request by
 * itself, at times of its own, beneath the waits and limits of the route.
 */
final class DynamoDbClients {

    private DynamoDbClients() {}

    /**
     * A client of the service, with credentials and region from where the SDK looks for them (environment, profile, …).
     *
     * @param endpoint a URL, or {@code aws} for the one of the region
     */
    static DynamoDbClient ofService(String endpoint) {
        DynamoDbClientBuilder builder = builder();
        if (!endpoint.equals("aws")) {
            builder.endpointOverride(URI.create(endpoint));
        }
        return builder.build();
    }

    /** A client of a simulated service, which asks for no credentials but gets some: the SDK signs every request. */
    static DynamoDbClient ofSimulator(URI endpoint) {
        return builder()
                .endpointOverride(endpoint)
                .region(Region.EU_WEST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("none", "none")))
                .build();
    }

    private static DynamoDbClientBuilder builder() {
        return DynamoDbClient.builder()
                .overrideConfiguration(client -> client.retryStrategy(AwsRetryStrategy.doNotRetry()));
    }
}
