/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi;

import io.github.batchresidue.engine.Content;
import io.github.batchresidue.engine.DeadLetters;
import io.github.batchresidue.engine.ExponentialBackOff;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Item;
import io.github.batchresidue.engine.Observer;
import io.github.batchresidue.engine.Reason;
import io.github.batchresidue.engine.Refusal;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Run;
import io.github.batchresidue.engine.RunEnd;
import io.github.batchresidue.engine.RunOptions;
import io.github.batchresidue.engine.RunState;
import io.github.batchresidue.engine.Source;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.support.DefaultExchange;

/** Engine, a bulk API and what performs its requests together, without the component around them, on virtual time. */
public final class ApiRuns {

    private ApiRuns() {}

    /** The options of the component with a fixed wait and the limits of the API. */
    public static RunOptions.Builder options(BulkApi api) {
        Limits limits = api.limits();
        return RunOptions.builder()
                .batchSize(limits.maxItems())
                .batchBytes(limits.maxBytes() == Limits.NONE ? Long.MAX_VALUE : limits.maxBytes())
                .envelopeBytes(limits.envelopeBytes())
                .maxPendingResidue(1000)
                .backOff(new ExponentialBackOff(1000, 2, 60_000, ExponentialBackOff.Jitter.NONE));
    }

    /** Runs a body, a list or a whole request, to its end. */
    public static RunEnd run(BulkApi api, Endpoint delegate, VirtualTime time, Object body, RunOptions options) {
        Iterator<?> whole = api.wholeRequest(body);
        Iterator<?> elements = whole != null ? whole : ((List<?>) body).iterator();
        AtomicReference<RunEnd> end = new AtomicReference<>();
        Processor sender = api.sender(delegate);
        Run.Collaborators collaborators = new Run.Collaborators(
                new Elements(api, elements),
                (items, reply) -> reply.accept(send(api, delegate, sender, bulkItems(items))),
                DeadLetters.NONE,
                time,
                () -> 0.5,
                Observer.NONE);
        new Run(options, collaborators, RunState.NEW, end::set).start();
        time.runToTheEnd();
        return end.get();
    }

    /** One request with its reply, by the API's own sender or else the delegate's producer. */
    public static Reply send(BulkApi api, Endpoint delegate, List<BulkItem> items) {
        return send(api, delegate, api.sender(delegate), items);
    }

    private static Reply send(BulkApi api, Endpoint delegate, Processor sender, List<BulkItem> items) {
        Exchange exchange = new DefaultExchange(delegate.getCamelContext());
        try {
            api.write(items, exchange);
            (sender == null ? delegate.createProducer() : sender).process(exchange);
        } catch (Exception e) {
            exchange.setException(e);
        }
        return api.read(items, exchange);
    }

    private static List<BulkItem> bulkItems(List<Item> items) {
        return items.stream().map(item -> (BulkItem) item.content()).toList();
    }

    private static final class Elements implements Source {

        private final BulkApi api;
        private final Iterator<?> elements;

        Elements(BulkApi api, Iterator<?> elements) {
            this.api = api;
            this.elements = elements;
        }

        @Override
        public Content next() {
            if (!elements.hasNext()) {
                return null;
            }
            Object element = elements.next();
            try {
                return api.item(element);
            } catch (InvalidItemException e) {
                return new Invalid(element, new Refusal(Reason.REJECTED, new Failure(0, null, e.getMessage())));
            }
        }

        @Override
        public boolean exhausted() {
            return !elements.hasNext();
        }
    }

    private record Invalid(Object body, Refusal refusal) implements Content {
        @Override
        public long bytes() {
            return 0;
        }
    }
}
