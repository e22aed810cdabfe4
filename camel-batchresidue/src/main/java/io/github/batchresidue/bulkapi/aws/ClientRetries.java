/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.SdkClient;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;

/**
 * The retries a client makes on its own. They multiply the attempts of a run, break its waits, and hide whether an
 * earlier attempt landed.
 */
public final class ClientRetries {

    private static final Logger LOG = LoggerFactory.getLogger(ClientRetries.class);

    private ClientRetries() {}

    /**
     * Warns if the client sends a request more than once.
     *
     * @param option the option of the delegate that takes a client, for the advice
     */
    public static void warn(SdkClient client, String option) {
        int attempts = attempts(client);
        if (attempts > 1) {
            LOG.warn(
                    "The AWS client of the delegate sends a failing request up to {} times by itself, hidden from"
                            + " redeliveries, waits and limits. Give the delegate a client built with"
                            + " overrideConfiguration(c -> c.retryStrategy(AwsRetryStrategy.doNotRetry())) by its"
                            + " option {}.",
                    attempts,
                    option);
        }
    }

    /** How often at most the client sends a request; 1 if it does not tell. */
    @SuppressWarnings("deprecation") // A retry policy rules where it is set; the strategy beside it shows the defaults.
    static int attempts(SdkClient client) {
        ClientOverrideConfiguration configuration;
        try {
            configuration = client.serviceClientConfiguration().overrideConfiguration();
        } catch (UnsupportedOperationException e) {
            return 1; // Not a client of the SDK's own: a wrapper or a fake.
        }
        return configuration
                .retryPolicy()
                .map(policy -> policy.numRetries() + 1)
                .or(() -> configuration.retryStrategy().map(strategy -> strategy.maxAttempts()))
                .orElse(1);
    }
}
