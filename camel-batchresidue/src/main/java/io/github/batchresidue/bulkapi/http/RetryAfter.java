/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.http;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

/** The header {@code Retry-After}: seconds, which some services write with decimals, or a date (RFC 9110, 10.2.3). */
public final class RetryAfter {

    /** Longer ones are cut: nobody means to wait for more than 24 days, and a sum of times must not overflow. */
    private static final BigDecimal LONGEST = BigDecimal.valueOf(Integer.MAX_VALUE);

    /** More are no hint, and take long to round. */
    private static final int MOST_DECIMALS = 100;

    private RetryAfter() {}

    /** The wait in milliseconds from now; 0 if the value is in the past or cannot be read. */
    public static long millis(String value) {
        return millis(value, Clock.systemUTC());
    }

    /** The wait in milliseconds of a header that counts in milliseconds; 0 if the value cannot be read. */
    public static long ofMillis(String value) {
        return number(value.trim(), 1);
    }

    /** The wait in milliseconds from the clock's time; 0 if the value is in the past or cannot be read. */
    public static long millis(String value, Clock clock) {
        String text = value.trim();
        return !text.isEmpty() && Character.isLetter(text.charAt(0)) ? untilDate(text, clock) : number(text, 1000);
    }

    private static long number(String text, int millisPerUnit) {
        try {
            BigDecimal number = new BigDecimal(text);
            if (number.scale() > MOST_DECIMALS) {
                return 0;
            }
            return number.multiply(BigDecimal.valueOf(millisPerUnit))
                    .min(LONGEST)
                    .max(BigDecimal.ZERO)
                    .setScale(0, RoundingMode.CEILING)
                    .longValue();
        } catch (NumberFormatException e) {
            return 0; // Not a hint: the own back-off stands.
        }
    }

    private static long untilDate(String text, Clock clock) {
        try {
            ZonedDateTime date = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME);
            long millis = date.toInstant().toEpochMilli() - clock.millis();
            return Math.max(0, Math.min(millis, LONGEST.longValue()));
        } catch (DateTimeException e) {
            return 0; // Not a hint: the own back-off stands.
        }
    }
}
