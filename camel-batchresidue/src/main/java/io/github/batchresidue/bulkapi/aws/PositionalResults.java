/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Verdict;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.SdkResponse;

/**
 * Reads answers that give each item a result by its position in the request: what it was given if it was taken, an error
 * code and a message if not. Any other number of results than items tells nothing of any item, for nobody knows whose is
 * missing; a result with neither, or with both, tells nothing of its item.
 *
 * @param list the member of the answer that holds the results
 * @param given the member of a result that only an item which was taken has
 * @param errors what the error codes mean
 */
public record PositionalResults(String list, String given, ItemErrors errors) {

    /**
     * What the answer says of one item.
     *
     * @param given what only an item that was taken has; null if there is none
     * @param code the error code; null if there is none
     * @param message what the service says beside the code; may be null
     */
    public record Result(String given, String code, String message) {}

    /**
     * Reads an answer of the SDK's.
     *
     * @param items how many items the request carried
     * @param status HTTP status of the answer; 0 if it is not known
     */
    public Reply read(int items, int status, List<Result> results) {
        if (results.size() != items) {
            return Reply.unreadable(
                    items,
                    new Failure(
                            status,
                            null,
                            "the answer has " + results.size() + " " + list + " for " + items + " items"));
        }
        return new Reply.Verdicts(
                results.stream().map(result -> verdict(status, result)).toList(), 0);
    }

    /** HTTP status of an answer of the SDK's; 0 if it is not known. */
    public static int status(SdkResponse response) {
        return response.sdkHttpResponse() == null
                ? 0
                : response.sdkHttpResponse().statusCode();
    }

    /** Reads the answer of another delegate; see {@link JsonAnswer}. */
    public Reply read(int items, Map<?, ?> answer) {
        return read(
                items,
                0,
                answer.get(list) instanceof Collection<?> results
                        ? results.stream().map(this::result).toList()
                        : List.of());
    }

    private Result result(Object result) {
        return result instanceof Map<?, ?> map
                ? new Result(text(map.get(given)), text(map.get("ErrorCode")), text(map.get("ErrorMessage")))
                : new Result(null, null, null);
    }

    private static String text(Object value) {
        return value == null ? null : value.toString();
    }

    private Verdict verdict(int status, Result result) {
        if (result.code() == null) {
            return result.given() != null
                    ? Verdict.landed()
                    : Verdict.unknown(new Failure(
                            status, null, "the answer has neither " + given + " nor ErrorCode for the item"));
        }
        Failure failure = new Failure(status, result.code(), result.message());
        return result.given() == null ? errors.verdict(failure) : Verdict.unknown(failure);
    }
}
