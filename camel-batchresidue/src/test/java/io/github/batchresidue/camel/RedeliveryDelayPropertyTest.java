/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;
import org.apache.camel.CamelContext;
import org.apache.camel.impl.DefaultCamelContext;

class RedeliveryDelayPropertyTest {

    private final CamelContext context = new DefaultCamelContext();

    @BeforeProperty
    void start() {
        context.start();
    }

    @AfterProperty
    void stop() {
        context.stop();
    }

    @Property(tries = 20)
    void secondsAreHeldAsMilliseconds(@ForAll @IntRange(min = 0, max = 86_400) int seconds) {
        BatchResidueEndpoint endpoint = context.getEndpoint(
                "batchresidue:mock:out?redeliveryDelay=" + seconds + "s", BatchResidueEndpoint.class);

        assertThat(endpoint.getRedeliveryDelay()).isEqualTo(seconds * 1000L);
    }
}
