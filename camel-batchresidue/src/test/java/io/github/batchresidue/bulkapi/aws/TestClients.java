/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import java.net.URI;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/** Real clients of the SDK for a simulated service. */
public final class TestClients {

    private TestClients() {}

    /** A client of any service, with the SDK's own retries or without. */
    public static <B extends AwsClientBuilder<B, C>, C> C of(B builder, URI endpoint, boolean sendsOnce) {
        B made = builder.endpointOverride(endpoint)
                .region(Region.EU_WEST_1)
                .credentialsProvider(
                        StaticCredentialsProvider.create(AwsBasicCredentials.create("anyone", "anything")));
        if (sendsOnce) {
            made.overrideConfiguration(c -> c.retryStrategy(AwsRetryStrategy.doNotRetry()));
        }
        return made.build();
    }

    /** As the SDK makes them, with its own retries. */
    public static DynamoDbClientBuilder withDefaults(URI endpoint) {
        return DynamoDbClient.builder()
                .endpointOverride(endpoint)
                .region(Region.EU_WEST_1)
                .credentialsProvider(
                        StaticCredentialsProvider.create(AwsBasicCredentials.create("anyone", "anything")));
    }

    /** Sends each request once. */
    public static DynamoDbClient sendingOnce(URI endpoint) {
        return withDefaults(endpoint)
                .overrideConfiguration(c -> c.retryStrategy(AwsRetryStrategy.doNotRetry()))
                .build();
    }

    /** Sends each request once and waits only a moment for the answer. */
    public static DynamoDbClient impatient(URI endpoint) {
        return sendingOnceOver(endpoint, ApacheHttpClient.builder().socketTimeout(Duration.ofMillis(200)));
    }

    /** Sends each request once, one at a time, and waits only a moment for its turn. */
    static DynamoDbClient withOneConnection(URI endpoint) {
        return sendingOnceOver(
                endpoint,
                ApacheHttpClient.builder().maxConnections(1).connectionAcquisitionTimeout(Duration.ofMillis(50)));
    }

    private static DynamoDbClient sendingOnceOver(URI endpoint, ApacheHttpClient.Builder http) {
        return withDefaults(endpoint)
                .overrideConfiguration(c -> c.retryStrategy(AwsRetryStrategy.doNotRetry()))
                .httpClientBuilder(http)
                .build();
    }
}
