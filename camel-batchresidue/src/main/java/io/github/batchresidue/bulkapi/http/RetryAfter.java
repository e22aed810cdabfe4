/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.http;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.regex.Pattern;

/** The header {@code Retry-After}: seconds, which some services write with decimals, or a date (RFC 9110, 10.2.3). */
public final class RetryAfter {

    private static final Pattern SECONDS = Pattern.compile("\\d{1,12}(\\.\\d{1,9})?");

    private RetryAfter() {}

    /** The wait in milliseconds from now; 0 if the value is in the past or cannot be read. */
    public static long millis(String value) {
        return millis(value, Instant.now());
    }

    static long millis(String value, Instant now) {
        String text = value.trim();
        return SECONDS.matcher(text).matches()
                ? new BigDecimal(text)
                        .movePointRight(3)
                        .setScale(0, RoundingMode.CEILING)
                        .longValueExact()
                : millisUntil(text, now);
    }

    private static long millisUntil(String date, Instant now) {
        try {
            Instant then = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            return Math.max(0, Duration.between(now, then).toMillis());
        } catch (DateTimeParseException | ArithmeticException e) {
            return 0;
        }
    }
}
