/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.bulkapi.ApiRuns;
import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkApiContext;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.ItemKey;
import io.github.batchresidue.bulkapi.VirtualTime;
import io.github.batchresidue.bulkapi.aws.TestClients;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.RunEnd;
import io.github.batchresidue.engine.RunOptions;
import io.github.batchresidue.simulators.BatchWrite;
import io.github.batchresidue.simulators.CapacityTables;
import java.util.List;
import java.util.Map;
import org.apache.camel.component.aws2.ddb.Ddb2Endpoint;
import org.apache.camel.impl.DefaultCamelContext;
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
    RunOptions.Builder options() {
        return ApiRuns.options(api(ItemKey.NONE));
    }

    /** Runs a body, a list or a whole request, to its end. */
    RunEnd run(BulkApi api, Object body, RunOptions options) {
        return ApiRuns.run(api, endpoint, time, body, options);
    }

    /** One request with its reply. */
    Reply send(BulkApi api, List<BulkItem> items) {
        return ApiRuns.send(api, endpoint, items);
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
}
