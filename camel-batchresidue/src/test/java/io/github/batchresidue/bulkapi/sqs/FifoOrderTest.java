/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.bulkapi.ApiRuns;
import io.github.batchresidue.bulkapi.BulkApiContext;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.ItemKey;
import io.github.batchresidue.bulkapi.VirtualTime;
import io.github.batchresidue.engine.Content;
import io.github.batchresidue.engine.DeadLetters;
import io.github.batchresidue.engine.ExponentialBackOff;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Observer;
import io.github.batchresidue.engine.Reason;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Run;
import io.github.batchresidue.engine.RunEnd;
import io.github.batchresidue.engine.RunOptions;
import io.github.batchresidue.engine.RunState;
import io.github.batchresidue.engine.Source;
import io.github.batchresidue.engine.Transport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.camel.component.aws2.sqs.Sqs2Endpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/**
 * What holds for FIFO queues whatever happens: in 1,000 random runs through engine, bulk API and the delegate's producer, on
 * virtual time. The seed is the number of the run.
 */
class FifoOrderTest {

    private static final DefaultCamelContext CONTEXT = new DefaultCamelContext();

    @BeforeAll
    static void start() {
        CONTEXT.start();
    }

    @AfterAll
    static void stop() {
        CONTEXT.stop();
    }

    @Test
    void everyGroupKeepsItsOrderAndNothingIsThereTwice() {
        Map<Reason, Long> reasons = new TreeMap<>();
        long resent = 0;
        for (long seed = 0; seed < 1000; seed++) {
            resent += run(seed, reasons);
        }
        // Otherwise the runs would show nothing.
        assertThat(reasons).containsKeys(Reason.REJECTED, Reason.REDELIVERIES_EXHAUSTED, Reason.UNKNOWN_OUTCOME);
        assertThat(resent).isGreaterThan(10_000);
    }

    private static long run(long seed, Map<Reason, Long> reasons) {
        Random random = new Random(seed);
        VirtualTime time = new VirtualTime();
        UnluckyFifoQueue queue = new UnluckyFifoQueue(random, random.nextInt(60), time::now);
        CONTEXT.getRegistry().bind("queue" + seed, queue);
        Sqs2Endpoint delegate = CONTEXT.getEndpoint(
                "aws2-sqs:orders.fifo?messageGroupIdStrategy=usePropertyValue&queueUrl=" + UnluckyFifoQueue.URL
                        + "&amazonSQSClient=#queue" + seed,
                Sqs2Endpoint.class);
        SqsApi api = new SqsApi(
                new BulkApiContext(CONTEXT, delegate, Map.of(), ItemKey.FROM_API, new ObjectMapper()),
                () -> TimeUnit.MILLISECONDS.toNanos(time.now()));
        List<Map<String, Object>> body = body(random);
        RunOptions options = ApiRuns.options(api)
                .parallelRequests(1 + random.nextInt(4))
                .maximumRedeliveries(random.nextInt(12))
                .retryTransportFailures(true)
                .backOff(
                        new ExponentialBackOff(1 + random.nextInt(40_000), 2, 200_000, ExponentialBackOff.Jitter.EQUAL))
                .build();
        AtomicReference<RunEnd> end = new AtomicReference<>();
        Transport transport = (items, answer) -> {
            List<BulkItem> requested =
                    items.stream().map(item -> (BulkItem) item.content()).toList();
            int there = random.nextInt(2000);
            int back = random.nextInt(2000);
            time.schedule(
                    () -> {
                        Reply reply = ApiRuns.send(api, delegate, requested);
                        time.schedule(() -> answer.accept(reply), back);
                    },
                    there);
        };
        new Run(
                        options,
                        new Run.Collaborators(
                                source(api, body),
                                transport,
                                DeadLetters.NONE,
                                time,
                                random::nextDouble,
                                Observer.NONE),
                        RunState.NEW,
                        end::set)
                .start();
        time.runToTheEnd();
        check(seed, body, queue, end.get());
        Ledger ledger = end.get().ledger();
        ledger.terminalItems().forEach(item -> reasons.merge(item.reason(), 1L, Long::sum));
        ledger.givenUpItems().forEach(item -> reasons.merge(item.reason(), 1L, Long::sum));
        return queue.requests().stream()
                        .mapToLong(request -> request.entries().size())
                        .sum()
                - body.size();
    }

    private static List<Map<String, Object>> body(Random random) {
        List<Map<String, Object>> body = new ArrayList<>();
        int groups = 1 + random.nextInt(12);
        for (int i = random.nextInt(80); i >= 0; i--) {
            String text = (random.nextInt(25) == 0 ? UnluckyFifoQueue.BAD : "good") + " " + body.size();
            body.add(Map.of(
                    "MessageBody", text,
                    "MessageGroupId", "g" + random.nextInt(groups),
                    "MessageDeduplicationId", text));
        }
        return body;
    }

    private static void check(long seed, List<Map<String, Object>> body, UnluckyFifoQueue queue, RunEnd end) {
        Ledger ledger = end.ledger();
        assertThat(end.failure()).as("seed %d", seed).isNull();
        assertThat(ledger.items()).as("seed %d", seed).isEqualTo(body.size());
        assertThat(ledger.landed() + ledger.terminal() + ledger.givenUp())
                .as("seed %d", seed)
                .isEqualTo(body.size());

        List<String> inQueue = queue.messages().stream()
                .map(SendMessageBatchRequestEntry::messageBody)
                .toList();
        assertThat(inQueue).as("seed %d: nothing twice", seed).doesNotHaveDuplicates();
        assertThat(inQueue).as("seed %d: what landed is there", seed).containsAll(texts(ledger.landedItems()));
        Set<String> surelyNotThere = new HashSet<>(texts(ledger.terminalItems()));
        surelyNotThere.addAll(texts(ledger.givenUpItems().stream()
                .filter(item -> !item.maybeLanded())
                .toList()));
        assertThat(inQueue).as("seed %d: what was refused is not", seed).noneMatch(surelyNotThere::contains);

        Map<String, Integer> positions = new HashMap<>();
        body.forEach(message -> positions.put((String) message.get("MessageBody"), positions.size()));
        queue.messages().stream()
                .collect(Collectors.groupingBy(SendMessageBatchRequestEntry::messageGroupId))
                .forEach((group, messages) -> assertThat(messages)
                        .as("seed %d: order of group %s", seed, group)
                        .isSortedAccordingTo(Comparator.comparing(message -> positions.get(message.messageBody()))));
        queue.requests().forEach(request -> {
            assertThat(request.entries()).as("seed %d", seed).hasSizeBetween(1, 10);
            assertThat(request.entries().stream()
                            .map(SendMessageBatchRequestEntry::messageGroupId)
                            .toList())
                    .as("seed %d: one message of a group in a request", seed)
                    .doesNotHaveDuplicates();
        });
    }

    private static List<String> texts(List<LedgerItem> items) {
        return items.stream()
                .map(item -> (String) ((Map<?, ?>) item.body()).get("MessageBody"))
                .toList();
    }

    private static Source source(SqsApi api, List<Map<String, Object>> body) {
        return new Source() {
            private int next;

            @Override
            public Content next() throws Exception {
                return exhausted() ? null : api.item(body.get(next++));
            }

            @Override
            public boolean exhausted() {
                return next == body.size();
            }
        };
    }
}
