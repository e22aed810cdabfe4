/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.docs;

import io.github.batchresidue.camel.BatchResidueItemEvent;
import io.github.batchresidue.camel.BatchResidueRoundEvent;
import io.github.batchresidue.engine.Outcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.camel.spi.CamelEvent;
import org.apache.camel.support.EventNotifierSupport;

/** The listener of the guide. */
class RetryListener extends EventNotifierSupport {

    final List<String> lines = Collections.synchronizedList(new ArrayList<>());

    // tag::listener[]
    @Override
    public void notify(CamelEvent event) {
        if (event instanceof BatchResidueRoundEvent round && round.getNextWaitMillis() >= 0) {
            alert(round.getRound().residue() + " of " + round.getRound().items() + " writes to " + round.getDelegate()
                    + " wait " + round.getNextWaitMillis() + " ms: "
                    + round.getFailure().message());
        } else if (event instanceof BatchResidueItemEvent end && end.getItem().outcome() != Outcome.LANDED) {
            alert("item " + end.getItem().index() + " did not land: "
                    + end.getItem().reason());
        }
    }
    // end::listener[]

    private void alert(String line) {
        lines.add(line);
    }
}
