/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.docs;

import org.apache.camel.builder.RouteBuilder;

/** The routes of the component page that take what did not land. */
public class DeadLettersRoute extends RouteBuilder {

    @Override
    public void configure() {
        // tag::route[]
        from("direct:refused")
                .log("order ${header.CamelBatchResidueItemIndex}: ${header.CamelBatchResidueErrorMessage}")
                .choice()
                .when(simple("${body} !is 'String'"))
                .marshal()
                .json()
                .end()
                .to("file:{{dead.letters}}?fileName=orders.ndjson&fileExist=Append&appendChars=\\n");

        from("direct:later")
                .log("order ${header.CamelBatchResidueItemIndex}: ${header.CamelBatchResidueReason}")
                .to("seda:try-again-tonight");
        // end::route[]
    }
}
