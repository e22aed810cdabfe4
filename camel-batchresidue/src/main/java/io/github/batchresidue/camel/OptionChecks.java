/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Refuses option values that make no sense, before anything is sent. */
final class OptionChecks {

    /** Numbers and durations, by the name that Camel binds whatever its case. */
    private static final Map<String, Kind> KINDS = kinds();

    private static final Pattern INTEGER = Pattern.compile("-?\\d+");
    private static final Pattern DURATION =
            Pattern.compile("(?i)-?\\d+|(?=\\d)(\\d+d)?(\\d+h)?(\\d+m)?(\\d+s)?(\\d+ms)?|PT?\\d[\\dDHMST.]*");

    private enum Kind {
        INT("a whole number"),
        LONG("a whole number"),
        DURATION("milliseconds or a duration such as 500ms, 1s or 1m30s");

        private final String expected;

        Kind(String expected) {
            this.expected = expected;
        }
    }

    private OptionChecks() {}

    private static Map<String, Kind> kinds() {
        Map<String, Kind> kinds = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String name : List.of("batchSize", "parallelRequests", "maxPendingResidue", "maximumRedeliveries")) {
            kinds.put(name, Kind.INT);
        }
        kinds.put("batchBytes", Kind.LONG);
        for (String name : List.of("redeliveryDelay", "maximumRedeliveryDelay", "redeliveryTimeout")) {
            kinds.put(name, Kind.DURATION);
        }
        return kinds;
    }

    /** The options that {@link #checkTexts} looks at. */
    static Set<String> checkedAsText() {
        return KINDS.keySet();
    }

    /**
     * Refuses texts of which Camel's binding would make something else without a word: of {@code 5q} or {@code 1.7} it
     * makes 0, and of a number that is too large another one.
     *
     * @throws IllegalArgumentException naming the option and its value
     */
    static void checkTexts(Map<String, Object> parameters) {
        parameters.forEach((name, value) -> {
            Kind kind = KINDS.get(name);
            if (kind != null && value instanceof String text && !text.startsWith("#") && !isGood(kind, text.trim())) {
                throw new IllegalArgumentException(name + "=" + text + ": expected " + kind.expected);
            }
        });
    }

    private static boolean isGood(Kind kind, String text) {
        if (kind == Kind.DURATION && !INTEGER.matcher(text).matches()) {
            return DURATION.matcher(text).matches();
        }
        try {
            long number = Long.parseLong(text);
            return kind != Kind.INT || number == (int) number;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /** @throws IllegalArgumentException naming the option and its value */
    static void check(BatchResidueConfiguration options) {
        atLeast(1, "batchSize", options.getBatchSize());
        atLeast(1, "batchBytes", options.getBatchBytes());
        atLeast(1, "parallelRequests", options.getParallelRequests());
        atLeast(0, "maxPendingResidue", options.getMaxPendingResidue());
        atLeast(-1, "maximumRedeliveries", options.getMaximumRedeliveries());
        atLeast(0, "redeliveryDelay", options.getRedeliveryDelay());
        atLeast(0, "maximumRedeliveryDelay", options.getMaximumRedeliveryDelay());
        atLeast(0, "redeliveryTimeout", options.getRedeliveryTimeout());
        if (options.getBackOffMultiplier() != null && !(options.getBackOffMultiplier() >= 1)) {
            throw new IllegalArgumentException(
                    "backOffMultiplier=" + options.getBackOffMultiplier() + ": expected 1 or more");
        }
        if (!List.of("auto", "true", "false").contains(options.getRetainLanded())) {
            throw new IllegalArgumentException(
                    "retainLanded=" + options.getRetainLanded() + ": expected auto, true or false");
        }
        checkPolicyStandsAlone(options);
    }

    private static void checkPolicyStandsAlone(BatchResidueConfiguration options) {
        if (options.getRedeliveryPolicy() == null) {
            return;
        }
        List<String> beside = new ArrayList<>();
        addIfGiven("maximumRedeliveries", options.getMaximumRedeliveries(), beside);
        addIfGiven("redeliveryDelay", options.getRedeliveryDelay(), beside);
        addIfGiven("backOffMultiplier", options.getBackOffMultiplier(), beside);
        addIfGiven("maximumRedeliveryDelay", options.getMaximumRedeliveryDelay(), beside);
        addIfGiven("jitter", options.getJitter(), beside);
        if (!beside.isEmpty()) {
            throw new IllegalArgumentException("redeliveryPolicy is taken as it is: remove " + String.join(", ", beside)
                    + ", or remove the policy");
        }
    }

    private static void addIfGiven(String name, Object value, List<String> given) {
        if (value != null) {
            given.add(name + "=" + value);
        }
    }

    private static void atLeast(long minimum, String name, Number value) {
        if (value != null && value.longValue() < minimum) {
            throw new IllegalArgumentException(name + "=" + value + ": expected " + minimum + " or more");
        }
    }
}
