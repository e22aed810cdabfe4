/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.Limits;
import io.github.batchresidue.bulkapi.RawJson;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;

/**
 * A bulk API for tests. Items are words; a request is the list of them; an answer is a map that names each word of the
 * request: {@code landed}, {@code residue}, {@code unknown}, {@code victim}, {@code already} or, for terminal, anything
 * else as the error code. An exception is a transport failure, and {@link IllegalStateException} a refusal of the call.
 */
class WordApi implements BulkApi {

    record Word(Object body, String text, Object key, boolean safeToResend) implements BulkItem {
        @Override
        public long bytes() {
            return text.length();
        }

        @Override
        public String operation() {
            return "say";
        }

        @Override
        public String id() {
            return text;
        }
    }

    @Override
    public Set<String> operations() {
        return Set.of("say", "shout");
    }

    private Limits limits = new Limits(100, Limits.NONE, 0);
    private Function<String, Object> key = word -> null;
    private boolean safeToResend = true;
    private Processor sender;

    WordApi limits(int items, long bytes) {
        limits = new Limits(items, bytes, 0);
        return this;
    }

    WordApi key(Function<String, Object> keyOfWord) {
        key = keyOfWord;
        return this;
    }

    WordApi unsafeToResend() {
        safeToResend = false;
        return this;
    }

    WordApi sender(Processor ownSender) {
        sender = ownSender;
        return this;
    }

    @Override
    public Limits limits() {
        return limits;
    }

    @Override
    public Processor sender(Endpoint delegate) {
        return sender;
    }

    @Override
    public BulkItem item(Object element) throws InvalidItemException {
        if (element instanceof RawJson json) {
            return word(json.text(), json.text().replace("\"", ""));
        }
        if (element instanceof String text) {
            return word(text, text);
        }
        throw new InvalidItemException("not a word but a " + element.getClass().getName());
    }

    private Word word(Object body, String text) {
        return new Word(body, text, key.apply(text), safeToResend);
    }

    @Override
    public void write(List<BulkItem> items, Exchange exchange) {
        exchange.getMessage()
                .setBody(items.stream().map(item -> ((Word) item).text()).toList());
    }

    @Override
    public Reply read(List<BulkItem> items, Exchange exchange) {
        Exception failure = exchange.getException();
        if (failure != null) {
            Failure said = new Failure(0, failure.getClass().getSimpleName(), failure.getMessage());
            return failure instanceof IllegalStateException
                    ? new Reply.Refused(failure, said)
                    : new Reply.TransportFailed(failure, said, false, 0);
        }
        if (!(exchange.getMessage().getBody() instanceof Map<?, ?> answer)) {
            return Reply.unreadable(items.size(), new Failure(0, null, "no map of words"));
        }
        List<Verdict> verdicts = new ArrayList<>();
        for (BulkItem item : items) {
            verdicts.add(verdict(String.valueOf(answer.get(((Word) item).text()))));
        }
        return new Reply.Verdicts(verdicts, 0);
    }

    private static Verdict verdict(String word) {
        Failure failure = new Failure(word.equals("residue") ? 429 : 400, word, "said " + word);
        return switch (word) {
            case "landed" -> Verdict.landed();
            case "residue" -> Verdict.residue(failure);
            case "victim" -> Verdict.victim(failure);
            case "already" -> Verdict.already(failure);
            case "unknown", "null" -> Verdict.unknown(failure);
            default -> Verdict.terminal(failure);
        };
    }
}
