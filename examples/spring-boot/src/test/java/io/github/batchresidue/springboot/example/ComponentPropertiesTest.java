/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.springboot.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.batchresidue.camel.BatchResidueComponent;
import io.github.batchresidue.camel.BatchResidueConfiguration;
import io.github.batchresidue.engine.ExponentialBackOff.Jitter;
import java.util.Map;
import org.apache.camel.CamelContext;
import org.apache.camel.processor.errorhandler.RedeliveryPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Properties of the component in every way that Spring Boot takes them. */
class ComponentPropertiesTest {

    private static final String PREFIX = "camel.component.batchresidue.";

    @Configuration
    @EnableAutoConfiguration
    static class Application {

        @Bean
        RedeliveryPolicy patience() {
            RedeliveryPolicy policy = new RedeliveryPolicy();
            policy.setMaximumRedeliveries(5);
            return policy;
        }
    }

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withUserConfiguration(Application.class)
            .withPropertyValues("camel.main.routes-collector-enabled=false");

    @ParameterizedTest
    @ValueSource(strings = {"maximum-redeliveries", "maximumRedeliveries", "maximum_redeliveries"})
    void aDefaultIsWrittenAsSpringTakesIt(String name) {
        application.withPropertyValues(PREFIX + name + "=8").run(context -> assertThat(
                        defaults(context.getBean(CamelContext.class)).getMaximumRedeliveries())
                .isEqualTo(8));
    }

    @Test
    void everyKindOfOptionMayBeADefault() {
        application
                .withPropertyValues(
                        PREFIX + "jitter=none",
                        PREFIX + "redelivery-timeout=2m",
                        PREFIX + "back-off-multiplier=1.5",
                        PREFIX + "isolate-rejected=false",
                        PREFIX + "terminal-errors=create:409",
                        PREFIX + "bulk-api-options.index=books",
                        PREFIX + "workers={{threads}}",
                        "threads=3")
                .run(context -> {
                    CamelContext camel = context.getBean(CamelContext.class);
                    BatchResidueConfiguration defaults = defaults(camel);
                    assertThat(defaults.getJitter()).isEqualTo(Jitter.NONE);
                    assertThat(defaults.getRedeliveryTimeout()).isEqualTo(120_000);
                    assertThat(defaults.getBackOffMultiplier()).isEqualTo(1.5);
                    assertThat(defaults.isIsolateRejected()).isFalse();
                    assertThat(defaults.getTerminalErrors()).isEqualTo("create:409");
                    assertThat(defaults.getBulkApiOptions()).isEqualTo(Map.of("index", "books"));
                    assertThat(camel.getComponent("batchresidue", BatchResidueComponent.class)
                                    .getWorkers())
                            .isEqualTo(3);
                });
    }

    @Test
    void aBeanIsReferredToByItsName() {
        application.withPropertyValues(PREFIX + "redelivery-policy=#patience").run(context -> assertThat(
                        defaults(context.getBean(CamelContext.class)).getRedeliveryPolicy())
                .isSameAs(context.getBean(RedeliveryPolicy.class)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "batch-size | ten | batchSize=ten: expected a whole number",
                "batch-size | 0 | batchSize=0: expected 1 or more",
                "jitter | SOME | jitter=SOME: expected one of NONE, EQUAL, FULL",
                "batch-siz | 5 | batch-siz"
            })
    void aBadOneIsRefused(String name, String value, String message) {
        application.withPropertyValues(PREFIX + name + "=" + value).run(context -> {
            CamelContext camel = context.getBean(CamelContext.class);
            assertThat(catchThrowable(() -> defaults(camel))).hasStackTraceContaining(message);
        });
    }

    private static BatchResidueConfiguration defaults(CamelContext camel) {
        return camel.getComponent("batchresidue", BatchResidueComponent.class).getConfiguration();
    }
}
