/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.readings;

import io.github.batchresidue.camel.BatchResidueConstants;
import java.util.ArrayList;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.Processor;

/** Keeps what the service refused, each with the reason. Dead letters come one at a time. */
final class RefusedReadings implements Processor {

    private final List<String> lines = new ArrayList<>();

    @Override
    public synchronized void process(Exchange exchange) {
        Message letter = exchange.getMessage();
        lines.add(letter.getHeader(BatchResidueConstants.ITEM_ID) + ": "
                + letter.getHeader(BatchResidueConstants.ERROR_CODE));
    }

    synchronized List<String> lines() {
        return List.copyOf(lines);
    }
}
