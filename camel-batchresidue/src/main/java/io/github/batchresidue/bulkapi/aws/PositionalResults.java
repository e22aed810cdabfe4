/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Verdict;
import java.util.Collection;
import java.util.List;
import org.apache.camel.Message;
import software.amazon.awssdk.core.SdkResponse;

/**
 * Reads answers that give each item a result by its position in the request: what it was given if it was taken, an error
 * code and a message if not. Any other number of results than items tells nothing of any item, for nobody knows whose is
 * missing; a result with neither, with both or with an empty one tells nothing of its item.
 *
 * @param list the member of the answer that holds the results
 * @param given the member of a result that only an item which was taken has
 * @param errors what the error codes mean
 */
public record PositionalResults(String list, String given, ItemErrors errors) {

    /** Reads the answer in a message: of the SDK's, a map or JSON. */
    public Reply read(int items, Message message, ObjectMapper mapper) {
        Object answer = message.getBody() instanceof SdkResponse response ? response : JsonAnswer.of(message, mapper);
        int status = status(answer);
        Collection<?> results = Members.of(answer, list) instanceof Collection<?> listed ? listed : List.of();
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

    /** HTTP status of an answer; 0 if it is not known, because it is not of the SDK's client. */
    public static int status(Object answer) {
        return answer instanceof SdkResponse response && response.sdkHttpResponse() != null
                ? response.sdkHttpResponse().statusCode()
                : 0;
    }

    private Verdict verdict(int status, Object result) {
        Object id = Members.of(result, given);
        Object code = Members.of(result, "ErrorCode");
        if (code == null && Members.isWord(id)) {
            return Verdict.landed();
        }
        if (!Members.isWord(code)) {
            return Verdict.unknown(
                    new Failure(status, null, "the answer has neither " + given + " nor ErrorCode for the item"));
        }
        Failure failure = new Failure(status, code.toString(), Members.text(result, "ErrorMessage"));
        return id == null ? errors.verdict(failure) : Verdict.unknown(failure);
    }
}
