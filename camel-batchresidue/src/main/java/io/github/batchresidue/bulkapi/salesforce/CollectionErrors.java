/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.salesforce;

import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Verdict;
import java.util.Map;
import java.util.Set;

/**
 * What an error means, of one record ({@code statusCode}) or of a whole request ({@code errorCode}). The codes are those
 * of the enums {@code StatusCode} and {@code ExceptionCode} of the partner API 64.
 */
final class CollectionErrors {

    /** What a code says of a record. All others are terminal. */
    enum OfRecord {
        RESIDUE,
        /** Residue if the message says that a trigger or a flow met a locked row. */
        RESIDUE_IF_LOCKED,
        VICTIM,
        UNKNOWN,
        /** Our own earlier create may have landed. What an update or upsert met is somebody else's. */
        ALREADY_ON_CREATE,
        /** Our own earlier delete may have landed. */
        ALREADY_ON_DELETE
    }

    /** What a code says of a request. Of all others the status decides. */
    enum OfRequest {
        /** Nothing landed, and it may be sent again. */
        THROTTLED,
        /** Nothing landed, and a half of it may go. */
        TOO_LARGE,
        /** Whether something landed nobody knows. */
        TRANSPORT_FAILURE
    }

    private static final String LOCKED_ROW = "UNABLE_TO_LOCK_ROW";

    static final Map<String, OfRecord> OF_RECORDS = Map.ofEntries(
            Map.entry(LOCKED_ROW, OfRecord.RESIDUE),
            Map.entry("REQUEST_RUNNING_TOO_LONG", OfRecord.RESIDUE),
            Map.entry("QUERY_TIMEOUT", OfRecord.RESIDUE),
            Map.entry("TOO_MANY_APEX_REQUESTS", OfRecord.RESIDUE),
            Map.entry("SERVICE_UNAVAILABLE", OfRecord.RESIDUE),
            Map.entry("INSERT_UPDATE_DELETE_NOT_ALLOWED_DURING_MAINTENANCE", OfRecord.RESIDUE),
            Map.entry("CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY", OfRecord.RESIDUE_IF_LOCKED),
            Map.entry("CANNOT_EXECUTE_FLOW_TRIGGER", OfRecord.RESIDUE_IF_LOCKED),
            Map.entry("ALL_OR_NONE_OPERATION_ROLLED_BACK", OfRecord.VICTIM),
            Map.entry("PROCESSING_HALTED", OfRecord.VICTIM),
            Map.entry("UNKNOWN_EXCEPTION", OfRecord.UNKNOWN),
            Map.entry("DUPLICATE_VALUE", OfRecord.ALREADY_ON_CREATE),
            Map.entry("DUPLICATES_DETECTED", OfRecord.ALREADY_ON_CREATE),
            Map.entry("ENTITY_IS_DELETED", OfRecord.ALREADY_ON_DELETE));

    static final Map<String, OfRequest> OF_REQUESTS = Map.ofEntries(
            Map.entry("REQUEST_LIMIT_EXCEEDED", OfRequest.THROTTLED),
            Map.entry("SERVER_UNAVAILABLE", OfRequest.THROTTLED),
            Map.entry(LOCKED_ROW, OfRequest.THROTTLED),
            Map.entry("ORG_IN_MAINTENANCE", OfRequest.THROTTLED),
            Map.entry("EXCEEDED_MAX_SIZE_REQUEST", OfRequest.TOO_LARGE),
            Map.entry("TOO_MANY_RECORDS", OfRequest.TOO_LARGE),
            Map.entry("EXCEEDED_ID_LIMIT", OfRequest.TOO_LARGE),
            Map.entry("OPERATION_TOO_LARGE", OfRequest.TOO_LARGE),
            Map.entry("INVALID_BATCH_SIZE", OfRequest.TOO_LARGE),
            Map.entry("REQUEST_RUNNING_TOO_LONG", OfRequest.TRANSPORT_FAILURE),
            Map.entry("INTERNAL_SERVER_ERROR", OfRequest.TRANSPORT_FAILURE),
            Map.entry("UNKNOWN_EXCEPTION", OfRequest.TRANSPORT_FAILURE));

    /** Who answers so may have performed the request before. */
    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

    private CollectionErrors() {}

    /** What one error of a record means. */
    static Verdict verdict(Operation operation, Failure failure) {
        OfRecord known = failure.code() == null ? null : OF_RECORDS.get(failure.code());
        if (known == null) {
            return Verdict.terminal(failure);
        }
        return switch (known) {
            case RESIDUE -> Verdict.residue(failure);
            case RESIDUE_IF_LOCKED -> isLockedBelow(failure) ? Verdict.residue(failure) : Verdict.terminal(failure);
            case VICTIM -> Verdict.victim(failure);
            case UNKNOWN -> Verdict.unknown(failure);
            case ALREADY_ON_CREATE ->
                operation == Operation.CREATE ? Verdict.already(failure) : Verdict.terminal(failure);
            case ALREADY_ON_DELETE ->
                operation == Operation.DELETE ? Verdict.already(failure) : Verdict.terminal(failure);
        };
    }

    private static boolean isLockedBelow(Failure failure) {
        return failure.message() != null && failure.message().contains(LOCKED_ROW);
    }

    /**
     * What the refusal of a whole request means.
     *
     * @param failure with a status
     */
    static Reply reply(Failure failure, Exception exception, long hintMillis) {
        OfRequest known = failure.code() == null ? null : OF_REQUESTS.get(failure.code());
        int status = failure.status();
        if (known == OfRequest.THROTTLED || known == null && status == 429) {
            return new Reply.Throttled(failure, hintMillis);
        }
        if (known == OfRequest.TOO_LARGE || known == null && (status == 413 || status == 414 || status == 431)) {
            return new Reply.TooLarge(failure);
        }
        if (known == OfRequest.TRANSPORT_FAILURE || status >= 500 || status == 408 || REDIRECTS.contains(status)) {
            return new Reply.TransportFailed(exception, failure, false, hintMillis);
        }
        return status == 400 && failure.code() != null
                ? new Reply.Rejected(failure, true)
                : new Reply.Refused(exception, failure);
    }
}
