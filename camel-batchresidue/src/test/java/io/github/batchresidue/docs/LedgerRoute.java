/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.docs;

import io.github.batchresidue.camel.BatchResidueException;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import org.apache.camel.builder.RouteBuilder;

/** The route of the component page that looks at the ledger when the call has failed. */
public class LedgerRoute extends RouteBuilder {

    @Override
    public void configure() {
        // tag::route[]
        onException(Exception.class).handled(true).process(exchange -> {
            Ledger ledger = BatchResidueException.of(exchange).orElseThrow().getLedger();
            for (LedgerItem item : ledger.terminalItems()) {
                log.warn(
                        "order {}: {} {}",
                        item.index(),
                        item.reason(),
                        item.failure().message());
            }
        });

        from("direct:orders").to("batchresidue:aws2-ddb:orders");
        // end::route[]
    }
}
