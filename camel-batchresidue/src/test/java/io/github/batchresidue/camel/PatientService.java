/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;

/** Takes a word when it has come as often as its last letter says, whoever else asks at the same time. */
final class PatientService implements Processor {

    private final Map<String, Integer> attempts = new ConcurrentHashMap<>();

    @Override
    public void process(Exchange exchange) {
        Map<String, String> verdicts = new LinkedHashMap<>();
        List<?> words = exchange.getMessage().getBody(List.class);
        for (Object word : words) {
            String text = word.toString();
            int attempt = attempts.merge(text, 1, Integer::sum);
            int wanted = Character.digit(text.charAt(text.length() - 1), 10);
            verdicts.put(text, attempt < wanted ? "residue" : "landed");
        }
        exchange.getMessage().setBody(verdicts);
    }
}
