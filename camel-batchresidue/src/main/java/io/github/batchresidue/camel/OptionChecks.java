/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import java.util.ArrayList;
import java.util.List;

/** Refuses option values that make no sense, before anything is sent. */
final class OptionChecks {

    private OptionChecks() {}

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
