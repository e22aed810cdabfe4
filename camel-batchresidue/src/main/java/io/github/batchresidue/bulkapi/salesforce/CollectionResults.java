/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.salesforce;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** Reads the results of an answer. They stand in the order of the records; one that cannot be theirs makes all unknown. */
final class CollectionResults {

    /** When a record has several errors, the worst decides: what is certain never to land is not sent again. */
    private static final List<Verdict.Kind> BY_WEIGHT = List.of(
            Verdict.Kind.ALREADY,
            Verdict.Kind.RESIDUE,
            Verdict.Kind.VICTIM,
            Verdict.Kind.TERMINAL,
            Verdict.Kind.UNKNOWN);

    private static final int ID_WITHOUT_CHECKSUM = 15;

    private final List<BulkItem> items;
    private final int status;
    private final long hintMillis;

    /**
     * @param status HTTP status of the answer
     * @param hintMillis how long the answer asks to wait; 0 if it does not ask
     */
    CollectionResults(List<BulkItem> items, int status, long hintMillis) {
        this.items = items;
        this.status = status;
        this.hintMillis = hintMillis;
    }

    /** The verdicts of an answer. */
    Reply read(JsonNode answer) {
        if (!answer.isArray()) {
            return unreadable("it is no list of results");
        }
        if (answer.size() != items.size()) {
            return unreadable("it has " + answer.size() + " results for " + items.size() + " records");
        }
        List<Verdict> verdicts = new ArrayList<>(items.size());
        for (int i = 0; i < items.size(); i++) {
            SObjectRecord record = (SObjectRecord) items.get(i);
            JsonNode result = answer.get(i);
            if (isOfAnother(record, result)) {
                return unreadable("result " + i + " is of another record");
            }
            verdicts.add(verdict(record.what(), result));
        }
        return new Reply.Verdicts(verdicts, hintMillis);
    }

    /** Every item is unknown. */
    Reply unreadable(String problem) {
        Failure failure = new Failure(status, null, "the answer cannot be read: " + problem);
        return new Reply.Verdicts(Collections.nCopies(items.size(), Verdict.unknown(failure)), hintMillis);
    }

    private static boolean isOfAnother(SObjectRecord record, JsonNode result) {
        boolean isById = record.what() == Operation.UPDATE || record.what() == Operation.DELETE;
        String id = result.path("id").asText("");
        return isById
                && id.length() >= ID_WITHOUT_CHECKSUM
                && !record.id().startsWith(id.substring(0, ID_WITHOUT_CHECKSUM));
    }

    private Verdict verdict(Operation operation, JsonNode result) {
        JsonNode success = result.path("success");
        List<Verdict> errors = new ArrayList<>(1);
        result.path("errors").forEach(error -> errors.add(CollectionErrors.verdict(operation, failure(error))));
        if (!success.isBoolean() || success.booleanValue() && !errors.isEmpty()) {
            return Verdict.unknown(new Failure(status, null, "the result does not tell whether the record landed"));
        }
        if (success.booleanValue()) {
            return Verdict.landed();
        }
        return errors.stream()
                .max(Comparator.comparingInt(verdict -> BY_WEIGHT.indexOf(verdict.kind())))
                .orElseGet(() -> Verdict.terminal(new Failure(status, null, "refused without a reason")));
    }

    /** DTOs of the delegate call the code by the name that it has in the failure of a whole request. */
    private Failure failure(JsonNode error) {
        String code = error.path("statusCode").textValue();
        return new Failure(
                status,
                code != null ? code : error.path("errorCode").textValue(),
                error.path("message").textValue());
    }
}
