/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Verdict;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * Finds the items of a request that the answer echoes as not processed. An echo names its item by value alone: by table
 * and attributes, written in any way. Every echo takes one item of its value, a further one of a value whose items are
 * all taken is ignored. An echo of what was never sent says that something is wrong between here and the table: what the
 * answer does not name is then unknown.
 */
final class UnprocessedItems {

    private final List<BulkItem> items;
    private final Failure failure;
    private final List<Verdict> verdicts;
    /** Of the tables that are echoed: positions by canonical form that no echo has taken yet. */
    private final Map<String, Map<Object, Deque<Integer>>> positions = new HashMap<>();

    private boolean stranger;

    /**
     * @param items what the request carried; each an {@link Operation}
     * @param status HTTP status of the answer
     */
    UnprocessedItems(List<BulkItem> items, int status) {
        this.items = items;
        this.failure = new Failure(status, null, "left unprocessed by the service");
        this.verdicts = new ArrayList<>(Collections.nCopies(items.size(), null));
    }

    /** Reads one echo: an SDK {@link WriteRequest} or what else the reader takes for one. */
    void add(String table, Object echo, OperationReader reader) {
        Deque<Integer> untaken;
        try {
            Object canonical = Canonical.of(reader.read(echo));
            untaken = positions.computeIfAbsent(table, this::positionsOf).get(canonical);
        } catch (InvalidItemException | RuntimeException e) {
            stranger = true; // Null where a value is due may be found only by taking it for one.
            return;
        }
        if (untaken == null) {
            stranger = true;
        } else if (!untaken.isEmpty()) {
            verdicts.set(untaken.remove(), Verdict.residue(failure));
        }
    }

    /** The echo cannot be read: nobody knows whose it is. */
    void addUnreadable() {
        stranger = true;
    }

    Reply reply() {
        Verdict unnamed = stranger
                ? Verdict.unknown(new Failure(
                        failure.status(),
                        null,
                        "the answer names an operation as unprocessed that was not sent, or cannot be read"))
                : Verdict.landed();
        verdicts.replaceAll(verdict -> verdict == null ? unnamed : verdict);
        return new Reply.Verdicts(verdicts, 0);
    }

    private Map<Object, Deque<Integer>> positionsOf(String table) {
        Map<Object, Deque<Integer>> ofTable = new HashMap<>();
        for (int i = 0; i < items.size(); i++) {
            Operation operation = (Operation) items.get(i);
            if (operation.table().equals(table)) {
                ofTable.computeIfAbsent(Canonical.of(operation.request()), value -> new ArrayDeque<>(1))
                        .add(i);
            }
        }
        return ofTable;
    }
}
