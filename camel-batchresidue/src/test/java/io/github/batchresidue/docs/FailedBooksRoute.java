/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.docs;

import io.github.batchresidue.camel.BatchResidueException;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import org.apache.camel.builder.RouteBuilder;

/** Reads the ledger of a call that the error handler has given up. */
class FailedBooksRoute extends RouteBuilder {

    @Override
    public void configure() {
        // tag::route[]
        from("direct:failed")
                .process(exchange -> {
                    Ledger ledger =
                            BatchResidueException.of(exchange).orElseThrow().getLedger();
                    exchange.getMessage()
                            .setBody(ledger.pendingItems().stream()
                                    .map(LedgerItem::body)
                                    .toList());
                })
                .to("direct:tomorrow");
        // end::route[]
    }
}
