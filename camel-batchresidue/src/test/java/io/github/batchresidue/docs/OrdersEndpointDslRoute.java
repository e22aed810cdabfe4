/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.docs;

import org.apache.camel.builder.endpoint.EndpointRouteBuilder;
import org.apache.camel.component.aws2.ddb.Ddb2Operations;

/** The route of the guide in the endpoint DSL. */
public class OrdersEndpointDslRoute extends EndpointRouteBuilder {

    @Override
    public void configure() {
        // tag::route[]
        from(direct("orders"))
                .to("batchresidue:"
                        + aws2Ddb("orders").operation(Ddb2Operations.PutItem).getRawUri()
                        + "&redeliveryDelay=500"
                        + "&terminalUri=" + direct("refused").getRawUri()
                        + "&givenUpUri=" + direct("later").getRawUri())
                .log("${header.CamelBatchResidueLandedCount} of ${header.CamelBatchResidueItemCount} orders stored");
        // end::route[]
    }
}
