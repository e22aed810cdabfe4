/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.bulkapi.ItemClassifier;
import io.github.batchresidue.engine.Ledger;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.test.junit5.CamelTestSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What options may not do to a verdict: undo that an item landed, or that nobody knows. */
class VerdictRulesTest extends CamelTestSupport {

    private final Map<String, AtomicInteger> sent = new ConcurrentHashMap<>();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aClassifierWithoutAWordLeavesEveryVerdictAsItWas(boolean isThrowing) throws Exception {
        ItemClassifier classifier = (item, verdict) -> {
            if (!item.content().body().equals("b")) {
                return verdict;
            }
            if (isThrowing) {
                throw new IllegalStateException("broken bean");
            }
            return null;
        };
        context.getRegistry().bind("classifier", classifier);

        Ledger ledger = run(Map.of("a", "landed", "b", "landed", "c", "landed"), "itemClassifier=#classifier");

        assertThat(ledger.landed()).isEqualTo(3);
        assertThat(ledger.requests()).isEqualTo(1);
    }

    @Test
    void anErrorThatIsWorthAnotherAttemptLeavesAnItemUnknownThatMayHaveLanded() throws Exception {
        Ledger ledger = run(
                Map.of("a", "unknown", "b", "landed", "c", "landed"),
                Map.of("a", "already"),
                "retryableErrors=unknown");

        assertThat(ledger.landed()).isEqualTo(3);
        assertThat(ledger.terminal()).isZero();
        assertThat(sent.get("a")).hasValue(2);
    }

    @Test
    void soDoesAFailureOfTheWholeRequest() throws Exception {
        Ledger ledger = run(
                null, Map.of("a", "already", "b", "landed", "c", "landed"), "retryableErrors=IllegalArgumentException");

        assertThat(ledger.landed()).isEqualTo(3);
        assertThat(ledger.terminal()).isZero();
        assertThat(ledger.requests()).isEqualTo(2);
    }

    private Ledger run(Map<String, String> answer, String options) throws Exception {
        return run(answer, answer, options);
    }

    /** @param first null for a transport failure */
    private Ledger run(Map<String, String> first, Map<String, String> then, String options) throws Exception {
        context.getRegistry().bind("words", new WordApi());
        AtomicInteger requests = new AtomicInteger();
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:table").process(exchange -> {
                    List<?> words = exchange.getMessage().getBody(List.class);
                    words.forEach(word -> sent.computeIfAbsent((String) word, w -> new AtomicInteger())
                            .incrementAndGet());
                    Map<String, String> answer = requests.getAndIncrement() == 0 ? first : then;
                    if (answer == null) {
                        throw new IllegalArgumentException("gateway");
                    }
                    exchange.getMessage().setBody(answer);
                });
            }
        });
        Exchange done = template.request(
                "batchresidue:direct:table?bulkApi=#words&redeliveryDelay=1&" + options,
                exchange -> exchange.getMessage().setBody(List.of("a", "b", "c")));
        assertThat(done.getException()).isNull();
        return done.getMessage().getBody(Ledger.class);
    }
}
