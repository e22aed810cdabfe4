/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.simulators.CapacityTable;
import io.github.batchresidue.simulators.CapacityTables;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The quickstart with a short file. The credentials of the service's client come from the build. */
class QuickstartTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

    @Test
    void theReferenceRunIsPrintedRequestByRequest() throws Exception {
        try (CapacityTables service = new CapacityTables();
                DynamoDbClient client = DynamoDbClients.ofSimulator(service.endpoint());
                Quickstart quickstart = new Quickstart(client, "orders", out)) {
            service.createTable("letters").partitionKey("id", "S").grants(2, 1, 2, 1);

            quickstart.sendLetters();

            assertThat(text().lines().map(QuickstartTest::withoutOffset))
                    .containsSubsequence("abcdef ab cdef 1.000 s", "cdef c def 2.000 s", "def de f 4.000 s", "f f - -")
                    .anyMatch(line -> line.contains("6 landed"));
            assertThat(service.table("letters").writes().values()).hasSize(6).allMatch(writes -> writes == 1);
        }
    }

    @Test
    void everyOrderIsAccountedForInTheTableOrInAFile() throws Exception {
        OrdersFile file = OrdersFile.write(Quickstart.DIRECTORY.resolve("orders.ndjson"), 500);
        try (CapacityTables service = new CapacityTables();
                DynamoDbClient client = DynamoDbClients.ofSimulator(service.endpoint());
                Quickstart quickstart = new Quickstart(client, "orders", out)) {
            CapacityTable table = service.createTable("orders")
                    .partitionKey("id", "S")
                    .starve(file.hotIds().toArray(String[]::new))
                    .capacity(200, 400);

            Summary summary = quickstart.sendOrders(file, table);

            assertThat(summary.problems()).isEmpty();
            assertThat(summary.ledger().terminal()).isEqualTo(file.invalid()).isEqualTo(5);
            assertThat(summary.ledger().givenUp())
                    .isEqualTo(file.hotIds().size())
                    .isEqualTo(5);
            assertThat(summary.ledger().landed()).isEqualTo(490);
            assertThat(service.batchWrites()).hasSize((int) summary.requests().sent());
            assertThat(itemIds(Summary.GIVEN_UP_FILE)).containsExactlyInAnyOrderElementsOf(file.hotIds());
            assertThat(read(Summary.TERMINAL_FILE))
                    .extracting(line -> line.get("reason").textValue())
                    .containsExactlyInAnyOrder("REJECTED", "REJECTED", "REJECTED", "REJECTED", "TOO_LARGE");
        }
    }

    @Test
    void aServiceIsReachedByItsUrlWithTheUsualCredentials() throws Exception {
        OrdersFile file = OrdersFile.write(Quickstart.DIRECTORY.resolve("orders.ndjson"), 100);
        try (CapacityTables service = new CapacityTables()) {
            CapacityTable table = service.createTable("elsewhere").partitionKey("id", "S");

            Summary summary = Quickstart.onService(service.endpoint().toString(), "elsewhere", file, out);

            assertThat(summary.problems()).isEmpty();
            assertThat(summary.table()).isNull();
            assertThat(table.items()).hasSize(99);
        }
    }

    @Test
    void aMissingTableIsAProblemAndNotCreated() throws Exception {
        OrdersFile file = OrdersFile.write(Quickstart.DIRECTORY.resolve("orders.ndjson"), 100);
        try (CapacityTables service = new CapacityTables()) {

            Summary summary = Quickstart.onService(service.endpoint().toString(), "nowhere", file, out);

            assertThat(summary.problems()).anyMatch(problem -> problem.contains("Requested resource not found"));
            assertThat(summary.ledger().pending()).isPositive();
            assertThat(service.batchWrites()).hasSize(1);
        }
    }

    private String text() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    private static String withoutOffset(String line) {
        return line.strip().replaceAll("^\\d+\\.\\d+ s", "").strip().replaceAll(" +", " ");
    }

    private static List<JsonNode> read(Path file) throws Exception {
        List<JsonNode> lines = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            lines.add(JSON.readTree(line));
        }
        return lines;
    }

    private static List<String> itemIds(Path file) throws Exception {
        return read(file).stream()
                .map(line -> line.get("item").get("id").textValue())
                .toList();
    }
}
