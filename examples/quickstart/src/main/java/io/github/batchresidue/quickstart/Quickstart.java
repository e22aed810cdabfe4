/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.quickstart;

import io.github.batchresidue.camel.BatchResidueConstants;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.simulators.CapacityTable;
import io.github.batchresidue.simulators.CapacityTables;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.camel.Exchange;
import org.apache.camel.main.Main;
import org.apache.camel.main.SimpleMainShutdownStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Runs the routes in {@code src/main/resources/camel}: first the reference run, then a file of orders. The table is a
 * simulated one, unless the system properties {@code quickstart.endpoint} and {@code quickstart.table} name a real one;
 * then there is no reference run. Exits with 0 only if every order is accounted for.
 */
public final class Quickstart implements AutoCloseable {

    static final Path DIRECTORY = Path.of("target", "quickstart");

    private static final int ORDERS = 3000;
    private static final int WRITES_PER_SECOND = 150;
    private static final int WRITES_AT_ONCE = 300;
    private static final String LETTERS_DELEGATE = "aws2-ddb:letters";

    private final PrintStream out;
    private final Timeline timeline;
    private final Progress progress;
    private final Completion completion = new Completion();
    private final Main camel = new Main(Quickstart.class);
    private final CountDownLatch told = new CountDownLatch(1);

    /** Starts Camel with the routes and what they refer to. */
    Quickstart(DynamoDbClient client, String table, PrintStream out) {
        this.out = out;
        this.timeline = new Timeline(LETTERS_DELEGATE, out);
        this.progress = new Progress("aws2-ddb:" + table, out);
        camel.addOverrideProperty("quickstart.table", table);
        camel.bind("dynamoDb", client);
        camel.bind("deadLetterLine", new DeadLetterLine());
        camel.bind("completion", completion);
        // Camel notifies every event notifier that it finds in the registry.
        camel.bind("timeline", timeline);
        camel.bind("progress", progress);
        // Main's own handling of Ctrl-C is for Main.run(), which is not used here: see stopWithJvm.
        camel.setShutdownStrategy(new SimpleMainShutdownStrategy());
        camel.start();
    }

    public static void main(String[] args) {
        boolean isOk = false;
        try {
            String endpoint = System.getProperty("quickstart.endpoint", "");
            String table = System.getProperty("quickstart.table", "orders");
            OrdersFile file = OrdersFile.write(DIRECTORY.resolve("orders.ndjson"), ORDERS);
            Summary summary = endpoint.isBlank()
                    ? onSimulator(table, file, System.out)
                    : onService(endpoint, table, file, System.out);
            isOk = summary.problems().isEmpty();
        } catch (Exception e) {
            System.out.println("NOT OK: " + rootCause(e));
        }
        System.exit(isOk ? 0 : 1);
    }

    private static Summary onSimulator(String name, OrdersFile file, PrintStream out) throws Exception {
        try (CapacityTables service = new CapacityTables();
                DynamoDbClient client = DynamoDbClients.ofSimulator(service.endpoint());
                Quickstart quickstart = new Quickstart(client, name, out)) {
            quickstart.stopWithJvm();
            service.createTable("letters").partitionKey("id", "S").grants(2, 1, 2, 1);
            quickstart.sendLetters();
            CapacityTable table = service.createTable(name)
                    .partitionKey("id", "S")
                    .starve(file.hotIds().toArray(String[]::new))
                    .capacity(WRITES_PER_SECOND, WRITES_AT_ONCE);
            return quickstart.sendOrders(file, table);
        }
    }

    /** Sends the orders to a table that nobody can look into. */
    static Summary onService(String endpoint, String table, OrdersFile file, PrintStream out) throws Exception {
        try (DynamoDbClient client = DynamoDbClients.ofService(endpoint);
                Quickstart quickstart = new Quickstart(client, table, out)) {
            quickstart.stopWithJvm();
            return quickstart.sendOrders(file, null);
        }
    }

    void sendLetters() {
        out.println();
        out.println("The reference run: six items for a table that takes two of them, then one, two and one.");
        out.println();
        timeline.printHead();
        List<Map<String, String>> letters = Stream.of("a", "b", "c", "d", "e", "f")
                .map(letter -> Map.of("id", letter))
                .toList();
        Exchange done = camel.getCamelContext()
                .createProducerTemplate()
                .request("direct:reference", exchange -> exchange.getMessage().setBody(letters));
        Ledger ledger = ledgerOf(done);
        out.println();
        out.printf(
                "  %d items: %d landed, %d terminal, %d given up, %d pending; %d requests, waited %s%n",
                ledger.items(),
                ledger.landed(),
                ledger.terminal(),
                ledger.givenUp(),
                ledger.pending(),
                ledger.requests(),
                Timeline.seconds(ledger.waitedMillis()));
        if (ledger.landed() != letters.size()) {
            throw new IllegalStateException("not every item of the reference run landed", done.getException());
        }
    }

    /**
     * Sends a file of orders and prints what became of them.
     *
     * @param table to look into afterwards; null if that is not possible
     */
    Summary sendOrders(OrdersFile file, CapacityTable table) throws Exception {
        out.println();
        out.printf(Locale.ROOT, "The main job: %,d orders, %d of them invalid", file.orders(), file.invalid());
        if (table != null) {
            out.printf(
                    ", for a table that takes %d a second%n(at most %d at once) and never has capacity for %d of them",
                    WRITES_PER_SECOND, WRITES_AT_ONCE, file.hotIds().size());
        }
        out.printf(".%n%n");
        for (Path deadLetters : List.of(Summary.TERMINAL_FILE, Summary.GIVEN_UP_FILE)) {
            Files.write(deadLetters, new byte[0]);
        }
        camel.getCamelContext().getRouteController().startRoute("orders");
        Exchange done = completion.exchange();
        Ledger ledger = ledgerOf(done);
        Summary summary = new Summary(
                file.orders(),
                ledger,
                done.getException(),
                lines(Summary.TERMINAL_FILE),
                lines(Summary.GIVEN_UP_FILE),
                table == null ? null : contentOf(table),
                progress.requests());
        summary.print(out);
        told.countDown();
        return summary;
    }

    private static Ledger ledgerOf(Exchange done) {
        Ledger ledger = done.getProperty(BatchResidueConstants.LEDGER, Ledger.class);
        if (ledger == null) {
            throw new IllegalStateException("nothing was sent", done.getException());
        }
        return ledger;
    }

    private static long lines(Path file) throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.count();
        }
    }

    private static Summary.TableContent contentOf(CapacityTable table) {
        return new Summary.TableContent(
                table.items().size(),
                table.writes().values().stream().max(Integer::compare).orElse(0));
    }

    private static Throwable rootCause(Throwable e) {
        return e.getCause() == null ? e : rootCause(e.getCause());
    }

    /** On Ctrl-C Camel stops, which ends the run; what became of the orders is told all the same. */
    private void stopWithJvm() {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            camel.stop();
            try {
                told.await(2, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
    }

    @Override
    public void close() {
        camel.stop();
    }
}
