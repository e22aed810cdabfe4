/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Verdict;
import java.io.IOException;
import java.util.List;

/**
 * Takes the results of an answer, in its order, for the verdicts on the operations sent. Results stand in the order of
 * the operations; the flag {@code errors} proves nothing, so every result is looked at, and one that does not fit its
 * operation makes all of them unknown.
 */
final class Results {

    private static final Failure STORED_ELSEWHERE =
            new Failure(201, "failure_store", "the document went to the failure store of its data stream");

    private final List<BulkItem> items;
    private final Verdict[] verdicts;
    private int size;

    Results(List<BulkItem> items) {
        this.items = items;
        this.verdicts = new Verdict[items.size()];
    }

    /**
     * Takes the next result.
     *
     * @throws IOException if it cannot be the result of the operation that stands there
     */
    void add(Result result) throws IOException {
        if (size == verdicts.length) {
            throw new IOException("more results than operations");
        }
        BulkOperation operation = (BulkOperation) items.get(size);
        if (!operation.action().word().equals(result.word())) {
            throw new IOException("result " + size + " is of another operation");
        }
        ActionLine line = operation.line();
        if (result.id() != null && line.hasId() && !line.id().equals(result.id())) {
            throw new IOException("result " + size + " is of another document");
        }
        verdicts[size++] = verdict(operation, result);
    }

    private static Verdict verdict(BulkOperation operation, Result result) {
        int status = result.status();
        Failure error = result.error();
        if (error != null) {
            return BulkErrors.verdict(operation, new Failure(status, error.code(), error.message()));
        }
        if (result.isStoredElsewhere()) {
            return Verdict.terminal(STORED_ELSEWHERE);
        }
        boolean isGoneAlready = status == 404 && operation.action() == Action.DELETE;
        return status >= 200 && status < 300 || isGoneAlready
                ? Verdict.landed()
                : BulkErrors.verdict(operation, new Failure(status, null, null));
    }

    /** @throws IOException if there are fewer results than operations */
    Reply reply(long hintMillis) throws IOException {
        if (size != verdicts.length) {
            throw new IOException(size + " results for " + verdicts.length + " operations");
        }
        return new Reply.Verdicts(List.of(verdicts), hintMillis);
    }

    /** The reply to an answer that is none of this API. */
    static Reply unreadable(List<BulkItem> items, int status, Throwable problem) {
        return Reply.unreadable(
                items.size(), new Failure(status, null, "the answer cannot be read: " + firstLine(problem)));
    }

    /** Of a parser's message: the rest quotes the text. */
    private static String firstLine(Throwable problem) {
        return problem.getMessage() == null
                ? problem.getClass().getSimpleName()
                : problem.getMessage().lines().findFirst().orElse("");
    }
}
