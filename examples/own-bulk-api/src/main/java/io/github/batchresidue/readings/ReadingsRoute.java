/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.readings;

import org.apache.camel.builder.RouteBuilder;

/** Sends readings, and keeps those that the service refused for good. Camel finds it by itself. */
public final class ReadingsRoute extends RouteBuilder {

    // tag::route[]
    @Override
    public void configure() {
        from("direct:readings")
                .to("batchresidue:http://{{readings.server}}/v1/readings?bulkApi=#readingsApi"
                        + "&redeliveryDelay=50&terminalUri=direct:refused");

        from("direct:refused").process("refusedReadings");
    }
    // end::route[]
}
