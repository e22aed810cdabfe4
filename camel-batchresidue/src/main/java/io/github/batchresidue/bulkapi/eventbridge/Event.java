/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.eventbridge;

import io.github.batchresidue.bulkapi.BulkItem;
import java.nio.charset.StandardCharsets;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequest;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;

/**
 * One entry. Sent twice it is two events, so that one which may have landed is not sent again on its own.
 *
 * @param envelope the request it came in, without its entries; null if it came alone
 * @param body what the caller handed in
 * @param key null if it has none
 */
record Event(PutEventsRequestEntry entry, PutEventsRequest envelope, Object body, Object key) implements BulkItem {

    private static final long TIME_BYTES = 14;

    /** As the user guide counts an entry. */
    @Override
    public long bytes() {
        long resources = entry.resources().stream().mapToLong(Event::utf8).sum();
        return (entry.time() == null ? 0 : TIME_BYTES)
                + utf8(entry.source())
                + utf8(entry.detailType())
                + utf8(entry.detail())
                + resources;
    }

    private static long utf8(String text) {
        return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
    }

    @Override
    public String toString() {
        return "Event[" + bytes() + " bytes]"; // Not its content: this may be logged.
    }
}
