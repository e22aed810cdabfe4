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
import software.amazon.awssdk.core.SdkResponse;

/**
 * Reads answers that name each entry in one of two lists by its id: {@code Successful}, or {@code Failed} with a code and
 * whether it is the sender's fault. Either may be absent if it is empty. An entry in neither list, or in both, is
 * unknown, as is one that was accepted with an empty id of its message, or with another text than was sent; an id that was
 * not sent says nothing of those that were.
 */
public final class BatchResults {

    /** Whether a text that the service confirms is the one that was sent. */
    @FunctionalInterface
    public interface Confirmation {

        /**
         * @param position of the entry in the request
         * @param md5 what the answer has as {@code MD5OfMessageBody}; null if it has none
         */
        boolean isOfText(int position, String md5);
    }

    private final int status;
    private final Map<String, Verdict.Kind> errors;
    private final Confirmation confirmation;
    private final Verdict[] verdicts;

    private BatchResults(int items, int status, Map<String, Verdict.Kind> errors, Confirmation confirmation) {
        this.status = status;
        this.errors = errors;
        this.confirmation = confirmation;
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
     * @param confirmation asked of accepted entries
     */
    public static Reply read(
            int items,
            Message message,
            Map<String, Verdict.Kind> errors,
            Confirmation confirmation,
            ObjectMapper mapper) {
        Object answer = message.getBody() instanceof SdkResponse response ? response : JsonAnswer.of(message, mapper);
        BatchResults results = new BatchResults(items, PositionalResults.status(answer), errors, confirmation);
        list(answer, "Successful").forEach(result -> results.add(result, true));
        list(answer, "Failed").forEach(result -> results.add(result, false));
        return results.reply();
    }

    private static Collection<?> list(Object answer, String name) {
        return Members.of(answer, name) instanceof Collection<?> list ? list : List.of();
    }

    private Verdict failed(Object result) {
        Failure failure = new Failure(
                status, AwsFailures.plainCode(Members.text(result, "Code")), Members.text(result, "Message"));
        boolean isSendersFault = Boolean.parseBoolean(Members.text(result, "SenderFault"));
        Verdict.Kind otherwise = isSendersFault ? Verdict.Kind.TERMINAL : Verdict.Kind.RESIDUE;
        return new Verdict(
                failure.code() == null ? otherwise : errors.getOrDefault(failure.code(), otherwise), failure);
    }

    private Verdict accepted(int position, Object result) {
        Object messageId = Members.of(result, "MessageId"); // A message that is deleted or hidden is given none.
        if (messageId != null && !Members.isWord(messageId)) {
            return unknown("the answer accepts the entry without an id of its message");
        }
        return confirmation.isOfText(position, Members.text(result, "MD5OfMessageBody"))
                ? Verdict.landed()
                : unknown("the answer confirms another text than was sent: its MD5 differs");
    }

    private void add(Object result, boolean isAccepted) {
        int position = position(Members.text(result, "Id"));
        if (position < 0) {
            return;
        }
        Verdict verdict = isAccepted ? accepted(position, result) : failed(result);
        Verdict earlier = verdicts[position];
        verdicts[position] = earlier == null || earlier.kind() == verdict.kind()
                ? verdict
                : unknown("the answer names the entry as accepted and as failed");
    }

    private Verdict unknown(String problem) {
        return Verdict.unknown(new Failure(status, null, problem));
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
        Verdict unnamed = unknown("the answer does not name the entry");
        return new Reply.Verdicts(
                Arrays.stream(verdicts)
                        .map(verdict -> verdict == null ? unnamed : verdict)
                        .toList(),
                0);
    }
}
