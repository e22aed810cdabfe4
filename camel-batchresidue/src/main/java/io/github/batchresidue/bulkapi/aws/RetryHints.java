/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import io.github.batchresidue.bulkapi.http.RetryAfter;
import java.time.Clock;
import software.amazon.awssdk.http.SdkHttpResponse;

/** The wait that the headers of an answer ask for. */
final class RetryHints {

    private RetryHints() {}

    /** Milliseconds, 0 if none is asked for: the longer of {@code x-amz-retry-after} and {@code Retry-After}. */
    static long millis(SdkHttpResponse response, Clock clock) {
        long own = response.firstMatchingHeader("x-amz-retry-after")
                .map(RetryAfter::ofMillis)
                .orElse(0L);
        long http = response.firstMatchingHeader("Retry-After")
                .map(text -> RetryAfter.millis(text, clock))
                .orElse(0L);
        return Math.max(own, http);
    }
}
