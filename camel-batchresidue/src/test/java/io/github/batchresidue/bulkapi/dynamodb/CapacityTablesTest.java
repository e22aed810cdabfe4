/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.batchresidue.bulkapi.VirtualTime;
import io.github.batchresidue.bulkapi.aws.TestClients;
import io.github.batchresidue.simulators.BatchWrite;
import io.github.batchresidue.simulators.CapacityTable;
import io.github.batchresidue.simulators.CapacityTables;
import io.github.batchresidue.simulators.ScriptedReply;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** The simulator itself, seen by the SDK's own client. */
class CapacityTablesTest {

    private final VirtualTime time = new VirtualTime();
    private final CapacityTables tables = new CapacityTables(time::now);
    private final CapacityTable orders = tables.createTable("orders");
    private final DynamoDbClient client = TestClients.sendingOnce(tables.endpoint());
    private final OperationReader reader = new OperationReader(SimulatedDelegate.MAPPER, OperationReader.Plain.ITEM);

    @AfterEach
    void stop() {
        client.close();
        tables.close();
    }

    @Test
    void theBucketFillsWithTime() throws Exception {
        orders.capacity(10, 3);

        assertThat(write(puts(0, 5))).hasSize(2);
        time.advance(99);
        assertThatThrownBy(() -> write(puts(5, 7))).isInstanceOf(ProvisionedThroughputExceededException.class);
        time.advance(1);
        assertThat(write(puts(5, 7))).hasSize(1);
        time.advance(60_000);
        assertThat(write(puts(7, 12))).as("no more than the bucket holds").hasSize(2);
        assertThat(orders.items()).hasSize(7);
        assertThat(tables.batchWrites()).extracting(BatchWrite::atMillis).containsExactly(0L, 99L, 100L, 60_100L);
        assertThat(tables.batchWrites()).extracting(BatchWrite::status).containsExactly(200, 400, 200, 200);
    }

    @Test
    void grantsGoBeforeTheBucket() throws Exception {
        orders.capacity(0, 1).grants(2, 0);

        assertThat(write(puts(0, 3))).hasSize(1);
        assertThatThrownBy(() -> write(puts(0, 3))).isInstanceOf(ProvisionedThroughputExceededException.class);
        assertThat(write(puts(3, 5))).hasSize(1);
    }

    @Test
    void aStarvedKeyIsLeftUnprocessed() throws Exception {
        orders.starve("1");

        assertThat(write(puts(0, 3))).containsExactly(reader.read(Map.of("pk", "1")));
        assertThatThrownBy(() -> write(puts(1, 2)))
                .isInstanceOfSatisfying(
                        ProvisionedThroughputExceededException.class, e -> assertThat(e.throttlingReasons())
                                .singleElement()
                                .satisfies(reason -> assertThat(reason.reason()).contains("KeyRange")));
        orders.feedAll();
        assertThat(write(puts(1, 2))).isEmpty();
    }

    @Test
    void whatLandedIsCountedAndKept() throws Exception {
        CapacityTable audit =
                tables.createTable("audit").partitionKey("id", "N").sortKey("at", "S");
        client.batchWriteItem(batch -> batch.requestItems(Map.of(
                "orders", List.of(put(Map.of("pk", "a", "n", 1))),
                "audit", List.of(put(Map.of("id", 1, "at", "x")), put(Map.of("id", 1, "at", "y"))))));
        client.batchWriteItem(batch -> batch.requestItems(Map.of(
                "orders", List.of(put(Map.of("pk", "a", "n", 2))),
                "audit", List.of(delete(Map.of("id", 1.0, "at", "x"))))));

        assertThat(orders.item("a").path("n").path("N").asText()).isEqualTo("2");
        assertThat(orders.writes("a")).isEqualTo(2);
        assertThat(orders.writes("b")).isZero();
        assertThat(audit.item("1", "x")).isNull();
        assertThat(audit.items()).hasSize(1);
        assertThat(audit.writes()).containsEntry(List.of("1", "x"), 2).containsEntry(List.of("1", "y"), 1);
        assertThat(tables.batchWrites().get(1).operations())
                .filteredOn(BatchWrite.Operation::isDelete)
                .extracting(BatchWrite.Operation::table)
                .containsExactly("audit");
    }

    @Test
    void theEchoIsSpelledInAnotherWay() throws Exception {
        orders.starve("b");
        JsonNode sent = SimulatedDelegate.MAPPER.readTree("{\"PutRequest\":{\"Item\":{\"pk\":{\"S\":\"b\"},"
                + "\"n\":{\"N\":\"1.50\"},\"set\":{\"SS\":[\"x\",\"y\"]},\"m\":{\"M\":{\"c\":{\"S\":\"d\"},"
                + "\"l\":{\"L\":[{\"N\":\"1E2\"},{\"NULL\":true}]}}}}}}");
        List<WriteRequest> echo = write(List.of(reader.read(Map.of("pk", "a")), reader.read(sent)));

        assertThat(echo).singleElement().isNotEqualTo(reader.read(sent));
        assertThat(Canonical.of(echo.get(0))).isEqualTo(Canonical.of(reader.read(sent)));
        assertThat(echo.get(0).putRequest().item().keySet()).containsExactly("m", "set", "n", "pk");
    }

    @Test
    void theHintIsSent() {
        orders.capacity(0, 0);
        tables.retryAfter(700);

        assertThatThrownBy(() -> write(puts(0, 1))).isInstanceOfSatisfying(DynamoDbException.class, e -> assertThat(
                        e.awsErrorDetails().sdkHttpResponse().firstMatchingHeader("x-amz-retry-after"))
                .hasValue("700"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"other\":1} | Missing the key pk in the item",
                "{\"pk\":1} | Type mismatch for key pk expected: S actual: N",
                "{\"pk\":\"\"} | cannot contain an empty string value. Key: pk",
                "{\"DeleteRequest\":{\"Key\":{\"other\":{\"S\":\"a\"}}}} | does not match the schema",
                "{\"DeleteRequest\":{\"Key\":{\"pk\":{\"N\":\"1\"}}}} | does not match the schema",
                "{\"DeleteRequest\":{\"Key\":{\"pk\":{\"S\":\"a\"},\"x\":{\"S\":\"a\"}}}} | does not match the schema"
            })
    void oneBadOperationFailsTheRequest(String bad, String message) {
        assertThatThrownBy(() -> write(List.of(reader.read(Map.of("pk", "good")), reader.read(bad))))
                .isInstanceOfSatisfying(DynamoDbException.class, e -> {
                    assertThat(e.awsErrorDetails().errorCode()).isEqualTo("ValidationException");
                    assertThat(e.awsErrorDetails().errorMessage()).contains(message);
                });
        assertThat(orders.items()).isEmpty();
    }

    @Test
    void limitsAreThoseOfTheService() {
        assertThatThrownBy(() -> write(puts(0, 26))).hasMessageContaining("Too many items requested");
        assertThatThrownBy(() -> write(List.of(put(Map.of("pk", "a", "n", 1)), put(Map.of("pk", "a", "n", 2)))))
                .hasMessageContaining("contains duplicates");
        assertThatThrownBy(() -> write(List.of(put(Map.of("pk", "k".repeat(2049))))))
                .hasMessageContaining("Size of hashkey");
        assertThatThrownBy(() -> write(List.of())).hasMessageContaining("greater than or equal to 1");
        assertThatThrownBy(() -> client.batchWriteItem(batch -> batch.requestItems(Map.of("nowhere", puts(0, 1)))))
                .isInstanceOf(ResourceNotFoundException.class);
        assertThatThrownBy(() -> client.describeTable(describe -> describe.tableName("nowhere")))
                .isInstanceOf(ResourceNotFoundException.class);
        assertThat(orders.items()).isEmpty();
    }

    @Test
    void aTableMayBeNamedByItsArn() {
        client.batchWriteItem(batch ->
                batch.requestItems(Map.of("arn:aws:dynamodb:eu-west-1:123456789012:table/orders", puts(0, 1))));

        assertThat(orders.writes("0")).isEqualTo(1);
    }

    @Test
    void aScriptIsFollowedAndRecorded() throws Exception {
        tables.script(List.of(ScriptedReply.of(200, "{\"UnprocessedItems\":{}}")));

        assertThat(write(puts(0, 2))).isEmpty();
        assertThatThrownBy(() -> write(puts(2, 3))).isInstanceOfSatisfying(DynamoDbException.class, e -> assertThat(
                        e.awsErrorDetails().errorCode())
                .isEqualTo("ScriptEnded"));
        assertThat(tables.batchWrites().get(0).operations())
                .extracting(operation -> operation.json().toString())
                .containsExactly(
                        "{\"PutRequest\":{\"Item\":{\"pk\":{\"S\":\"0\"}}}}",
                        "{\"PutRequest\":{\"Item\":{\"pk\":{\"S\":\"1\"}}}}");
        assertThat(orders.items()).as("a script changes no table").isEmpty();
        assertThat(client.describeTable(describe -> describe.tableName("any"))
                        .table()
                        .keySchema())
                .singleElement()
                .satisfies(key -> assertThat(key.attributeName()).isEqualTo("pk"));
    }

    @Test
    void anotherOperationIsNotKnown() {
        assertThatThrownBy(client::listTables).isInstanceOfSatisfying(DynamoDbException.class, e -> assertThat(
                        e.awsErrorDetails().errorCode())
                .isEqualTo("UnknownOperationException"));
    }

    private List<WriteRequest> write(List<WriteRequest> requests) {
        return client.batchWriteItem(batch -> batch.requestItems(Map.of("orders", requests)))
                .unprocessedItems()
                .getOrDefault("orders", List.of());
    }

    private List<WriteRequest> puts(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> put(Map.of("pk", Integer.toString(i))))
                .toList();
    }

    private WriteRequest put(Map<String, Object> item) {
        try {
            return reader.read(new LinkedHashMap<>(item));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private WriteRequest delete(Map<String, Object> key) {
        Map<String, AttributeValue> attributes = put(key).putRequest().item();
        return WriteRequest.builder()
                .deleteRequest(delete -> delete.key(attributes))
                .build();
    }
}
