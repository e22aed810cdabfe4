/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import org.apache.camel.builder.RouteBuilder;

/** The route of {@code dsl/send-words.yaml} and {@code dsl/send-words.xml} in Java. */
public class SendWordsRoute extends RouteBuilder {

    @Override
    public void configure() {
        // tag::route[]
        from("direct:words")
                .to("batchresidue:direct:table"
                        + "?bulkApi=#words"
                        + "&batchSize=2"
                        + "&redeliveryDelay=10ms"
                        + "&maximumRedeliveries=2"
                        + "&deadLetterUri=RAW(mock:dead?retainFirst=5&retainLast=5)")
                .to("mock:done");
        // end::route[]
    }
}
