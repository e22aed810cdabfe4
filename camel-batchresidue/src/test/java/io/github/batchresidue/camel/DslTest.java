/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.engine.Ledger;
import java.util.List;
import org.apache.camel.CamelContext;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.PluginHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same route in Java, YAML and XML does the same. */
class DslTest {

    private final CamelContext context = new DefaultCamelContext();
    private final WordService service = WordService.answering(word -> switch (word) {
        case "bad" -> "mapping";
        case "slow" -> "residue";
        default -> "landed";
    });

    @AfterEach
    void stop() {
        context.stop();
    }

    @Test
    void java() throws Exception {
        context.addRoutes(new SendWordsRoute());

        assertScenario();
    }

    @ParameterizedTest
    @ValueSource(strings = {"yaml", "xml"})
    void file(String language) throws Exception {
        PluginHelper.getRoutesLoader(context)
                .loadRoutes(PluginHelper.getResourceLoader(context)
                        .resolveResource("classpath:dsl/send-words." + language));

        assertScenario();
    }

    private void assertScenario() throws Exception {
        context.getRegistry().bind("words", new WordApi());
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:table").process(service);
            }
        });
        context.start();

        context.createProducerTemplate().sendBody("direct:words", List.of("a", "bad", "slow", "b"));

        assertThat(service.requests())
                .containsExactly(List.of("a", "bad"), List.of("slow", "b"), List.of("slow"), List.of("slow"));
        MockEndpoint dead = context.getEndpoint("mock:dead?retainFirst=5&retainLast=5", MockEndpoint.class);
        assertThat(dead.getExchanges())
                .extracting(letter -> letter.getMessage().getBody())
                .containsExactly("bad", "slow");
        Ledger ledger = context.getEndpoint("mock:done", MockEndpoint.class)
                .getExchanges()
                .get(0)
                .getMessage()
                .getBody(Ledger.class);
        assertThat(ledger.landed()).isEqualTo(2);
        assertThat(ledger.terminal()).isEqualTo(1);
        assertThat(ledger.givenUp()).isEqualTo(1);
    }
}
