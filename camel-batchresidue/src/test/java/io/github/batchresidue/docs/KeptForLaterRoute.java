/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.docs;

import org.apache.camel.builder.RouteBuilder;

/** Keeps in files what was given up, also when the application stops. */
class KeptForLaterRoute extends RouteBuilder {

    @Override
    public void configure() {
        // tag::route[]
        from("direct:orders")
                .to(
                        "batchresidue:aws2-ddb:orders"
                                + "?terminalUri=direct:refused"
                                + "&givenUpUri=RAW(file:{{later.folder}}?fileName=${header.CamelBatchResidueReason}-${exchangeId}.json)");
        // end::route[]
    }
}
