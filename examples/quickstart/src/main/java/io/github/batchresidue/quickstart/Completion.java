/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.quickstart;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.support.SynchronizationAdapter;

/** Waits for the end of the first exchange that comes by. */
final class Completion extends SynchronizationAdapter implements Processor {

    private final CompletableFuture<Exchange> first = new CompletableFuture<>();

    @Override
    public void process(Exchange exchange) {
        exchange.getExchangeExtension().addOnCompletion(this);
    }

    @Override
    public void onDone(Exchange exchange) {
        first.complete(exchange);
    }

    /** The exchange as it is at its end; waits for it. */
    Exchange exchange() throws InterruptedException, ExecutionException {
        return first.get();
    }
}
