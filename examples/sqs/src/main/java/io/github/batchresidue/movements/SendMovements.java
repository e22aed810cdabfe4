/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.movements;

import io.github.batchresidue.camel.BatchResidueConstants;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.servers.elasticmq.EmbeddedElasticMq;
import io.github.batchresidue.servers.elasticmq.Queues;
import io.github.batchresidue.servers.elasticmq.UnreliableProxy;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.camel.Exchange;
import org.apache.camel.main.Main;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * Runs the routes in {@code src/main/resources/camel/movements.xml}: a file of account movements goes into a FIFO queue of
 * a real server, and something in between fails every fifth message and keeps silent about others. Exits with 0 only if the
 * queue holds every acceptable movement once, in the order of its account, and the file of dead letters all others.
 */
public final class SendMovements implements AutoCloseable {

    static final Path DIRECTORY = Path.of("target", "sqs");
    private static final Path DEAD_LETTERS = DIRECTORY.resolve("dead-letters.txt");
    private static final int MOVEMENTS = 2000;
    private static final int FAILING_PERCENT = 20;
    private static final int UNMENTIONED_PERCENT = 5;

    private final SqsClient direct;
    private final UnreliableProxy proxy;
    private final SqsClient client;
    private final String queueUrl;
    private final PrintStream out;
    private final Main camel = new Main(SendMovements.class);

    SendMovements(EmbeddedElasticMq server, PrintStream out) {
        this.out = out;
        direct = client(server.endpoint());
        proxy = new UnreliableProxy(server.endpoint(), 42)
                .failing(FAILING_PERCENT)
                .unmentioned(UNMENTIONED_PERCENT);
        client = client(proxy.endpoint());
        queueUrl = direct.createQueue(request ->
                        request.queueName("movements.fifo").attributes(Map.of(QueueAttributeName.FIFO_QUEUE, "true")))
                .queueUrl();
        camel.bind("sqs", client);
        camel.start();
    }

    /** Without retries of its own, which would be hidden from redeliveries and waits. */
    private static SqsClient client(URI endpoint) {
        return SqsClient.builder()
                .endpointOverride(endpoint)
                .region(Region.EU_WEST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("anyone", "anything")))
                .overrideConfiguration(override -> override.retryStrategy(AwsRetryStrategy.doNotRetry()))
                .build();
    }

    public static void main(String[] args) {
        boolean isOk = false;
        System.out.println("Starting an ElasticMQ server …");
        try (EmbeddedElasticMq server = new EmbeddedElasticMq();
                SendMovements movements = new SendMovements(server, System.out)) {
            isOk = movements
                    .send(MovementsFile.write(DIRECTORY.resolve("movements.ndjson"), MOVEMENTS))
                    .isEmpty();
        } catch (Exception e) {
            System.out.println("NOT OK: " + e);
        }
        System.exit(isOk ? 0 : 1);
    }

    /** Sends a file and tells what came of it; gives what is not as it should be. */
    List<String> send(MovementsFile file) throws Exception {
        Files.write(DEAD_LETTERS, new byte[0]);
        out.printf(
                Locale.ROOT,
                "%nSending %s: %,d movements of %d accounts; %d have a character that no queue takes.%n"
                        + "Of each request %d%% of the messages fail for no reason, and %d%% land without a word.%n%n",
                file.path(),
                file.movements(),
                file.byAccount().size(),
                file.bad(),
                FAILING_PERCENT,
                UNMENTIONED_PERCENT);
        Exchange done = camel.getCamelContext()
                .createProducerTemplate()
                .request("direct:movements", exchange -> exchange.getMessage()
                        .setBody(file.path().toFile()));
        Ledger ledger = done.getProperty(BatchResidueConstants.LEDGER, Ledger.class);
        if (ledger == null) {
            throw new IllegalStateException("nothing was sent", done.getException());
        }
        Map<String, List<String>> inQueue = drainQueue();
        List<String> deadLetters = Files.readAllLines(DEAD_LETTERS);
        printSummary(ledger, inQueue, deadLetters);
        List<String> problems = problems(file, done, ledger, inQueue, deadLetters.size());
        out.println(problems.isEmpty() ? "OK: every movement is accounted for." : "NOT OK: " + problems);
        return problems;
    }

    private void printSummary(Ledger ledger, Map<String, List<String>> inQueue, List<String> deadLetters) {
        long sent = proxy.batches().stream()
                .mapToLong(batch -> batch.path("Entries").size())
                .sum();
        out.printf(
                Locale.ROOT,
                "  ledger: %,d items, %,d landed, %d terminal, %d given up, %d pending%n",
                ledger.items(),
                ledger.landed(),
                ledger.terminal(),
                ledger.givenUp(),
                ledger.pending());
        out.printf(
                Locale.ROOT,
                "  %,d requests with %,d messages in %.1f s, at most %d for one message%n",
                ledger.requests(),
                sent,
                ledger.elapsedMillis() / 1000.0,
                ledger.rounds());
        out.printf(
                Locale.ROOT,
                "  queue: %,d messages in %d groups%n",
                inQueue.values().stream().mapToInt(List::size).sum(),
                inQueue.size());
        out.printf("%nThe dead letters, in %s:%n", DEAD_LETTERS);
        for (String line : deadLetters.subList(0, Math.min(3, deadLetters.size()))) {
            out.println("  " + line.substring(0, Math.min(150, line.length())) + " …");
        }
        out.println();
    }

    private static List<String> problems(
            MovementsFile file, Exchange done, Ledger ledger, Map<String, List<String>> inQueue, int deadLetters) {
        List<String> problems = new ArrayList<>();
        if (done.getException() != null) {
            problems.add("the run failed: " + done.getException());
        }
        requireEqual("movements in the file", file.movements(), "items read", ledger.items(), problems);
        requireEqual("acceptable", file.acceptable(), "landed", ledger.landed(), problems);
        requireEqual("not acceptable", file.bad(), "terminal", ledger.terminal(), problems);
        requireEqual("terminal", ledger.terminal(), "dead letters", deadLetters, problems);
        file.byAccount().forEach((account, movements) -> {
            if (!movements.equals(inQueue.get(account))) {
                problems.add(account + " is not in the queue as in the file");
            }
        });
        requireEqual("accounts", file.byAccount().size(), "groups in the queue", inQueue.size(), problems);
        return problems;
    }

    private static void requireEqual(String one, long a, String other, long b, List<String> problems) {
        if (a != b) {
            problems.add(one + " (" + a + ") differs from " + other + " (" + b + ")");
        }
    }

    /** What is in the queue, of each account in the order it comes out; nothing is left in it. */
    private Map<String, List<String>> drainQueue() {
        return Queues.drain(direct, queueUrl).stream().collect(Collectors.groupingBy(text -> text.split(" ")[0]));
    }

    @Override
    public void close() {
        camel.stop();
        client.close();
        proxy.close();
        direct.close();
    }
}
