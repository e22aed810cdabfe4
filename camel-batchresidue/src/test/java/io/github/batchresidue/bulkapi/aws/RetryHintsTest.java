/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.http.SdkHttpResponse;

class RetryHintsTest {

    private static final Clock NOON = Clock.fixed(Instant.parse("2026-01-01T12:00:00Z"), ZoneOffset.UTC);

    @ParameterizedTest
    @CsvSource({
        "x-amz-retry-after, 600, 600",
        "x-amz-retry-after, -5, 0",
        "x-amz-retry-after, soon, 0",
        "x-amz-retry-after, 99999999999999999999, 2147483647",
        "Retry-After, 2, 2000",
        "Retry-After, 0.25, 250",
        "retry-after, ' 3 ', 3000",
        "Retry-After, 'Thu, 01 Jan 2026 12:00:05 GMT', 5000",
        "Retry-After, 'Thu, 01 Jan 2026 11:00:00 GMT', 0",
        "Retry-After, Thursday, 0",
        "Retry-After, '', 0",
        "Date, 5, 0"
    })
    void millisAreRead(String header, String value, long millis) {
        SdkHttpResponse response = SdkHttpResponse.builder()
                .statusCode(503)
                .putHeader(header, value)
                .build();

        assertThat(RetryHints.millis(response, NOON)).isEqualTo(millis);
    }
}
