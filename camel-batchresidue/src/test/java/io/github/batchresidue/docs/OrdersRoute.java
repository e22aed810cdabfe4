/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.docs;

import org.apache.camel.builder.RouteBuilder;

/** The route of the README in Java. */
public class OrdersRoute extends RouteBuilder {

    @Override
    public void configure() {
        // tag::route[]
        from("direct:orders")
                .to("batchresidue:aws2-ddb:orders?redeliveryDelay=500"
                        + "&terminalUri=direct:refused&givenUpUri=direct:later")
                .log("${header.CamelBatchResidueLandedCount} of ${header.CamelBatchResidueItemCount} orders stored");
        // end::route[]
    }
}
