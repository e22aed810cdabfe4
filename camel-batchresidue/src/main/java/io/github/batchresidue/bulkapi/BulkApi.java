/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi;

import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Transport;
import java.io.InputStream;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;

/**
 * How one service takes items in bulk and answers for them. An instance belongs to one endpoint and is used by many
 * threads at once: it keeps no state of a run. One that is a Camel {@link org.apache.camel.Service} is started and
 * stopped with the endpoint.
 *
 * <p>To use your own, put it in the registry and say {@code bulkApi=#name}.
 */
public interface BulkApi {

    /**
     * The property of a request's exchange with its {@link Transport.Answer}. It is there for a {@link #sender} whose request
     * waits for something before it goes out, such as a login: one that says {@link Transport.Answer#letWait} and asks {@link
     * Transport.Answer#begin} lets the run take the request back, and its items have not been sent.
     */
    String ANSWER = "CamelBatchResidueAnswer";

    /** What one request may hold. */
    Limits limits();

    /**
     * The operations that items may have, by the words of {@link BulkItem#operation()}. Error rules such as
     * {@code create:409} may name these only; empty if no item has one.
     */
    default Set<String> operations() {
        return Set.of();
    }

    /**
     * Makes an item of one element of the body.
     *
     * @param element an element as it stands in the body; of a JSON text or stream, its {@link RawJson}
     * @throws InvalidItemException if the element can never be sent; the item then is terminal, with this message
     */
    BulkItem item(Object element) throws InvalidItemException;

    /**
     * As {@link #item(Object)}, which it calls unless the API says otherwise, for items that take something from the
     * exchange they come with: a header, a property, its id. This is the one that is called for the elements of a body.
     *
     * @param index where the element stands in the body, from 0
     * @param exchange the caller's, as {@link #write} sees it and with the caller's id; not to be modified
     */
    default BulkItem item(Object element, long index, Exchange exchange) throws InvalidItemException {
        return item(element);
    }

    /**
     * The elements of a body that is a whole request of this API, such as the text of a {@code _bulk} call.
     *
     * @param body the body as it came; of a text, bytes, a file or a stream an {@link InputStream} that supports
     *     {@code mark} for at least 8 KiB and has to be left as it was found if the body is none of this API's
     * @return its elements, each good for {@link #item}; read as they are sent, and closed at the end if
     *     {@link AutoCloseable}; null if the body is not a whole request of this API
     */
    default Iterator<?> wholeRequest(Object body) {
        return null;
    }

    /**
     * Writes a request with these items, in this order, into the message of an exchange that has the caller's headers
     * and no body.
     */
    void write(List<BulkItem> items, Exchange exchange) throws Exception;

    /**
     * Reads what came back for a request: the message of an answer, or {@link Exchange#getException()} of a failure.
     * What cannot be read as the service's answer is {@link Reply#unreadable unknown} for every item, never success.
     *
     * @param items what the request carried, in its order
     */
    Reply read(List<BulkItem> items, Exchange exchange);

    /**
     * Performs a request that {@link #write} has written where the delegate's own producer cannot.
     *
     * @param delegate the endpoint as its component made it, not intercepted and not mocked
     * @return what performs it; null to let the delegate's producer do it
     */
    default Processor sender(Endpoint delegate) {
        return null;
    }
}
