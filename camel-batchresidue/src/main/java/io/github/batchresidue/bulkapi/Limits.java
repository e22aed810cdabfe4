/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi;

import io.github.batchresidue.engine.RequestRule;
import java.util.Objects;

/**
 * What one request of a bulk API may hold.
 *
 * @param maxItems most items; {@link #NONE}, which is 0, if the API has no limit
 * @param maxBytes most bytes; {@link #NONE} if the API has no limit
 * @param envelopeBytes bytes that a request has beside its items, counted into {@code maxBytes}
 * @param rule what else a request may hold; it is shown the {@link BulkItem}s
 */
public record Limits(int maxItems, long maxBytes, long envelopeBytes, RequestRule rule) {

    /** No limit. */
    public static final int NONE = 0;

    public Limits {
        Objects.requireNonNull(rule, "rule");
        if (maxItems < 0 || maxBytes < 0 || envelopeBytes < 0) {
            throw new IllegalArgumentException("limits must not be negative: " + maxItems + " items, " + maxBytes
                    + " bytes, " + envelopeBytes + " envelope bytes");
        }
    }

    /** Limits that say all with numbers. */
    public Limits(int maxItems, long maxBytes, long envelopeBytes) {
        this(maxItems, maxBytes, envelopeBytes, RequestRule.NONE);
    }
}
