/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.books;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.camel.BatchResidueConstants;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.servers.opensearch.EmbeddedOpenSearch;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.main.Main;

/**
 * Runs the route in {@code src/main/resources/camel/books.yaml}: a large file goes into an index of a server that has one
 * processor and a write queue of one place. Exits with 0 only if the index holds every acceptable book once and the file
 * of dead letters all others.
 */
public final class IndexBooks implements AutoCloseable {

    static final Path DIRECTORY = Path.of("target", "elasticsearch");
    private static final Path DEAD_LETTERS = DIRECTORY.resolve("dead-letters.ndjson");
    private static final int BOOKS = 100_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final EmbeddedOpenSearch server;
    private final PrintStream out;
    private final Progress progress;
    private final Main camel = new Main(IndexBooks.class);

    IndexBooks(EmbeddedOpenSearch server, PrintStream out) {
        this.server = server;
        this.out = out;
        this.progress = new Progress(out);
        camel.addOverrideProperty("books.server", server.address());
        camel.bind("deadLetterLine", new DeadLetterLine());
        // Camel notifies every event notifier that it finds in the registry.
        camel.bind("progress", progress);
        camel.start();
    }

    public static void main(String[] args) {
        boolean isOk = false;
        System.out.println("Starting an OpenSearch server …");
        try (EmbeddedOpenSearch server = new EmbeddedOpenSearch(Map.of());
                IndexBooks books = new IndexBooks(server, System.out)) {
            isOk = books.index(BooksFile.write(DIRECTORY.resolve("books.ndjson"), BOOKS))
                    .isEmpty();
        } catch (Exception e) {
            System.out.println("NOT OK: " + e);
        }
        System.exit(isOk ? 0 : 1);
    }

    /** Indexes a file and tells what came of it; gives what is not as it should be. */
    List<String> index(BooksFile file) throws Exception {
        server.call(
                "PUT",
                "/books",
                "{\"settings\":{\"number_of_shards\":2,\"number_of_replicas\":0},"
                        + "\"mappings\":{\"properties\":{\"year\":{\"type\":\"long\"}}}}");
        Files.write(DEAD_LETTERS, new byte[0]);
        out.printf(
                Locale.ROOT,
                "%nIndexing %s: %,d operations, %,d KB; %d have a bad year, %d want a name that is taken.%n%n",
                file.path(),
                file.operations(),
                Files.size(file.path()) / 1024,
                file.bad(),
                file.taken());
        Exchange done = camel.getCamelContext()
                .createProducerTemplate()
                .request("direct:books", exchange -> exchange.getMessage()
                        .setBody(file.path().toFile()));
        Ledger ledger = done.getProperty(BatchResidueConstants.LEDGER, Ledger.class);
        if (ledger == null) {
            throw new IllegalStateException("nothing was sent", done.getException());
        }
        server.call("POST", "/books/_refresh", null);
        long inIndex = json("/books/_count").get("count").longValue();
        List<String> deadLetters = Files.readAllLines(DEAD_LETTERS);
        printSummary(ledger, inIndex, deadLetters);
        List<String> problems = problems(file, done, ledger, inIndex, deadLetters.size());
        out.println(problems.isEmpty() ? "OK: every book is accounted for." : "NOT OK: " + problems);
        return problems;
    }

    private void printSummary(Ledger ledger, long inIndex, List<String> deadLetters) throws Exception {
        out.printf(
                Locale.ROOT,
                "%n  ledger: %,d items, %,d landed, %d terminal, %d given up, %d pending%n",
                ledger.items(),
                ledger.landed(),
                ledger.terminal(),
                ledger.givenUp(),
                ledger.pending());
        out.printf(
                Locale.ROOT,
                "  %,d requests in %.1f s, at most %d for one book; %,d times a book was rejected by the full queue%n",
                ledger.requests(),
                ledger.elapsedMillis() / 1000.0,
                ledger.rounds(),
                progress.rejected());
        out.printf(Locale.ROOT, "%nThe index holds %,d books, among them:%n", inIndex);
        for (JsonNode hit : json("/books/_search?size=3&sort=year:desc").at("/hits/hits")) {
            out.println("  " + hit.get("_id").textValue() + "  " + hit.at("/_source/year") + "  "
                    + hit.at("/_source/title").textValue());
        }
        out.printf("%nThe dead letters, in %s:%n", DEAD_LETTERS);
        for (String line : deadLetters.subList(0, Math.min(4, deadLetters.size()))) {
            out.println("  " + line.substring(0, Math.min(150, line.length())) + " …");
        }
        out.println();
    }

    private static List<String> problems(BooksFile file, Exchange done, Ledger ledger, long inIndex, long deadLetters) {
        List<String> problems = new ArrayList<>();
        if (done.getException() != null) {
            problems.add("the run failed: " + done.getException());
        }
        requireEqual("operations in the file", file.operations(), "items read", ledger.items(), problems);
        requireEqual("acceptable", file.acceptable(), "landed", ledger.landed(), problems);
        requireEqual("landed", ledger.landed(), "books in the index", inIndex, problems);
        requireEqual(
                "terminal and given up", ledger.terminal() + ledger.givenUp(), "dead letters", deadLetters, problems);
        requireEqual("pending", ledger.pending(), "none", 0, problems);
        return problems;
    }

    private static void requireEqual(String one, long a, String other, long b, List<String> problems) {
        if (a != b) {
            problems.add(one + " (" + a + ") differs from " + other + " (" + b + ")");
        }
    }

    private JsonNode json(String path) throws IOException, InterruptedException {
        return JSON.readTree(server.call("GET", path, null));
    }

    @Override
    public void close() {
        camel.stop();
    }
}
