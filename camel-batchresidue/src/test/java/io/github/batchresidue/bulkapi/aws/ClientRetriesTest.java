/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.retry.RetryMode;
import software.amazon.awssdk.core.retry.RetryPolicy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

class ClientRetriesTest {

    @Test
    void theDefaultOfDynamoDbIsNineAttempts() {
        assertThat(attempts(client())).isEqualTo(9);
    }

    @Test
    void aStrategyTells() {
        assertThat(attempts(client().overrideConfiguration(c -> c.retryStrategy(AwsRetryStrategy.doNotRetry()))))
                .isEqualTo(1);
        assertThat(attempts(client().overrideConfiguration(c -> c.retryStrategy(RetryMode.STANDARD))))
                .isEqualTo(3);
    }

    @Test
    @SuppressWarnings("deprecation")
    void anOlderPolicyRules() {
        assertThat(attempts(client().overrideConfiguration(c -> c.retryPolicy(RetryPolicy.none()))))
                .isEqualTo(1);
    }

    @Test
    void aFakeClientTellsNothing() {
        DynamoDbClient fake = new DynamoDbClient() {
            @Override
            public String serviceName() {
                return "fake";
            }

            @Override
            public void close() {}
        };

        assertThat(ClientRetries.attempts(fake)).isEqualTo(1);
    }

    private static DynamoDbClientBuilder client() {
        return TestClients.withDefaults(URI.create("http://127.0.0.1:1"));
    }

    private static int attempts(DynamoDbClientBuilder builder) {
        try (DynamoDbClient client = builder.build()) {
            return ClientRetries.attempts(client);
        }
    }
}
