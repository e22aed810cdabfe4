/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Verdict;
import java.util.Map;

/**
 * What an error of one operation means. The types and their statuses are those of the server's exception classes
 * (Elasticsearch 8.19 to 9.5, OpenSearch 3.9); a type decides before a status.
 */
final class BulkErrors {

    /** What a type says whatever its status. */
    private enum Meaning {
        RESIDUE,
        UNKNOWN,
        BY_STATUS
    }

    /** Elasticsearch 9.1 and later: an operation beyond {@code max_operation_size} is a 429 that never heals. */
    private static final String OVERSIZED = "exceeds the maximum allowed limit";

    private static final Map<String, Meaning> BY_TYPE = Map.ofEntries(
            Map.entry("es_rejected_execution_exception", Meaning.RESIDUE),
            Map.entry("rejected_execution_exception", Meaning.RESIDUE),
            Map.entry("circuit_breaking_exception", Meaning.RESIDUE),
            Map.entry("process_cluster_event_timeout_exception", Meaning.RESIDUE),
            Map.entry("unavailable_shards_exception", Meaning.RESIDUE),
            Map.entry("no_shard_available_action_exception", Meaning.RESIDUE),
            Map.entry("master_not_discovered_exception", Meaning.RESIDUE),
            Map.entry("cluster_manager_not_discovered_exception", Meaning.RESIDUE),
            Map.entry("connect_transport_exception", Meaning.RESIDUE),
            Map.entry("node_not_connected_exception", Meaning.RESIDUE),
            // A shard that is being moved.
            Map.entry("illegal_index_shard_state_exception", Meaning.RESIDUE),
            // The primary may have executed the operation before time ran out or the connection was lost.
            Map.entry("timeout_exception", Meaning.UNKNOWN),
            Map.entry("receive_timeout_transport_exception", Meaning.UNKNOWN),
            Map.entry("node_disconnected_exception", Meaning.UNKNOWN),
            Map.entry("node_closed_exception", Meaning.UNKNOWN));

    private static final String VERSION_CONFLICT = "version_conflict_engine_exception";

    private BulkErrors() {}

    static Verdict verdict(BulkOperation operation, Failure failure) {
        String reason = failure.message();
        Meaning meaning =
                failure.code() == null ? Meaning.BY_STATUS : BY_TYPE.getOrDefault(failure.code(), Meaning.BY_STATUS);
        if (meaning == Meaning.UNKNOWN) {
            return Verdict.unknown(failure);
        }
        if (meaning == Meaning.RESIDUE) {
            return reason != null && reason.contains(OVERSIZED) ? Verdict.tooLarge(failure) : Verdict.residue(failure);
        }
        return switch (failure.status()) {
            case 409 -> conflict(operation, failure);
            case 413 -> Verdict.tooLarge(failure);
            case 429, 503 -> Verdict.residue(failure);
            default ->
                failure.status() >= 400 && failure.status() < 500 && failure.status() != 408
                        ? Verdict.terminal(failure)
                        : Verdict.unknown(failure);
        };
    }

    /** Only a create, or a write with an external version, can have met its own earlier attempt. */
    private static Verdict conflict(BulkOperation operation, Failure failure) {
        boolean isOurs = operation.action() == Action.CREATE
                || operation.action() != Action.UPDATE && operation.line().isVersioned();
        return isOurs && VERSION_CONFLICT.equals(failure.code()) ? Verdict.already(failure) : Verdict.terminal(failure);
    }

    /** Whether a 503 for the whole request proves that nothing was done, by the type of its error. */
    static boolean isNothingDone(Failure failure) {
        return "cluster_block_exception".equals(failure.code())
                || failure.code() != null && BY_TYPE.get(failure.code()) == Meaning.RESIDUE;
    }
}
