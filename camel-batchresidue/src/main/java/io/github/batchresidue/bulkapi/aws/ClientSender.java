/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import software.amazon.awssdk.core.SdkClient;

/**
 * Performs a request with the client of the delegate's endpoint, in place of its producer: the body is a request of the
 * SDK's, and then its response. Warns once of a client that repeats requests by itself.
 *
 * @param <C> the client
 * @param <Q> the request
 */
public final class ClientSender<C extends SdkClient, Q> implements Processor {

    private final Supplier<C> client;
    private final String option;
    private final Class<Q> requestType;
    private final BiFunction<C, Q, ?> call;
    private final AtomicBoolean warned = new AtomicBoolean();

    /**
     * @param client asked for each request, and now; null as long as the endpoint has none because it is not started
     * @param option the option of the delegate that takes a client, for the advice
     * @param call the operation of the client
     */
    public ClientSender(Supplier<C> client, String option, Class<Q> requestType, BiFunction<C, Q, ?> call) {
        this.client = client;
        this.option = option;
        this.requestType = requestType;
        this.call = call;
        clientWarnedOf();
    }

    @Override
    public void process(Exchange exchange) throws Exception {
        Q request = exchange.getMessage().getMandatoryBody(requestType);
        exchange.getMessage().setBody(call.apply(clientWarnedOf(), request));
    }

    private C clientWarnedOf() {
        C current = client.get();
        if (current != null && warned.compareAndSet(false, true)) {
            ClientRetries.warn(current, option);
        }
        return current;
    }
}
