/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.entry;

import java.util.List;
import org.apache.camel.CamelContext;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Property placeholders stand for our own options and for the delegate's, nested and left out. */
class PlaceholderTest {

    private static final String STEP = "batchresidue:probe:{{table.{{stage}}}}?bulkApi=#words"
            + "&batchSize={{size:7}}&redeliveryDelay={{?delay}}&value={{value.{{stage}}}}&other={{?other}}"
            + "&password=RAW({{pw:none}})";

    private final CamelContext context = new DefaultCamelContext();
    private final ProbeComponent probe = new ProbeComponent();

    @BeforeEach
    void prepare() {
        context.getRegistry().bind("words", new WordApi());
        context.addComponent("probe", probe);
        property("stage", "test");
        property("table.test", "orders");
        property("value.test", "v");
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    private void property(String name, String value) {
        context.getPropertiesComponent().addInitialProperty(name, value);
    }

    @Test
    void whatIsNotSetIsLeftOutOrHasItsDefault() throws Exception {
        BatchResidueConfiguration set = start();

        assertThat(probe.endpoint().path).isEqualTo("orders");
        assertThat(probe.endpoint().options).containsOnly(entry("value", "v"), entry("password", "none"));
        assertThat(set.getBatchSize()).isEqualTo(7);
        assertThat(set.getRedeliveryDelay()).isNull();
    }

    @Test
    void whatIsSetCounts() throws Exception {
        property("size", "3");
        property("delay", "2s");
        property("other", "o");
        property("pw", "a&b)+%");

        BatchResidueConfiguration set = start();

        assertThat(probe.endpoint().options)
                .containsOnly(entry("value", "v"), entry("other", "o"), entry("password", "a&b)+%"));
        assertThat(set.getBatchSize()).isEqualTo(3);
        assertThat(set.getRedeliveryDelay()).isEqualTo(2000);
    }

    @Test
    void aMissingOneFailsTheStart() {
        property("stage", "production");

        assertThat(catchThrowable(this::start)).hasStackTraceContaining("table.production");
    }

    private BatchResidueConfiguration start() throws Exception {
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:in").to(STEP);
            }
        });
        context.start();
        context.createProducerTemplate().sendBody("direct:in", List.of("a"));
        return context.getEndpoints().stream()
                .filter(endpoint -> endpoint instanceof BatchResidueEndpoint)
                .map(endpoint -> ((BatchResidueEndpoint) endpoint).getConfiguration())
                .findFirst()
                .orElseThrow();
    }
}
