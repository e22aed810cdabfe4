/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.docs;

import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.processor.errorhandler.RedeliveryPolicy;

/** The route of the guide in Java that declares a redelivery policy of its own. */
public class PatientOrdersRoute extends RouteBuilder {

    @Override
    public void configure() {
        // tag::route[]
        RedeliveryPolicy patience = new RedeliveryPolicy();
        patience.setMaximumRedeliveries(2);
        patience.setDelayPattern("1:10;2:20");
        getContext().getRegistry().bind("patience", patience);

        from("direct:orders")
                .to("batchresidue:aws2-ddb:orders?redeliveryPolicy=#patience"
                        + "&terminalUri=direct:refused&givenUpUri=direct:later");
        // end::route[]
    }
}
