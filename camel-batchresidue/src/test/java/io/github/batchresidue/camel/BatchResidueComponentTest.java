/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.spi.PropertyConfigurer;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.test.junit5.CamelTestSupport;
import org.junit.jupiter.api.Test;

class BatchResidueComponentTest extends CamelTestSupport {

    @Test
    void durationIsBoundByTheGeneratedConfigurer() throws Exception {
        PropertyConfigurer configurer =
                PluginHelper.getConfigurerResolver(context).resolvePropertyConfigurer("batchresidue-endpoint", context);

        assertThat(configurer).isInstanceOf(BatchResidueEndpointConfigurer.class);
        assertThat(endpoint("batchresidue:mock:out?redeliveryDelay=1s").getRedeliveryDelay())
                .isEqualTo(1000);
        assertThat(endpoint("batchresidue:mock:out?redeliveryDelay=250").getRedeliveryDelay())
                .isEqualTo(250);
    }

    @Test
    void unknownOptionsGoToTheDelegate() {
        assertThat(endpoint("batchresidue:mock:out?redeliveryDelay=1s&retainFirst=3")
                        .getDelegateUri())
                .isEqualTo("mock://out?retainFirst=3");
    }

    @Test
    void exchangeReachesTheDelegate() throws Exception {
        MockEndpoint out = getMockEndpoint("mock:out");
        out.expectedBodiesReceived("a batch");

        template.sendBody("batchresidue:mock:out", "a batch");

        out.assertIsSatisfied();
    }

    private BatchResidueEndpoint endpoint(String uri) {
        return context.getEndpoint(uri, BatchResidueEndpoint.class);
    }
}
