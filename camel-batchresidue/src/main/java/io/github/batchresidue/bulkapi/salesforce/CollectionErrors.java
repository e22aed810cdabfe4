/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.salesforce;

import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Verdict;
import java.util.EnumSet;
import java.util.LinkedHashMap;
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
        VICTIM,
        UNKNOWN,
        /** Met by its own earlier attempt, if there was one whose outcome is unknown; else terminal. */
        ALREADY
    }

    /** What a code says of a request. Of all others the status decides. */
    enum OfRequest {
        /** Nothing landed, and it may be sent again. */
        THROTTLED,
        /** Nothing landed, and a half of it may go. */
        TOO_LARGE,
        /** Whether something landed nobody knows. */
        TRANSPORT_FAILED
    }

    /** Where a code means nothing but refused unless the operation is this one. */
    private record OfOperation(OfRecord meaning, Set<Operation> operations) {}

    private static final Map<String, OfOperation> OF_RECORD = new LinkedHashMap<>();
    private static final Map<String, OfRequest> OF_REQUEST = new LinkedHashMap<>();

    /** What wraps the error of a trigger or a flow, and names it in its message. */
    static final Set<String> WRAPPING = Set.of("CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY", "CANNOT_EXECUTE_FLOW_TRIGGER");

    static final String LOCKED_ROW = "UNABLE_TO_LOCK_ROW";

    static {
        Set<Operation> all = EnumSet.allOf(Operation.class);
        record(all, OfRecord.RESIDUE, LOCKED_ROW);
        record(all, OfRecord.RESIDUE, "REQUEST_RUNNING_TOO_LONG");
        record(all, OfRecord.RESIDUE, "QUERY_TIMEOUT");
        record(all, OfRecord.RESIDUE, "TOO_MANY_APEX_REQUESTS");
        record(all, OfRecord.RESIDUE, "SERVICE_UNAVAILABLE");
        record(all, OfRecord.RESIDUE, "INSERT_UPDATE_DELETE_NOT_ALLOWED_DURING_MAINTENANCE");
        record(all, OfRecord.VICTIM, "ALL_OR_NONE_OPERATION_ROLLED_BACK");
        record(all, OfRecord.VICTIM, "PROCESSING_HALTED");
        record(all, OfRecord.UNKNOWN, "UNKNOWN_EXCEPTION");
        // An upsert or update that landed finds its own record and changes it: a duplicate then is somebody else's.
        record(EnumSet.of(Operation.CREATE), OfRecord.ALREADY, "DUPLICATE_VALUE");
        record(EnumSet.of(Operation.CREATE), OfRecord.ALREADY, "DUPLICATES_DETECTED");
        record(EnumSet.of(Operation.DELETE), OfRecord.ALREADY, "ENTITY_IS_DELETED");

        OF_REQUEST.put("REQUEST_LIMIT_EXCEEDED", OfRequest.THROTTLED);
        OF_REQUEST.put("SERVER_UNAVAILABLE", OfRequest.THROTTLED);
        OF_REQUEST.put(LOCKED_ROW, OfRequest.THROTTLED);
        OF_REQUEST.put("ORG_IN_MAINTENANCE", OfRequest.THROTTLED);
        OF_REQUEST.put("EXCEEDED_MAX_SIZE_REQUEST", OfRequest.TOO_LARGE);
        OF_REQUEST.put("TOO_MANY_RECORDS", OfRequest.TOO_LARGE);
        OF_REQUEST.put("EXCEEDED_ID_LIMIT", OfRequest.TOO_LARGE);
        OF_REQUEST.put("OPERATION_TOO_LARGE", OfRequest.TOO_LARGE);
        OF_REQUEST.put("INVALID_BATCH_SIZE", OfRequest.TOO_LARGE);
        OF_REQUEST.put("REQUEST_RUNNING_TOO_LONG", OfRequest.TRANSPORT_FAILED);
        OF_REQUEST.put("INTERNAL_SERVER_ERROR", OfRequest.TRANSPORT_FAILED);
        OF_REQUEST.put("UNKNOWN_EXCEPTION", OfRequest.TRANSPORT_FAILED);
    }

    private CollectionErrors() {}

    private static void record(Set<Operation> operations, OfRecord meaning, String code) {
        OF_RECORD.put(code, new OfOperation(meaning, operations));
    }

    /** What one error of a record means. */
    static Verdict verdict(Operation operation, Failure failure) {
        OfOperation known = failure.code() == null ? null : OF_RECORD.get(failure.code());
        if (known == null || !known.operations.contains(operation)) {
            return isLockedBelow(failure) ? Verdict.residue(failure) : Verdict.terminal(failure);
        }
        return switch (known.meaning) {
            case RESIDUE -> Verdict.residue(failure);
            case VICTIM -> Verdict.victim(failure);
            case UNKNOWN -> Verdict.unknown(failure);
            case ALREADY -> Verdict.already(failure);
        };
    }

    private static boolean isLockedBelow(Failure failure) {
        return failure.code() != null
                && WRAPPING.contains(failure.code())
                && failure.message() != null
                && failure.message().contains(LOCKED_ROW);
    }

    /**
     * What the refusal of a whole request means.
     *
     * @param failure with a status
     */
    static Reply reply(Failure failure, Exception exception, long hintMillis) {
        OfRequest known = failure.code() == null ? null : OF_REQUEST.get(failure.code());
        int status = failure.status();
        if (known == OfRequest.THROTTLED || known == null && status == 429) {
            return new Reply.Throttled(failure, hintMillis);
        }
        if (known == OfRequest.TOO_LARGE || known == null && (status == 413 || status == 414 || status == 431)) {
            return new Reply.TooLarge(failure);
        }
        if (known == OfRequest.TRANSPORT_FAILED || status >= 500 || status == 408) {
            return new Reply.TransportFailed(exception, failure, false, hintMillis);
        }
        return status == 400 && failure.code() != null
                ? new Reply.Rejected(failure, true)
                : new Reply.Refused(exception, failure);
    }
}
