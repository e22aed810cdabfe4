/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.docs;

import io.github.batchresidue.camel.BatchResidueException;
import io.github.batchresidue.engine.Ledger;
import java.util.stream.Collectors;
import org.apache.camel.builder.RouteBuilder;

/** Reads the ledger of a call with a text that the error handler has given up. */
class FailedTextRoute extends RouteBuilder {

    @Override
    public void configure() {
        // tag::route[]
        from("direct:failedText")
                .process(exchange -> {
                    Ledger ledger =
                            BatchResidueException.of(exchange).orElseThrow().getLedger();
                    exchange.getMessage()
                            .setBody(ledger.pendingItems().stream()
                                    .map(item -> (String) item.body())
                                    .collect(Collectors.joining("\n")));
                })
                .to("direct:textTomorrow");
        // end::route[]
    }
}
