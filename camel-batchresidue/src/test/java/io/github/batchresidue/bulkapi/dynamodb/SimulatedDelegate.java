/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.bulkapi.BulkApiContext;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.ItemKey;
import io.github.batchresidue.bulkapi.aws.TestClients;
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
import io.github.batchresidue.simulators.BatchWrite;
import io.github.batchresidue.simulators.CapacityTables;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.component.aws2.ddb.Ddb2Endpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** An {@code aws2-ddb:orders} endpoint with the SDK's own client, whose tables are simulated, on virtual time. */
final class SimulatedDelegate implements AutoCloseable {

    static final ObjectMapper MAPPER = new ObjectMapper();

    final VirtualTime time = new VirtualTime();
    final CapacityTables tables = new CapacityTables(time::now);
    final DefaultCamelContext context = new DefaultCamelContext();
    final Ddb2Endpoint endpoint;

    SimulatedDelegate() {
        this("");
    }

    /** @param uriOptions for example {@code &operation=DeleteItem} */
    SimulatedDelegate(String uriOptions) {
        DynamoDbClient client = TestClients.sendingOnce(tables.endpoint());
        context.getRegistry().bind("client", client);
        context.start();
        endpoint = context.getEndpoint(
                "aws2-ddb:orders?amazonDDBClient=#client&enabledInitialDescribeTable=false" + uriOptions,
                Ddb2Endpoint.class);
    }

    DynamoDbApi api() {
        return api(ItemKey.FROM_API);
    }

    DynamoDbApi api(ItemKey itemKey) {
        return new DynamoDbApi(new BulkApiContext(context, endpoint, Map.of(), itemKey, MAPPER));
    }

    /** The options of the component with a fixed wait and the limits of the API. */
    static RunOptions.Builder options() {
        return RunOptions.builder()
                .batchSize(25)
                .batchBytes(16 * 1024 * 1024)
                .envelopeBytes(Sizes.ENVELOPE)
                .maxPendingResidue(1000)
                .backOff(new ExponentialBackOff(1000, 2, 60_000, ExponentialBackOff.Jitter.NONE));
    }

    /** Runs a body, a list or a whole request, to its end. */
    RunEnd run(DynamoDbApi api, Object body, RunOptions options) {
        Iterator<?> whole = api.wholeRequest(body);
        Iterator<?> elements = whole != null ? whole : ((List<?>) body).iterator();
        AtomicReference<RunEnd> end = new AtomicReference<>();
        Processor sender = api.sender(endpoint);
        Run.Collaborators collaborators = new Run.Collaborators(
                new Elements(api, elements),
                (items, reply) -> reply.accept(send(api, sender, items)),
                DeadLetters.NONE,
                time,
                () -> 0.5,
                Observer.NONE);
        new Run(options, collaborators, RunState.NEW, end::set).start();
        time.runToTheEnd();
        return end.get();
    }

    /** One request with its reply. */
    Reply send(DynamoDbApi api, List<BulkItem> items) {
        return exchange(api, api.sender(endpoint), items);
    }

    private Reply send(DynamoDbApi api, Processor sender, List<Item> items) {
        return exchange(
                api,
                sender,
                items.stream().map(item -> (BulkItem) item.content()).toList());
    }

    private Reply exchange(DynamoDbApi api, Processor sender, List<BulkItem> items) {
        Exchange exchange = new DefaultExchange(context);
        api.write(items, exchange);
        try {
            sender.process(exchange);
        } catch (Exception e) {
            exchange.setException(e);
        }
        return api.read(items, exchange);
    }

    /** For each request that the service got, the partition keys in it. */
    List<List<String>> requestedKeys() {
        return tables.batchWrites().stream()
                .map(BatchWrite::operations)
                .map(operations -> operations.stream()
                        .map(operation -> text(operation.attributes().path("pk")))
                        .toList())
                .toList();
    }

    private static String text(JsonNode typed) {
        return typed.elements().next().asText();
    }

    @Override
    public void close() {
        context.stop();
        tables.close();
    }

    private static final class Elements implements Source {

        private final DynamoDbApi api;
        private final Iterator<?> elements;

        Elements(DynamoDbApi api, Iterator<?> elements) {
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
