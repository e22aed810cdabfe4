/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Verdict;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.camel.Message;
import software.amazon.awssdk.core.SdkPojo;
import software.amazon.awssdk.core.SdkResponse;

/**
 * Reads answers that name each entry in one of two lists by its id: {@code Successful}, or {@code Failed} with a code and
 * whether it is the sender's fault. Either may be absent if it is empty. An entry in neither list, or in both, is
 * unknown; an id that was not sent says nothing of those that were.
 */
public final class BatchResults {

    private final int status;
    private final Map<String, Verdict.Kind> errors;
    private final Verdict[] verdicts;

    private BatchResults(int items, int status, Map<String, Verdict.Kind> errors) {
        this.status = status;
        this.errors = errors;
        this.verdicts = new Verdict[items];
    }

    /** The id by which a request names the entry at this position. */
    public static String id(int position) {
        return Integer.toString(position);
    }

    /**
     * Reads the answer in a message: of the SDK's, a map or JSON.
     *
     * @param items how many entries the request had
     * @param errors what codes mean whoever's fault they are; any other is terminal if it is the sender's fault, else
     *     residue
     */
    public static Reply read(int items, Message message, Map<String, Verdict.Kind> errors, ObjectMapper mapper) {
        boolean isSdk = message.getBody() instanceof SdkResponse;
        BatchResults results = new BatchResults(items, isSdk ? status((SdkResponse) message.getBody()) : 0, errors);
        Object answer = isSdk ? message.getBody() : JsonAnswer.of(message, mapper);
        list(answer, "Successful").forEach(result -> results.add(result, Verdict.landed()));
        list(answer, "Failed").forEach(result -> results.add(result, results.failed(result)));
        return results.reply();
    }

    private static int status(SdkResponse response) {
        return response.sdkHttpResponse() == null
                ? 0
                : response.sdkHttpResponse().statusCode();
    }

    private static Collection<?> list(Object answer, String name) {
        return member(answer, name) instanceof Collection<?> list ? list : List.of();
    }

    /** A member by the service's own name; null if there is none. */
    private static Object member(Object object, String name) {
        if (object instanceof Map<?, ?> map) {
            return map.get(name);
        }
        return object instanceof SdkPojo pojo && pojo.sdkFieldNameToField().containsKey(name)
                ? pojo.sdkFieldNameToField().get(name).getValueOrDefault(pojo)
                : null;
    }

    private static String text(Object object, String name) {
        Object value = member(object, name);
        return value == null ? null : value.toString();
    }

    private Verdict failed(Object result) {
        Failure failure = new Failure(status, AwsFailures.plainCode(text(result, "Code")), text(result, "Message"));
        boolean isSendersFault = Boolean.parseBoolean(text(result, "SenderFault"));
        Verdict.Kind otherwise = isSendersFault ? Verdict.Kind.TERMINAL : Verdict.Kind.RESIDUE;
        return new Verdict(
                failure.code() == null ? otherwise : errors.getOrDefault(failure.code(), otherwise), failure);
    }

    private void add(Object result, Verdict verdict) {
        int position = position(text(result, "Id"));
        if (position < 0) {
            return;
        }
        Verdict earlier = verdicts[position];
        verdicts[position] = earlier == null || earlier.kind() == verdict.kind()
                ? verdict
                : Verdict.unknown(new Failure(status, null, "the answer names the entry as accepted and as failed"));
    }

    /** Where the entry of an id stands; negative if no entry has it. */
    private int position(String id) {
        try {
            int position = Integer.parseInt(String.valueOf(id));
            return position < verdicts.length && id(position).equals(id) ? position : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private Reply reply() {
        Verdict unnamed = Verdict.unknown(new Failure(status, null, "the answer does not name the entry"));
        return new Reply.Verdicts(
                Arrays.stream(verdicts)
                        .map(verdict -> verdict == null ? unnamed : verdict)
                        .toList(),
                0);
    }
}
