/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.BindToRegistry;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.test.junit5.CamelTestSupport;
import org.junit.jupiter.api.Test;

/** Items that did not land go where they are told to. */
class DeadLetterTest extends CamelTestSupport {

    private static final String STEP =
            "batchresidue:direct:table?bulkApi=#words&redeliveryDelay=1&maximumRedeliveries=1&jitter=NONE";

    @BindToRegistry("words")
    private final WordApi words = new WordApi();

    private final WordService service = WordService.answering(word -> switch (word.charAt(0)) {
        case 'r' -> "residue";
        case 't' -> "mapping";
        default -> "landed";
    });
    private final CountDownLatch open = new CountDownLatch(1);
    private final AtomicInteger atOnce = new AtomicInteger();
    private final List<Object> slowly = Collections.synchronizedList(new ArrayList<>());

    @Override
    protected RouteBuilder createRouteBuilder() {
        return new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:both")
                        .routeId("both")
                        .to(STEP + "&terminalUri=mock:terminal&givenUpUri=mock:givenUp&deadLetterUri=mock:dead");
                from("direct:one").to(STEP + "&terminalUri=mock:terminal&deadLetterUri=mock:dead");
                from("direct:terminalOnly").to(STEP + "&terminalUri=mock:terminal");
                from("direct:grouped").to(STEP + "&deadLetterUri=mock:dead&deadLetterGrouped=true");
                from("direct:failing").to(STEP + "&deadLetterUri=direct:refusing");
                from("direct:slow").to(STEP + "&deadLetterUri=direct:slowly&maxPendingResidue=3&batchSize=2");
                from("direct:async").to(STEP + "&deadLetterUri=direct:elsewhere");
                from("direct:table").process(service);
                from("direct:refusing").errorHandler(noErrorHandler()).process(exchange -> {
                    slowly.add(exchange.getMessage().getBody());
                    if (exchange.getMessage().getBody().equals("t1")) {
                        throw new IllegalStateException("the queue is full");
                    }
                });
                from("direct:slowly").process(exchange -> {
                    assertThat(atOnce.incrementAndGet()).isEqualTo(1);
                    open.await();
                    slowly.add(exchange.getMessage().getBody());
                    atOnce.decrementAndGet();
                });
                from("direct:elsewhere").delay(1).asyncDelayed().end().to("mock:elsewhere");
            }
        };
    }

    @Test
    void eachItemIsAnExchangeThatSaysWhy() {
        Exchange done = send("direct:both", List.of("a", "t1", "r1"));

        assertThat(done.getException()).isNull();
        Exchange terminal = only("mock:terminal");
        assertThat(terminal.getMessage().getBody()).isEqualTo("t1");
        assertThat(terminal.getMessage().removeHeader(BatchResidueConstants.ORIGIN_EXCHANGE_ID))
                .isEqualTo(done.getExchangeId());
        assertThat(terminal.getMessage().getHeaders())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "tenant", "acme",
                        "CamelBatchResidueOutcome", "TERMINAL",
                        "CamelBatchResidueReason", "REJECTED",
                        "CamelBatchResidueErrorCode", "mapping",
                        "CamelBatchResidueErrorStatus", 400,
                        "CamelBatchResidueErrorMessage", "said mapping",
                        "CamelBatchResidueAttempts", 1,
                        "CamelBatchResidueItemIndex", 1L,
                        "CamelBatchResidueItemId", "t1",
                        "CamelBatchResidueDelegate", "direct:table"));
        Exchange givenUp = only("mock:givenUp");
        assertThat(givenUp.getMessage().getBody()).isEqualTo("r1");
        assertThat(givenUp.getMessage().getHeaders())
                .containsEntry("CamelBatchResidueOutcome", "GIVEN_UP")
                .containsEntry("CamelBatchResidueReason", "REDELIVERIES_EXHAUSTED")
                .containsEntry("CamelBatchResidueErrorStatus", 429)
                .containsEntry("CamelBatchResidueAttempts", 2)
                .containsEntry("CamelBatchResidueItemIndex", 2L);
        assertThat(getMockEndpoint("mock:dead").getReceivedCounter()).isZero();
        assertThat(ledger(done).terminalItems()).allMatch(LedgerItem::delivered);
        assertThat(ledger(done).givenUpItems()).allMatch(LedgerItem::delivered);
    }

    @Test
    void propertiesAreThoseOfCamelsDeadLetterChannel() {
        send("direct:both", List.of("t1"));

        Exchange letter = only("mock:terminal");
        assertThat(letter.getProperty(Exchange.EXCEPTION_CAUGHT))
                .isInstanceOf(BatchResidueItemException.class)
                .hasToString("io.github.batchresidue.camel.BatchResidueItemException: item 0 is TERMINAL (REJECTED)"
                        + " after 1 attempts, status 400, code mapping: said mapping");
        assertThat(letter.getProperty(Exchange.FAILURE_ENDPOINT)).isEqualTo("direct:table");
        assertThat(letter.getProperty(Exchange.FAILURE_ROUTE_ID)).isEqualTo("both");
        assertThat(letter.getProperty(BatchResidueConstants.LEDGER)).isNull();
    }

    @Test
    void theSharedEndpointServesWhatHasNoneOfItsOwn() {
        send("direct:one", List.of("t1", "r1"));

        assertThat(only("mock:terminal").getMessage().getBody()).isEqualTo("t1");
        assertThat(only("mock:dead").getMessage().getBody()).isEqualTo("r1");
    }

    @Test
    void whatHasNoEndpointFailsTheExchange() {
        Exchange done = send("direct:terminalOnly", List.of("t1", "r1"));

        assertThat(only("mock:terminal").getMessage().getBody()).isEqualTo("t1");
        assertThat(done.getException())
                .isInstanceOf(BatchResidueException.class)
                .hasMessageContaining("1 items did not land");
        assertThat(ledger(done).givenUpItems().get(0).delivered()).isFalse();
    }

    @Test
    void groupedThereIsOneExchangeForEachOutcome() {
        send("direct:grouped", List.of("t1", "r1", "a", "t2", "r2"));

        List<Exchange> letters = getMockEndpoint("mock:dead").getExchanges();
        assertThat(letters)
                .extracting(letter -> letter.getMessage().getBody())
                .containsExactlyInAnyOrder(List.of("t1", "t2"), List.of("r1", "r2"));
        assertThat(letters)
                .extracting(letter -> letter.getMessage().getHeader(BatchResidueConstants.OUTCOME))
                .containsExactlyInAnyOrder("TERMINAL", "GIVEN_UP");
        assertThat(letters)
                .extracting(letter -> letter.getMessage().getHeader(BatchResidueConstants.ITEM_COUNT))
                .containsExactly(2L, 2L);
    }

    @Test
    void anEndpointThatFailsLosesNothing() {
        Exchange done = send("direct:failing", List.of("t1", "t2", "a"));

        assertThat(slowly).containsExactly("t1", "t2");
        assertThat(done.getException())
                .isInstanceOf(BatchResidueException.class)
                .hasMessageContaining("a dead-letter endpoint failed")
                .hasRootCauseMessage("the queue is full");
        assertThat(ledger(done).terminalItems())
                .extracting(LedgerItem::body, LedgerItem::delivered)
                .containsExactlyInAnyOrder(tuple("t1", false), tuple("t2", true));
        assertThat(ledger(done).landed()).isEqualTo(1);
    }

    @Test
    void aSlowEndpointHoldsUpReadingButNothingElse() {
        AtomicInteger read = new AtomicInteger();
        Iterator<String> endless = Collections.nCopies(1000, "t").iterator();
        Iterable<String> body = () -> new Iterator<>() {
            @Override
            public boolean hasNext() {
                return endless.hasNext();
            }

            @Override
            public String next() {
                return endless.next() + read.incrementAndGet();
            }
        };

        CompletableFuture<Exchange> future = template.asyncSend(
                "direct:slow", exchange -> exchange.getMessage().setBody(body));
        await().until(() -> atOnce.get() == 1);
        assertThat(read.get()).isLessThanOrEqualTo(5);
        open.countDown();

        Exchange done = future.join();
        assertThat(done.getException()).isNull();
        assertThat(ledger(done).terminal()).isEqualTo(1000);
        assertThat(slowly).hasSize(1000).startsWith("t1", "t2", "t3").endsWith("t1000");
    }

    @Test
    void anAsynchronousEndpointIsWaitedFor() {
        Exchange done = send("direct:async", List.of("t1", "t2", "t3"));

        assertThat(done.getException()).isNull();
        assertThat(getMockEndpoint("mock:elsewhere").getExchanges())
                .extracting(letter -> letter.getMessage().getBody())
                .containsExactly("t1", "t2", "t3");
    }

    private Exchange send(String uri, Object body) {
        return template.request(uri, exchange -> {
            exchange.getMessage().setBody(body);
            exchange.getMessage().setHeader("tenant", "acme");
            exchange.getMessage().setHeader("CamelFileName", "all.txt");
        });
    }

    private Exchange only(String uri) {
        MockEndpoint mock = getMockEndpoint(uri);
        assertThat(mock.getExchanges()).hasSize(1);
        return mock.getExchanges().get(0);
    }

    private static Ledger ledger(Exchange exchange) {
        return exchange.getProperty(BatchResidueConstants.LEDGER, Ledger.class);
    }
}
