/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reason;
import io.github.batchresidue.engine.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import software.amazon.awssdk.awscore.AwsRequest;

/**
 * An entry of a request whose answer names its entries by id. Ids are given when a request is written: an id of the
 * caller's need not be unique in the requests that his entries come to share.
 *
 * @param <E> the entry, an object of the SDK's
 * @param body what the caller handed in
 * @param envelope the request it came in, without entries; null if it came alone
 * @param key null if it has none
 * @param id what the caller calls it; null if he gave it no name
 * @param bytes counted as the service counts them
 * @param resending whether a second attempt does harm
 * @param refusal why it can never be sent; null if it may be
 */
public record BatchEntry<E>(
        Object body,
        E entry,
        AwsRequest envelope,
        Object key,
        String id,
        long bytes,
        Resending resending,
        Refusal refusal)
        implements BulkItem {

    /**
     * The refusal of a message that is too large.
     *
     * @param target what does not take it
     * @return null if it is not
     */
    public static Refusal tooLarge(long bytes, long most, String target) {
        return bytes <= most
                ? null
                : new Refusal(
                        Reason.TOO_LARGE,
                        new Failure(
                                0,
                                null,
                                "a message of " + bytes + " bytes, attributes counted, is larger than the " + most
                                        + " bytes that the " + target + " takes"));
    }

    /** The request that these items came in, without entries; null if they came alone. */
    public static <Q extends AwsRequest> Q envelope(List<BulkItem> items, Class<Q> type) {
        return type.cast(((BatchEntry<?>) items.get(0)).envelope());
    }

    /**
     * The entries of a request that is about to be sent.
     *
     * @param withId gives an entry the id by which {@link BatchResults} knows it
     */
    public static <E> List<E> entries(List<BulkItem> items, Class<E> type, BiFunction<E, String, E> withId) {
        List<E> entries = new ArrayList<>(items.size());
        for (BulkItem item : items) {
            BatchEntry<?> entry = (BatchEntry<?>) item;
            entry.resending().begin();
            entries.add(withId.apply(type.cast(entry.entry()), BatchResults.id(entries.size())));
        }
        return entries;
    }

    @Override
    public boolean safeToResend() {
        return resending.isSafe();
    }

    @Override
    public String toString() {
        return "BatchEntry[" + bytes + " bytes]"; // Not its content: this may be logged.
    }
}
