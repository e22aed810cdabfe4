/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Function;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;

/** What a {@link WordApi} speaks to: answers for each word of a request, and keeps what it was asked. */
final class WordService implements Processor {

    private final Function<String, String> answer;
    private final Queue<String> rounds = new ArrayDeque<>();
    private final List<List<String>> requests = Collections.synchronizedList(new ArrayList<>());
    private final List<Map<String, Object>> headers = Collections.synchronizedList(new ArrayList<>());

    private WordService(Function<String, String> answer) {
        this.answer = answer;
    }

    /** Gives each word the verdict that the function has for it. */
    static WordService answering(Function<String, String> verdictOfWord) {
        return new WordService(verdictOfWord);
    }

    static WordService landingAll() {
        return answering(word -> "landed");
    }

    static WordService throttlingAll() {
        return answering(word -> "residue");
    }

    /** Lets words of one letter land in the round that names them; then all. */
    static WordService taking(String... lettersOfRounds) {
        WordService service = landingAll();
        Collections.addAll(service.rounds, lettersOfRounds);
        return service;
    }

    /** The requests so far. */
    List<List<String>> requests() {
        return List.copyOf(requests);
    }

    /** The headers of the requests so far. */
    List<Map<String, Object>> headers() {
        return List.copyOf(headers);
    }

    @Override
    public synchronized void process(Exchange exchange) {
        List<String> words = new ArrayList<>();
        List<?> body = exchange.getMessage().getBody(List.class);
        body.forEach(word -> words.add((String) word));
        requests.add(words);
        headers.add(new LinkedHashMap<>(exchange.getMessage().getHeaders()));
        String taken = rounds.poll();
        Map<String, String> verdicts = new LinkedHashMap<>();
        for (String word : words) {
            verdicts.put(word, taken == null ? answer.apply(word) : taken.contains(word) ? "landed" : "residue");
        }
        exchange.getMessage().setBody(verdicts);
    }
}
