/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Reason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.AsyncCallback;
import org.apache.camel.AsyncProducer;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When all is stopped, every run ends, and nobody waits for a callback for ever. */
class StopTest {

    private static final String STEP = "batchresidue:probe:table?bulkApi=#words&redeliveryDelay=1h&jitter=NONE";

    private final CamelContext context = new DefaultCamelContext();
    private final ProbeComponent probe = new ProbeComponent();
    private final AtomicInteger callbacks = new AtomicInteger();
    private final List<AsyncCallback> inFlight = Collections.synchronizedList(new ArrayList<>());
    private final List<Exchange> requests = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void start() throws Exception {
        context.getRegistry().bind("words", new WordApi());
        context.addComponent("probe", probe);
        context.getShutdownStrategy().setTimeUnit(TimeUnit.MILLISECONDS);
        context.getShutdownStrategy().setTimeout(200);
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:in").routeId("in").to(STEP);
                from("direct:dead").routeId("dead").to(STEP + "&deadLetterUri=mock:dead");
                from("direct:dynamic").routeId("dynamic").toD("${header.step}", 1);
            }
        });
        context.start();
        throttle();
    }

    @AfterEach
    void stopLeavesNoThread() {
        context.stop();
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.contains("(" + context.getName() + ")") && name.contains("BatchResidue")));
    }

    private void throttle() {
        probe.behave((exchange, callback) -> {
            requests.add(exchange);
            WordService.throttlingAll().process(exchange);
            callback.done(true);
            return true;
        });
    }

    private void neverAnswer() {
        probe.behave((exchange, callback) -> {
            requests.add(exchange);
            inFlight.add(callback);
            return false;
        });
    }

    @Test
    void whatWaitsIsGivenUp() {
        List<CompletableFuture<Exchange>> futures = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            futures.add(send("direct:in"));
        }
        await().until(() -> requests.size() == 50);

        context.stop();

        for (CompletableFuture<Exchange> future : futures) {
            assertGivenUp(future, Reason.SHUTDOWN, false);
        }
    }

    @Test
    void whatIsInFlightIsUnknownAndALateReplyIsDropped() {
        neverAnswer();
        CompletableFuture<Exchange> future = send("direct:in");
        await().until(() -> inFlight.size() == 1);

        context.stop();

        Exchange done = assertGivenUp(future, Reason.UNKNOWN_OUTCOME, true);
        Ledger ledger = done.getProperty(BatchResidueConstants.LEDGER, Ledger.class);
        WordService.landingAll().process(requests.get(0));
        inFlight.get(0).done(false);
        assertThat(done.getProperty(BatchResidueConstants.LEDGER)).isSameAs(ledger);
    }

    @Test
    void deadLettersStillGo() {
        MockEndpoint dead = context.getEndpoint("mock:dead", MockEndpoint.class);
        CompletableFuture<Exchange> future = send("direct:dead");
        await().until(() -> requests.size() == 1);

        context.stop();

        assertThat(future.orTimeout(20, TimeUnit.SECONDS)
                        .join()
                        .getProperty(BatchResidueConstants.LEDGER, Ledger.class)
                        .givenUpItems())
                .allMatch(LedgerItem::delivered);
        assertThat(dead.getReceivedCounter()).isEqualTo(1);
    }

    @Test
    void whatIsBeingDeadLetteredStaysInTheLedgerIfNobodyTakesItInTime() throws Exception {
        List<AsyncCallback> letters = Collections.synchronizedList(new ArrayList<>());
        probe.behave((exchange, callback) -> {
            if (exchange.getMessage().getHeader(BatchResidueConstants.OUTCOME) != null) {
                letters.add(callback);
                return false; // The dead-letter endpoint hangs.
            }
            WordService.answering(word -> "mapping").process(exchange);
            callback.done(true);
            return true;
        });
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:letters").routeId("letters").to(STEP + "&terminalUri=probe:dead");
            }
        });
        CompletableFuture<Exchange> future = send("direct:letters");
        await().until(() -> letters.size() == 1);

        context.stop();

        Exchange done = future.orTimeout(30, TimeUnit.SECONDS).join();
        assertThat(done.getProperty(BatchResidueConstants.LEDGER, Ledger.class).terminalItems())
                .singleElement()
                .returns(false, LedgerItem::delivered);
        assertThat(done.getException()).isInstanceOf(BatchResidueException.class);
        letters.get(0).done(false);
    }

    @Test
    void aRouteThatIsStoppedEndsItsRunsAlone() throws Exception {
        CompletableFuture<Exchange> stopped = send("direct:in");
        CompletableFuture<Exchange> other = send("direct:dead");
        await().until(() -> requests.size() == 2);

        context.getRouteController().stopRoute("in", 100, TimeUnit.MILLISECONDS);

        assertGivenUp(stopped, Reason.SHUTDOWN, false);
        assertThat(other).isNotDone();
    }

    /** Camel stops what it cannot suspend in time, and only a start brings that back. */
    @Test
    void aRouteThatIsSuspendedEndsWhatOutlastsTheTimeout() throws Exception {
        CompletableFuture<Exchange> suspended = send("direct:in");
        await().until(() -> requests.size() == 1);

        context.getRouteController().suspendRoute("in", 100, TimeUnit.MILLISECONDS);

        assertGivenUp(suspended, Reason.SHUTDOWN, false);
        context.getRouteController().stopRoute("in");
        context.getRouteController().startRoute("in");
        assertThatTheRouteWorks();
    }

    @Test
    void soDoesAContext() {
        CompletableFuture<Exchange> suspended = send("direct:in");
        await().until(() -> requests.size() == 1);

        context.suspend();

        assertGivenUp(suspended, Reason.SHUTDOWN, false);
    }

    @Test
    void aStopThatGivesUpEndsNoRun() throws Exception {
        CompletableFuture<Exchange> future = send("direct:in");
        await().until(() -> requests.size() == 1);

        assertThat(context.getRouteController().stopRoute("in", 100, TimeUnit.MILLISECONDS, true))
                .isFalse();

        assertThat(future).isNotDone();
    }

    @Test
    void aRouteThatWasStoppedWorksWhenItIsStartedAgain() throws Exception {
        context.getRouteController().stopRoute("in");
        context.getRouteController().startRoute("in");
        assertThatTheRouteWorks();
    }

    private void assertThatTheRouteWorks() throws Exception {
        probe.behave((exchange, callback) -> {
            WordService.landingAll().process(exchange);
            callback.done(true);
            return true;
        });

        assertThat(send("direct:in")
                        .get(20, TimeUnit.SECONDS)
                        .getMessage()
                        .getBody(Ledger.class)
                        .landed())
                .isEqualTo(1);
    }

    @Test
    void gracefulStopLetsARunFinish() throws Exception {
        context.getShutdownStrategy().setTimeout(20_000);
        neverAnswer();
        CompletableFuture<Exchange> future = send("direct:in");
        await().until(() -> inFlight.size() == 1);
        Thread stopping = new Thread(context::stop);
        stopping.start();
        await().until(context::isStopping);

        WordService.landingAll().process(requests.get(0));
        inFlight.get(0).done(false);
        stopping.join(20_000);

        assertThat(future.get(20, TimeUnit.SECONDS).getException()).isNull();
        assertThat(stopping.isAlive()).isFalse();
    }

    @Test
    void anEvictedProducerEndsNoRun() throws Exception {
        neverAnswer();
        CompletableFuture<Exchange> future = send("direct:dynamic", STEP);
        await().until(() -> inFlight.size() == 1);
        probe.behave((exchange, callback) -> {
            WordService.landingAll().process(exchange);
            callback.done(true);
            return true;
        });

        for (int i = 0; i < 5; i++) {
            send("direct:dynamic", STEP + "&batchSize=" + (i + 1)).get(20, TimeUnit.SECONDS);
        }

        assertThat(future).isNotDone();
        WordService.landingAll().process(requests.get(0));
        inFlight.get(0).done(false);
        assertThat(future.get(20, TimeUnit.SECONDS)
                        .getMessage()
                        .getBody(Ledger.class)
                        .landed())
                .isEqualTo(1);
    }

    @Test
    void anExchangeThatComesTooLateIsRefused() throws Exception {
        Endpoint endpoint = context.getEndpoint(STEP);
        AsyncProducer producer = endpoint.createAsyncProducer();
        producer.start();
        context.stop();
        Exchange exchange = new DefaultExchange(context);
        exchange.getMessage().setBody(List.of("a"));
        CountDownLatch done = new CountDownLatch(1);

        producer.process(exchange, doneSync -> done.countDown());

        assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(exchange.getException()).isInstanceOf(RejectedExecutionException.class);
        assertThat(requests).isEmpty();
    }

    @Test
    void aTransactedExchangeThatWaitsEndsToo() throws Exception {
        AsyncProducer producer = context.getEndpoint(STEP).createAsyncProducer();
        producer.start();
        Exchange exchange = new DefaultExchange(context);
        exchange.getMessage().setBody(List.of("a"));
        exchange.getExchangeExtension().setTransacted(true);
        Thread caller = new Thread(() -> producer.process(exchange, doneSync -> callbacks.incrementAndGet()));
        caller.start();
        await().until(() -> requests.size() == 1);

        context.stop();
        caller.join(20_000);

        assertThat(callbacks.get()).isEqualTo(1);
        assertThat(exchange.getProperty(BatchResidueConstants.LEDGER, Ledger.class)
                        .givenUp())
                .isEqualTo(1);
    }

    private CompletableFuture<Exchange> send(String uri) {
        return send(uri, null);
    }

    private CompletableFuture<Exchange> send(String uri, String step) {
        return context.createProducerTemplate().asyncSend(uri, exchange -> {
            exchange.getMessage().setBody(List.of("a"));
            exchange.getMessage().setHeader("step", step);
        });
    }

    private static Exchange assertGivenUp(CompletableFuture<Exchange> future, Reason reason, boolean maybeLanded) {
        Exchange done = future.orTimeout(20, TimeUnit.SECONDS).join();
        Ledger ledger = done.getProperty(BatchResidueConstants.LEDGER, Ledger.class);
        assertThat(ledger.givenUpItems()).hasSize(1);
        assertThat(ledger.givenUpItems().get(0).reason()).isEqualTo(reason);
        assertThat(ledger.givenUpItems().get(0).maybeLanded()).isEqualTo(maybeLanded);
        assertThat(BatchResidueException.of(done).orElseThrow().getLedger()).isSameAs(ledger);
        return done;
    }
}
