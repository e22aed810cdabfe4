/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import java.math.BigDecimal;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import software.amazon.awssdk.http.SdkHttpResponse;

/** The wait that the headers of an answer ask for. */
final class RetryHints {

    /** Longer ones are cut: nobody means to wait for more than 24 days, and a sum of times must not overflow. */
    private static final BigDecimal LONGEST = BigDecimal.valueOf(Integer.MAX_VALUE);

    private RetryHints() {}

    /** Milliseconds, 0 if none is asked for: the longer of {@code x-amz-retry-after} and {@code Retry-After}. */
    static long millis(SdkHttpResponse response, Clock clock) {
        long own = response.firstMatchingHeader("x-amz-retry-after")
                .map(text -> number(text, 1))
                .orElse(0L);
        long http = response.firstMatchingHeader("Retry-After")
                .map(text -> Character.isLetter(text.charAt(0)) ? untilDate(text, clock) : number(text, 1000))
                .orElse(0L);
        return Math.max(own, http);
    }

    private static long number(String text, int millisPerUnit) {
        try {
            BigDecimal millis = new BigDecimal(text.trim()).multiply(BigDecimal.valueOf(millisPerUnit));
            return millis.min(LONGEST).max(BigDecimal.ZERO).longValue();
        } catch (NumberFormatException e) {
            return 0; // Not a hint: the own back-off stands.
        }
    }

    private static long untilDate(String text, Clock clock) {
        try {
            ZonedDateTime date = ZonedDateTime.parse(text.trim(), DateTimeFormatter.RFC_1123_DATE_TIME);
            long millis = date.toInstant().toEpochMilli() - clock.millis();
            return Math.max(0, Math.min(millis, LONGEST.longValue()));
        } catch (DateTimeException e) {
            return 0; // Not a hint: the own back-off stands.
        }
    }
}
