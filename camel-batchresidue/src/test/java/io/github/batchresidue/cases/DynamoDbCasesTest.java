/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.cases;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.batchresidue.simulators.BatchWrite;
import io.github.batchresidue.simulators.CapacityTables;
import io.github.batchresidue.simulators.ScriptedReply;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Bug reports about writers to DynamoDB, each as a test. */
class DynamoDbCasesTest {

    static Stream<BugCase> cases() {
        return BugCase.of("dynamodb");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void comesOutRight(BugCase bugCase) throws Exception {
        CaseRunner.run(bugCase, new ScriptedTables(bugCase));
    }

    private static final class ScriptedTables implements ScriptedService {

        private final CapacityTables tables = new CapacityTables();
        private final DynamoDbClient client = DynamoDbClient.builder()
                .endpointOverride(tables.endpoint())
                .region(Region.EU_WEST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("key", "secret")))
                .overrideConfiguration(override -> override.retryStrategy(AwsRetryStrategy.doNotRetry()))
                .build();

        ScriptedTables(BugCase bugCase) {
            tables.script(
                    bugCase.replies().stream().map(ScriptedTables::scripted).toList());
        }

        private static ScriptedReply scripted(JsonNode reply) {
            if (reply.has("fault")) {
                return ScriptedReply.of(
                        ScriptedReply.Fault.valueOf(reply.get("fault").asText().toUpperCase()));
            }
            String body = reply.has("json")
                    ? reply.get("json").toString()
                    : reply.path("text").asText();
            ScriptedReply scripted = ScriptedReply.of(reply.get("status").asInt(), body);
            for (var header : reply.path("headers").properties()) {
                scripted =
                        scripted.withHeader(header.getKey(), header.getValue().asText());
            }
            return scripted;
        }

        @Override
        public void bind(CamelContext context) {
            context.getRegistry().bind("client", client);
        }

        @Override
        public String delegateUri(BugCase bugCase) {
            return "aws2-ddb:orders";
        }

        @Override
        public List<String> delegateOptions(BugCase bugCase) {
            return List.of("amazonDDBClient=#client");
        }

        @Override
        public List<JsonNode> wireItems(BugCase bugCase) throws Exception {
            if (bugCase.json().has("items")) {
                return inTable("orders", bugCase.items());
            }
            JsonNode request =
                    BugCase.MAPPER.readTree(bugCase.json().get("body").asText());
            List<JsonNode> items = new ArrayList<>();
            request.get("RequestItems")
                    .properties()
                    .forEach(table -> items.addAll(inTable(table.getKey(), BugCase.list(table.getValue()))));
            return items;
        }

        @Override
        public List<List<JsonNode>> received() {
            List<List<JsonNode>> requests = new ArrayList<>();
            for (BatchWrite write : tables.batchWrites()) {
                requests.add(write.operations().stream()
                        .map(operation -> inTable(operation.table(), operation.json()))
                        .toList());
            }
            return requests;
        }

        private static List<JsonNode> inTable(String table, List<JsonNode> operations) {
            return operations.stream()
                    .map(operation -> inTable(table, operation))
                    .toList();
        }

        private static JsonNode inTable(String table, JsonNode operation) {
            return BugCase.MAPPER.createObjectNode().set(table, operation);
        }

        @Override
        public void close() {
            client.close();
            tables.close();
        }
    }
}
