/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import io.github.batchresidue.bulkapi.http.Connections;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Verdict;
import java.util.Map;
import java.util.Set;

/**
 * What an error means, of one operation or of a whole request. The types and their statuses are those of the server's exception classes
 * (Elasticsearch 8.19 to 9.5, OpenSearch 3.9); a type decides before a status.
 */
final class BulkErrors {

    /** What a type says whatever its status. */
    enum Meaning {
        RESIDUE,
        UNKNOWN,
        BY_STATUS
    }

    /** Elasticsearch 9.1 and later: an operation beyond {@code max_operation_size} is a 429 that never heals. */
    private static final String OVERSIZED = "exceeds the maximum allowed limit";

    static final Map<String, Meaning> BY_TYPE = Map.ofEntries(
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
            // OpenSearch: a node that is being taken out, 424 and 421.
            Map.entry("node_decommissioned_exception", Meaning.RESIDUE),
            Map.entry("node_weighed_away_exception", Meaning.RESIDUE),
            // A shard that is being moved.
            Map.entry("illegal_index_shard_state_exception", Meaning.RESIDUE),
            // The primary may have executed the operation before time ran out or the connection was lost.
            Map.entry("timeout_exception", Meaning.UNKNOWN),
            Map.entry("receive_timeout_transport_exception", Meaning.UNKNOWN),
            Map.entry("node_disconnected_exception", Meaning.UNKNOWN),
            Map.entry("node_closed_exception", Meaning.UNKNOWN));

    /** Errors of a refused request by which it is certain that no part of it was executed. */
    private static final Set<String> VALIDATED_BEFORE =
            Set.of("action_request_validation_exception", "illegal_argument_exception");

    private static final String VERSION_CONFLICT = "version_conflict_engine_exception";

    private BulkErrors() {}

    static Verdict verdict(BulkOperation operation, Failure failure) {
        return switch (meaning(failure)) {
            case UNKNOWN -> Verdict.unknown(failure);
            case RESIDUE -> isOversized(failure) ? Verdict.tooLarge(failure) : Verdict.residue(failure);
            case BY_STATUS -> byStatus(operation, failure);
        };
    }

    private static Meaning meaning(Failure failure) {
        return failure.code() == null ? Meaning.BY_STATUS : BY_TYPE.getOrDefault(failure.code(), Meaning.BY_STATUS);
    }

    private static boolean isOversized(Failure failure) {
        return failure.message() != null && failure.message().contains(OVERSIZED);
    }

    private static Verdict byStatus(BulkOperation operation, Failure failure) {
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

    /** What the refusal of a whole request means. */
    static Reply reply(Failure failure, Exception exception, long hintMillis) {
        int status = failure.status();
        if (status == 429 && meaning(failure) != Meaning.UNKNOWN || status == 503 && isBeforeAllWork(failure)) {
            return new Reply.Throttled(failure, hintMillis);
        }
        if (status == 413) {
            return new Reply.TooLarge(failure);
        }
        if (status == 400) {
            // Since Elasticsearch 9 a body is executed while it arrives: a bad line refuses it when a part is done.
            boolean isNothingLanded = failure.code() != null && VALIDATED_BEFORE.contains(failure.code());
            return new Reply.Rejected(failure, isNothingLanded);
        }
        boolean isRefused = status < 500 && status != 408 && status != 429;
        return isRefused
                ? new Reply.Refused(exception, failure)
                : new Reply.TransportFailed(exception, failure, false, hintMillis);
    }

    private static boolean isBeforeAllWork(Failure failure) {
        return "cluster_block_exception".equals(failure.code()) || meaning(failure) == Meaning.RESIDUE;
    }

    /** What it means that no answer came. */
    static Reply noAnswer(Exception exception) {
        return new Reply.TransportFailed(
                exception,
                new Failure(0, exception.getClass().getSimpleName(), exception.getMessage()),
                Connections.isNeverSent(exception),
                0);
    }
}
