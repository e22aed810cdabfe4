/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Finds the keys of a request that an answer has items for, and those it has not come to. A key that it says nothing of
 * has no item, unless the answer names what was not asked for: then nobody knows.
 */
final class ReadResults {

    private final Verdict[] verdicts;
    private final Failure notReached;
    private final Failure strange;
    /** Positions by table and canonical key. */
    private final Map<String, Map<Object, List<Integer>>> positions = new HashMap<>();
    /** Names of the key attributes by table; one set, unless the caller has mixed things up. */
    private final Map<String, Set<Set<String>>> keyNames = new HashMap<>();

    private boolean stranger;

    /**
     * @param items what the request carried; each a {@link Key}
     * @param status HTTP status of the answer
     */
    ReadResults(List<BulkItem> items, int status) {
        verdicts = new Verdict[items.size()];
        notReached = new Failure(status, null, "left unread by the service");
        strange = new Failure(status, null, "the answer names a key that was not sent, or cannot be read");
        for (int i = 0; i < items.size(); i++) {
            Key key = (Key) items.get(i);
            positions
                    .computeIfAbsent(key.table(), table -> new HashMap<>())
                    .computeIfAbsent(Canonical.of(key.values()), value -> new ArrayList<>(1))
                    .add(i);
            keyNames.computeIfAbsent(key.table(), table -> new LinkedHashSet<>(1))
                    .add(key.values().keySet());
        }
    }

    void addFound(String table, Map<String, AttributeValue> item) {
        boolean isAsked = false;
        for (Set<String> names : keyNames.getOrDefault(table, Set.of())) {
            if (item.keySet().containsAll(names)) {
                Map<String, AttributeValue> key = new HashMap<>(item);
                key.keySet().retainAll(names);
                isAsked |= set(table, key, Verdict.landed(AttributeValues.toPlainMap(item)));
            }
        }
        stranger |= !isAsked;
    }

    void addUnprocessed(String table, Map<String, AttributeValue> key) {
        stranger |= !set(table, key, Verdict.notReached(notReached));
    }

    /** A part of the answer cannot be read. */
    void addUnreadable() {
        stranger = true;
    }

    Reply reply() {
        return new Reply.Verdicts(
                Arrays.stream(verdicts)
                        .map(verdict ->
                                verdict != null ? verdict : stranger ? Verdict.unknown(strange) : Verdict.landed())
                        .toList(),
                0);
    }

    private boolean set(String table, Map<String, AttributeValue> key, Verdict verdict) {
        List<Integer> named = positions.getOrDefault(table, Map.of()).getOrDefault(Canonical.of(key), List.of());
        named.forEach(position -> verdicts[position] = verdict);
        return !named.isEmpty();
    }
}
