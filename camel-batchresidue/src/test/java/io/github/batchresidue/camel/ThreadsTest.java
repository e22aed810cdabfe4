/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.camel.AsyncProducer;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which threads a run takes, and when. */
class ThreadsTest {

    private final CamelContext context = new DefaultCamelContext();
    private final ProbeComponent probe = new ProbeComponent();
    private final Set<String> threads = ConcurrentHashMap.newKeySet();

    @BeforeEach
    void start() {
        context.getRegistry().bind("words", new WordApi());
        context.addComponent("probe", probe);
        context.start();
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    @Test
    void tenThousandExchangesWaitWithoutAThreadEach() throws Exception {
        int exchanges = 10_000;
        int threadsBefore = Thread.activeCount();
        Set<String> known = ConcurrentHashMap.newKeySet();
        probe.behave((exchange, callback) -> {
            threads.add(Thread.currentThread().getName());
            WordService.answering(word -> known.add(word) ? "residue" : "landed")
                    .process(exchange);
            callback.done(true);
            return true;
        });
        AsyncProducer producer = producer("redeliveryDelay=3s&jitter=NONE");
        AtomicInteger callbacks = new AtomicInteger();
        List<Exchange> sent = new ArrayList<>();

        for (int i = 0; i < exchanges; i++) {
            Exchange exchange = exchange("w" + i);
            sent.add(exchange);
            assertThat(producer.process(exchange, doneSync -> callbacks.incrementAndGet()))
                    .isFalse();
        }

        assertThat(callbacks.get()).isLessThan(exchanges);
        // 20 workers, as many for what comes behind the step, and a few for time.
        assertThat(Thread.activeCount()).isLessThan(threadsBefore + 50);
        await().atMost(Duration.ofSeconds(60)).until(() -> callbacks.get() == exchanges);
        assertThat(sent)
                .allMatch(exchange -> exchange.getException() == null
                        && exchange.getMessage().getBody(Ledger.class).landed() == 1);
        assertThat(threads).hasSizeLessThan(30).noneMatch(name -> name.contains("BatchResidueTimer"));
    }

    @Test
    void requestsOfOneExchangeOverlapButNeverExceed() throws Exception {
        CyclicBarrier three = new CyclicBarrier(3);
        AtomicInteger inFlight = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        probe.behave((exchange, callback) -> {
            most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
            meet(three); // Passes only when three requests are in flight at once.
            inFlight.decrementAndGet();
            WordService.landingAll().process(exchange);
            callback.done(true);
            return true;
        });

        Exchange done = run("parallelRequests=3&batchSize=1", words(30));

        assertThat(done.getMessage().getBody(Ledger.class).landed()).isEqualTo(30);
        assertThat(most.get()).isEqualTo(3);
    }

    @Test
    void delegatesThatHangHoldUpNeitherADeadlineNorAStop() throws Exception {
        BatchResidueComponent component = context.getComponent("batchresidue", BatchResidueComponent.class);
        component.stop();
        component.setWorkers(2);
        component.start();
        CountDownLatch hanging = new CountDownLatch(2);
        CountDownLatch release = new CountDownLatch(1);
        Queue<String> sent = new ConcurrentLinkedQueue<>();
        probe.behave((exchange, callback) -> {
            String words = exchange.getMessage().getBody(String.class);
            sent.add(words);
            if (words.contains("hang")) {
                hanging.countDown();
                hang(release);
            }
            WordService.throttlingAll().process(exchange);
            callback.done(true);
            return true;
        });
        try {
            CompletableFuture<Ledger> hung =
                    ledgerOf("parallelRequests=2&batchSize=1&redeliveryTimeout=500", "hang-1", "hang-2", "hang-3");
            assertThat(hanging.await(20, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<Ledger> healthy = ledgerOf("redeliveryDelay=50&jitter=NONE&redeliveryTimeout=500", "w");

            assertThat(hung.get(20, TimeUnit.SECONDS).givenUp()).isPositive();
            assertThat(healthy.get(20, TimeUnit.SECONDS).givenUp()).isEqualTo(1);
        } finally {
            release.countDown();
        }
        component.stop(); // The workers have done all that they were handed.
        assertThat(sent)
                .as("a request that waited for a worker is not sent after the deadline")
                .containsExactlyInAnyOrder("[hang-1]", "[hang-2]", "[w]");
    }

    private static final String HUNG_STEP = "batchresidue:probe:hung?bulkApi=#words&throwExceptionOnUndelivered=false";

    /** As many as would take every thread on which runs go on, and every worker. */
    private static final int MANY = 6;

    /** Whether another run, which asks at once and again after a wait, still gets on. */
    private void assertThatAnotherRunGetsOn() throws Exception {
        Ledger ledger = ledgerOf("redeliveryDelay=50&jitter=NONE", "other").get(20, TimeUnit.SECONDS);
        assertThat(ledger.landed()).isEqualTo(1);
        assertThat(ledger.rounds()).isEqualTo(2);
        assertThat(ledgerOf("redeliveryDelay=1h&redeliveryTimeout=50", "never")
                        .get(20, TimeUnit.SECONDS)
                        .givenUp())
                .isEqualTo(1);
    }

    private void beginWithFewThreads() {
        BatchResidueComponent component = context.getComponent("batchresidue", BatchResidueComponent.class);
        component.stop();
        component.setWorkers(MANY + 1);
        component.start();
        Set<String> known = ConcurrentHashMap.newKeySet();
        probe.behave((exchange, callback) -> {
            if (exchange.getMessage().getBody() instanceof List<?> words && words.contains("silent")) {
                return false; // It never answers.
            }
            WordService.answering(word -> known.add(word) || word.equals("never") ? "residue" : "landed")
                    .process(exchange);
            callback.done(true);
            return true;
        });
    }

    @Test
    void aRouteThatHangsBehindTheStepHoldsUpNoOtherRun() throws Exception {
        CountDownLatch hanging = new CountDownLatch(MANY);
        CountDownLatch release = new CountDownLatch(1);
        beginWithFewThreads();
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:hung").to(HUNG_STEP + "&redeliveryTimeout=50").process(exchange -> {
                    hanging.countDown();
                    hang(release);
                });
            }
        });
        try {
            for (int i = 0; i < MANY; i++) {
                context.createProducerTemplate().asyncSendBody("direct:hung", List.of("silent"));
            }
            assertThat(hanging.await(20, TimeUnit.SECONDS)).isTrue();

            assertThatAnotherRunGetsOn();
        } finally {
            release.countDown();
        }
    }

    @Test
    void deadLettersThatHangHoldUpNoOtherRun() throws Exception {
        CountDownLatch hanging = new CountDownLatch(MANY);
        CountDownLatch release = new CountDownLatch(1);
        beginWithFewThreads();
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:hung").to(HUNG_STEP + "&redeliveryTimeout=50&givenUpUri=direct:dead");
                from("direct:dead").process(exchange -> {
                    hanging.countDown();
                    hang(release);
                });
            }
        });
        try {
            for (int i = 0; i < MANY; i++) {
                context.createProducerTemplate().asyncSendBody("direct:hung", List.of("silent"));
            }
            assertThat(hanging.await(20, TimeUnit.SECONDS)).isTrue();

            assertThatAnotherRunGetsOn();
        } finally {
            release.countDown();
        }
    }

    @Test
    void bodiesThatHangHoldUpNoOtherRun() throws Exception {
        CountDownLatch hanging = new CountDownLatch(MANY);
        CountDownLatch release = new CountDownLatch(1);
        beginWithFewThreads();
        try {
            for (int i = 0; i < MANY; i++) {
                int call = i;
                // The first word comes again after a wait, and with it time to read on.
                Iterator<String> words = Stream.of("w" + call, "x" + call)
                        .peek(word -> {
                            if (word.startsWith("x")) {
                                hanging.countDown();
                                hang(release);
                            }
                        })
                        .iterator();
                context.createProducerTemplate()
                        .asyncSendBody(
                                "batchresidue:probe:hung?bulkApi=#words&batchSize=1&maxPendingResidue=1"
                                        + "&redeliveryDelay=50&jitter=NONE",
                                words);
            }
            assertThat(hanging.await(20, TimeUnit.SECONDS)).isTrue();

            assertThatAnotherRunGetsOn();
        } finally {
            release.countDown();
        }
    }

    @Test
    void aRequestThatTakesTooLongToWriteIsNotSentAfterTheDeadline() throws Exception {
        Queue<String> sent = new ConcurrentLinkedQueue<>();
        probe.behave((exchange, callback) -> {
            sent.add(exchange.getMessage().getBody(String.class));
            callback.done(true);
            return true;
        });
        CountDownLatch written = new CountDownLatch(1);
        context.getRegistry().unbind("words");
        context.getRegistry().bind("words", new WordApi() {
            @Override
            public void write(List<BulkItem> items, Exchange exchange) {
                super.write(items, exchange);
                hang(written);
            }
        });
        try {
            Ledger ledger =
                    ledgerOf("parallelRequests=2&redeliveryTimeout=50", "w").get(20, TimeUnit.SECONDS);
            assertThat(ledger.givenUpItems())
                    .singleElement()
                    .returns(Reason.TIMEOUT, LedgerItem::reason)
                    .returns(0, LedgerItem::attempts);
        } finally {
            written.countDown();
        }
        context.getComponent("batchresidue", BatchResidueComponent.class).stop(); // All workers are done.
        assertThat(sent).isEmpty();
    }

    @Test
    void aStopLetsGoWhoeverBlocksOnReadingABody() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        Stream<String> body = Stream.of("w")
                .peek(word -> {
                    reading.countDown();
                    hang(closed);
                })
                .onClose(closed::countDown);
        Exchange exchange = new DefaultExchange(context);
        exchange.getMessage().setBody(body);
        Thread caller = new Thread(() -> {
            try {
                producer("batchSize=5").process(exchange, doneSync -> {});
            } catch (Exception e) {
                exchange.setException(e);
            }
        });
        caller.start();
        assertThat(reading.await(20, TimeUnit.SECONDS)).isTrue();

        context.getComponent("batchresidue", BatchResidueComponent.class).stop();

        caller.join(20_000);
        assertThat(caller.isAlive()).isFalse();
        assertThat(exchange.getProperty(BatchResidueConstants.LEDGER, Ledger.class)
                        .inputExhausted())
                .isFalse();
    }

    /** For as long as the test wants, however long that is. */
    private static void hang(CountDownLatch release) {
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private CompletableFuture<Ledger> ledgerOf(String options, String... words) throws Exception {
        Exchange exchange = exchange(words);
        CompletableFuture<Ledger> ledger = new CompletableFuture<>();
        producer(options)
                .process(
                        exchange,
                        doneSync -> ledger.complete(exchange.getProperty(BatchResidueConstants.LEDGER, Ledger.class)));
        return ledger;
    }

    @Test
    void theTimerNeverRunsADelegateEvenIfAllWorkersAreBusy() throws Exception {
        context.getComponent("batchresidue", BatchResidueComponent.class).stop();
        context.getComponent("batchresidue", BatchResidueComponent.class).setWorkers(1);
        context.getComponent("batchresidue", BatchResidueComponent.class).start();
        Set<String> known = ConcurrentHashMap.newKeySet();
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        probe.behave((exchange, callback) -> {
            boolean isFirst = known.add(exchange.getMessage().getBody(String.class));
            if (!isFirst) {
                threads.add(Thread.currentThread().getName());
                blocked.countDown();
                awaitQuietly(release);
            }
            WordService.answering(word -> isFirst ? "residue" : "landed").process(exchange);
            callback.done(true);
            return true;
        });
        AsyncProducer producer = producer("redeliveryDelay=200&jitter=NONE");
        CountDownLatch done = new CountDownLatch(4);

        for (int i = 0; i < 4; i++) {
            producer.process(exchange("w" + i), doneSync -> done.countDown());
        }
        assertThat(blocked.await(20, TimeUnit.SECONDS)).isTrue();
        release.countDown();

        assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(threads).hasSize(1).allMatch(name -> name.contains("BatchResidueWorker"));
    }

    @Test
    void aTransactedExchangeStaysOnItsThread() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        AtomicInteger transacted = new AtomicInteger();
        probe.behave((exchange, callback) -> {
            int request = requests.incrementAndGet();
            threads.add(Thread.currentThread().getName());
            transacted.addAndGet(exchange.isTransacted() ? 1 : 0);
            WordService.answering(word -> request <= 3 ? "residue" : word.equals("w2") ? "bad" : "landed")
                    .process(exchange);
            callback.done(true);
            return true;
        });
        Exchange exchange = exchange(words(3).toArray(new String[0]));
        exchange.getExchangeExtension().setTransacted(true);
        AtomicInteger callbacks = new AtomicInteger();

        boolean sync = producer("redeliveryDelay=20&jitter=NONE&batchSize=1&parallelRequests=5&deadLetterUri=mock:dead"
                        + "&throwExceptionOnUndelivered=false")
                .process(exchange, doneSync -> {
                    assertThat(doneSync).isTrue();
                    threads.add(Thread.currentThread().getName());
                    callbacks.incrementAndGet();
                });

        assertThat(sync).isTrue();
        assertThat(callbacks.get()).isEqualTo(1);
        assertThat(threads).containsExactly(Thread.currentThread().getName());
        assertThat(transacted.get()).isEqualTo(requests.get()).isGreaterThan(3);
        Ledger ledger = exchange.getMessage().getBody(Ledger.class);
        assertThat(ledger.landed()).isEqualTo(2);
        assertThat(ledger.terminalItems()).allMatch(item -> item.delivered());
        assertThat(ledger.waitedMillis()).isGreaterThanOrEqualTo(20);
    }

    @Test
    void aTransactedExchangeWaitsForAnAsynchronousDelegate() throws Exception {
        probe.behave((exchange, callback) -> {
            context.getExecutorServiceManager()
                    .newThread("answer", () -> {
                        WordService.landingAll().process(exchange);
                        callback.done(false);
                    })
                    .start();
            return false;
        });
        Exchange exchange = exchange("a", "b");
        exchange.getExchangeExtension().setTransacted(true);
        AtomicInteger callbacks = new AtomicInteger();

        assertThat(producer("batchSize=1").process(exchange, doneSync -> callbacks.incrementAndGet()))
                .isTrue();

        assertThat(callbacks.get()).isEqualTo(1);
        assertThat(exchange.getMessage().getBody(Ledger.class).landed()).isEqualTo(2);
    }

    @Test
    void aTransactedExchangeThatIsInterruptedWhileItWaitsEnds() throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        probe.behave((exchange, callback) -> {
            WordService.throttlingAll().process(exchange);
            callback.done(true);
            sent.countDown();
            return true;
        });
        Exchange exchange = exchange("a");
        exchange.getExchangeExtension().setTransacted(true);
        AsyncProducer producer = producer("redeliveryDelay=1h");
        List<Boolean> interrupted = Collections.synchronizedList(new ArrayList<>());
        Thread caller = new Thread(() -> {
            producer.process(exchange, doneSync -> {});
            interrupted.add(Thread.currentThread().isInterrupted());
        });

        caller.start();
        assertThat(sent.await(20, TimeUnit.SECONDS)).isTrue();
        caller.interrupt();
        caller.join(20_000);

        assertThat(interrupted).containsExactly(true);
        Ledger ledger = exchange.getProperty(BatchResidueConstants.LEDGER, Ledger.class);
        assertThat(ledger.givenUpItems())
                .extracting(item -> item.reason().name())
                .containsExactly("SHUTDOWN");
        assertThat(exchange.getException()).isInstanceOf(BatchResidueException.class);
    }

    private AsyncProducer producer(String options) throws Exception {
        AsyncProducer producer = context.getEndpoint("batchresidue:probe:table?bulkApi=#words&" + options)
                .createAsyncProducer();
        producer.start();
        return producer;
    }

    private Exchange run(String options, List<String> words) throws Exception {
        Exchange exchange = exchange(words.toArray(new String[0]));
        CountDownLatch done = new CountDownLatch(1);
        producer(options).process(exchange, doneSync -> done.countDown());
        assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(exchange.getException()).isNull();
        return exchange;
    }

    private Exchange exchange(String... words) {
        Exchange exchange = new DefaultExchange(context);
        exchange.getMessage().setBody(List.of(words));
        return exchange;
    }

    private static List<String> words(int count) {
        return IntStream.range(0, count).mapToObj(i -> "w" + i).toList();
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
