/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi;

/**
 * What one request of a bulk API may hold.
 *
 * @param maxItems most items; {@link #NONE} if the API has no limit
 * @param maxBytes most bytes; {@link #NONE} if the API has no limit
 * @param envelopeBytes bytes that a request has beside its items, counted into {@code maxBytes}
 */
public record Limits(int maxItems, long maxBytes, long envelopeBytes) {

    /** No limit. */
    public static final int NONE = 0;

    public Limits {
        if (maxItems < 0 || maxBytes < 0 || envelopeBytes < 0) {
            throw new IllegalArgumentException("limits must not be negative: " + maxItems + " items, " + maxBytes
                    + " bytes, " + envelopeBytes + " envelope bytes");
        }
    }
}
