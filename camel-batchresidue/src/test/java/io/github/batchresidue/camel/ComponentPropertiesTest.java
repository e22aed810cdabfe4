/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.entry;

import io.github.batchresidue.engine.ExponentialBackOff.Jitter;
import io.github.batchresidue.engine.Ledger;
import java.util.List;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.main.Main;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Camel Main finds the component by itself, and its properties are defaults of every endpoint. */
class ComponentPropertiesTest {

    private static final String PREFIX = "camel.component.batchresidue.";

    private final Main main = new Main();
    private final WordService service = WordService.throttlingAll();

    @AfterEach
    void stop() {
        main.stop();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "maximum-redeliveries",
                "maximumRedeliveries",
                "configuration.maximumRedeliveries",
                "configuration.maximum-redeliveries"
            })
    void aDefaultIsWrittenAsCamelTakesIt(String name) throws Exception {
        main.addInitialProperty(PREFIX + name, "8");
        main.addInitialProperty(PREFIX + "redelivery-delay", "1ms");

        Ledger ledger = run("batchresidue:direct:table?bulkApi=#words&throwExceptionOnUndelivered=false");

        assertThat(service.requests()).hasSize(9);
        assertThat(ledger.givenUp()).isEqualTo(1);
    }

    @Test
    void thoseOfTheGuideAreTaken() throws Exception {
        main.setPropertyPlaceholderLocations("classpath:docs/component-defaults.properties");
        main.addInitialProperty(PREFIX + "bulk-api-options[language]", "la");

        run("batchresidue:direct:table?bulkApi=words&redeliveryDelay=1");

        assertThat(service.requests()).hasSize(9);
        BatchResidueConfiguration defaults = main.getCamelContext()
                .getComponent("batchresidue", BatchResidueComponent.class)
                .getConfiguration();
        assertThat(defaults.getRedeliveryDelay()).isEqualTo(500);
        assertThat(defaults.getDeadLetterUri()).isEqualTo("direct:dead");
        assertThat(WordApiProvider.MADE.get("direct://table").options()).containsEntry("language", "la");
    }

    @Test
    void anEndpointsOwnOptionGoesBeforeIt() throws Exception {
        main.addInitialProperty(PREFIX + "maximum-redeliveries", "8");
        main.addInitialProperty(PREFIX + "throw-exception-on-undelivered", "false");

        run("batchresidue:direct:table?bulkApi=#words&maximumRedeliveries=0");

        assertThat(service.requests()).hasSize(1);
    }

    @Test
    void soDoesAnOptionOfTheBulkApiAndTheOthersStay() throws Exception {
        main.addInitialProperty(PREFIX + "bulk-api-options[language]", "la");
        main.addInitialProperty(PREFIX + "bulk-api-options[dialect]", "vulgar");
        main.addInitialProperty(PREFIX + "maximum-redeliveries", "0");
        main.addInitialProperty(PREFIX + "dead-letter-uri", "direct:dead");

        run("batchresidue:direct:table?bulkApi=words&bulkApi.dialect=classical");

        assertThat(WordApiProvider.MADE.get("direct://table").options())
                .containsOnly(entry("language", "la"), entry("dialect", "classical"));
    }

    @Test
    void anUnknownOptionOfTheBulkApiStopsTheStartWhateverTheUriHas() {
        main.addInitialProperty(PREFIX + "bulk-api-options[tongue]", "la");

        assertThat(catchThrowable(() -> run("batchresidue:direct:table?bulkApi=words&bulkApi.dialect=classical")))
                .hasStackTraceContaining("bulkApi.tongue: not an option of words; its options: dialect, language");
    }

    @Test
    void everyKindOfOptionMayBeADefault() throws Exception {
        main.addInitialProperty(PREFIX + "bulk-api", "#words");
        main.addInitialProperty(PREFIX + "jitter", "none");
        main.addInitialProperty(PREFIX + "back-off-multiplier", "1.5");
        main.addInitialProperty(PREFIX + "redelivery-timeout", "2m");
        main.addInitialProperty(PREFIX + "maximum-redeliveries", "{{times}}");
        main.addInitialProperty("times", "0");
        main.addInitialProperty(PREFIX + "dead-letter-uri", "mock:dead");
        main.addInitialProperty(PREFIX + "workers", "3");

        run("batchresidue:direct:table");

        BatchResidueComponent component =
                main.getCamelContext().getComponent("batchresidue", BatchResidueComponent.class);
        BatchResidueConfiguration defaults = component.getConfiguration();
        assertThat(defaults.getJitter()).isEqualTo(Jitter.NONE);
        assertThat(defaults.getBackOffMultiplier()).isEqualTo(1.5);
        assertThat(defaults.getRedeliveryTimeout()).isEqualTo(120_000);
        assertThat(component.getWorkers()).isEqualTo(3);
        assertThat(service.requests()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "batchSize | ten | expected a whole number",
                "batch-size | 1.5 | expected a whole number",
                "batchSize | 0 | expected 1 or more",
                "batchSize | -3 | expected 1 or more",
                "maximumRedeliveries | -2 | expected -1 or more",
                "redeliveryDelay | soon | expected milliseconds or a duration",
                "redeliveryDelay | -1 | expected 0 or more",
                "backOffMultiplier | twice | expected a number such as 2 or 1.5",
                "backOffMultiplier | 0.5 | expected 1 or more",
                "workers | 0 | expected 1 or more",
                "workers | 5q | expected a whole number",
                "jitter | SOME | expected one of NONE, EQUAL, FULL",
                "isolateRejected | perhaps | expected true or false",
                "retainLanded | maybe | expected auto, true or false",
                "itemClassifier | x | expected a reference (#name) to a",
                "redeliveryPolicy | #nobody | expected a reference (#name) to a",
                "itemKey | #nobody | expected a reference (#name) to a"
            })
    void aBadOneStopsTheStart(String name, String value, String expected) {
        main.addInitialProperty(PREFIX + name, value);

        Throwable failure = catchThrowable(() -> run("batchresidue:direct:table?bulkApi=#words"));

        assertThat(failure)
                .hasStackTraceContaining(
                        (name.equals("batch-size") ? "batchSize" : name) + "=" + value + ": " + expected);
        assertThat(service.requests()).isEmpty();
    }

    @Test
    void aPropertyTakesNoRaw() {
        main.addInitialProperty(PREFIX + "terminal-uri", "RAW(mock:dead?retainFirst=1&retainLast=2)");

        assertThat(catchThrowable(() -> run("batchresidue:direct:table?bulkApi=#words")))
                .hasStackTraceContaining("terminalUri=mock:dead: RAW() is part of the value here");
    }

    @Test
    void anUnknownOneStopsTheStart() {
        main.addInitialProperty(PREFIX + "batch-siz", "5");

        assertThat(catchThrowable(() -> run("batchresidue:direct:table?bulkApi=#words")))
                .hasStackTraceContaining("camel.component.batchresidue.batchSiz=5");
    }

    private Ledger run(String uri) throws Exception {
        main.bind("words", new WordApi());
        main.configure().addRoutesBuilder(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:in").to(uri);
                from("direct:table").process(service);
                from("direct:dead").log("${header.CamelBatchResidueReason}");
            }
        });
        main.start();
        return main.getCamelTemplate().requestBody("direct:in", List.of("a"), Ledger.class);
    }
}
