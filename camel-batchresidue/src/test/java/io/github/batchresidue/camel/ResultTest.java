/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Outcome;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.stream.Stream;
import org.apache.camel.BindToRegistry;
import org.apache.camel.Exchange;
import org.apache.camel.ExchangePropertyKey;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.test.junit5.CamelTestSupport;
import org.junit.jupiter.api.Test;

/** What a call leaves on the exchange. */
class ResultTest extends CamelTestSupport {

    private static final String STEP =
            "batchresidue:direct:table?bulkApi=#words&redeliveryDelay=1&maximumRedeliveries=1";

    @BindToRegistry("words")
    private final WordApi words = new WordApi().limits(2, 0);

    private final ConnectException broken = new ConnectException("refused");
    private final List<Exchange> seen = new ArrayList<>();
    private final WordService service = WordService.answering(word -> switch (word.charAt(0)) {
        case 'r' -> "residue";
        case 't' -> "mapping";
        default -> "landed";
    });

    @Override
    protected RouteBuilder createRouteBuilder() {
        return new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:plain").to(STEP);
                from("direct:lenient").to(STEP + "&throwExceptionOnUndelivered=false");
                from("direct:original").to(STEP + "&result=ORIGINAL");
                from("direct:retainNot").to(STEP + "&retainLanded=false");
                from("direct:retain").to(STEP + "&retainLanded=true");
                from("direct:retry").to(STEP + "&onTransportFailure=RETRY");
                from("direct:nested").to("batchresidue:direct:plain?bulkApi=#words&redeliveryDelay=1");
                from("direct:caught")
                        .doTry()
                        .to(STEP)
                        .doCatch(ConnectException.class)
                        .process(seen::add)
                        .end();
                from("direct:onException")
                        .onException(Exception.class)
                        .handled(true)
                        .process(seen::add)
                        .end()
                        .to(STEP);
                from("direct:deadLetterChannel")
                        .errorHandler(deadLetterChannel("direct:dead").useOriginalMessage())
                        .to(STEP);
                from("direct:dead").process(seen::add);
                from("direct:table").errorHandler(noErrorHandler()).process(exchange -> {
                    service.process(exchange);
                    if (service.requests().get(service.requests().size() - 1).contains("fail")) {
                        throw broken;
                    }
                    if (service.requests().get(service.requests().size() - 1).contains("denied")) {
                        throw new IllegalStateException("no permission");
                    }
                });
            }
        };
    }

    @Test
    void aStepAroundAnotherStepFailsAtOnceAndSaysSo() {
        Exchange done = template.request(
                "direct:nested", exchange -> exchange.getMessage().setBody(List.of("a", "b")));

        assertThat(done.getException())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a batchresidue step of its own");
        assertThat(service.requests()).containsExactly(List.of("a", "b"));
        assertThat(done.getProperty(BatchResidueConstants.LEDGER, Ledger.class).pending())
                .isEqualTo(2);
    }

    @Test
    void aBodyThatAFailedCallHasUsedUpIsNotTakenForAShorterOne() throws Exception {
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:twice")
                        .loop(2)
                        .doTry()
                        .to(STEP)
                        .doCatch(Exception.class)
                        .process(exchange -> seen.add(exchange.copy()))
                        .end();
            }
        });

        send("direct:twice", Stream.of("a", "b", "fail", "c", "d").iterator());

        assertThat(service.requests()).containsExactly(List.of("a", "b"), List.of("fail", "c"));
        assertThat(seen).hasSize(2);
        assertThat(seen.get(0).getProperty(ExchangePropertyKey.EXCEPTION_CAUGHT))
                .isSameAs(broken);
        assertThat(seen.get(1).getProperty(ExchangePropertyKey.EXCEPTION_CAUGHT, Exception.class))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot be read again");
        Ledger ledger = BatchResidueException.of(seen.get(1)).orElseThrow().getLedger();
        assertThat(ledger.pendingItems()).extracting(LedgerItem::body).startsWith("fail", "c");
    }

    @Test
    void anExceptionThatForbidsSuppressedOnesHidesNoLedger() throws Exception {
        RuntimeException singleton = new RuntimeException("open", null, false, false) {
            private static final long serialVersionUID = 1L;
        };
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:open")
                        .onException(RuntimeException.class)
                        .handled(true)
                        .process(seen::add)
                        .end()
                        .to("batchresidue:direct:broken?bulkApi=#words");
                from("direct:broken").errorHandler(noErrorHandler()).process(exchange -> {
                    throw singleton;
                });
            }
        });

        send("direct:open", List.of("a"));
        send("direct:open", List.of("b", "c"));

        assertThat(seen)
                .extracting(exchange -> BatchResidueException.of(exchange)
                        .orElseThrow()
                        .getLedger()
                        .pending())
                .containsExactly(1L, 2L);
    }

    @Test
    void anExceptionThatCallsShareMixesNoLedgers() {
        seen.clear();
        for (List<String> body : List.of(List.of("fail"), List.of("fail", "a"))) {
            send("direct:onException", body);
        }

        assertThat(seen)
                .extracting(exchange -> BatchResidueException.of(exchange)
                        .orElseThrow()
                        .getLedger()
                        .pending())
                .containsExactly(1L, 2L);
        assertThat(BatchResidueException.of(broken)).isEmpty();
        assertThat(broken.getSuppressed()).hasSize(1);
    }

    @Test
    void theLedgerIsTheBodyAndTheProperty() {
        Exchange done = send("direct:plain", List.of("a", "b", "c"));

        assertThat(done.getException()).isNull();
        assertThat(done.getMessage().getBody()).isSameAs(ledger(done)).isInstanceOf(Ledger.class);
        assertThat(ledger(done).landed()).isEqualTo(3);
        assertThat(ledger(done).landedItems()).extracting(LedgerItem::index).containsExactly(0L, 1L, 2L);
        assertThat(done.getMessage().getBody(String.class)).startsWith("{\"items\":3,\"landed\":3,");
        Map<?, ?> map = done.getMessage().getBody(Map.class);
        assertThat(map.get("inputExhausted")).isEqualTo(true);
    }

    @Test
    void theOriginalBodyStaysOnRequest() {
        List<String> body = List.of("a");
        Exchange done = send("direct:original", body);

        assertThat(done.getException()).isNull();
        assertThat(done.getMessage().getBody()).isSameAs(body);
        assertThat(ledger(done).landed()).isEqualTo(1);
        assertThat(done.getMessage().getHeader(BatchResidueConstants.LANDED_COUNT))
                .isEqualTo(1L);
    }

    @Test
    void theOriginalBodyCannotStayIfItIsReadOnce() {
        CountingIterator body = new CountingIterator(1);
        Exchange done = send("direct:original", body);

        assertThat(done.getException())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("result=ORIGINAL")
                .hasMessageContaining(CountingIterator.class.getName());
        assertThat(service.requests()).isEmpty();
        assertThat(done.getMessage().getBody()).isSameAs(body);
    }

    @Test
    void anEmptyBodyIsSuccessWithoutARequest() {
        for (Object body : new Object[] {null, List.of(), "", new String[0]}) {
            Exchange done = send("direct:plain", body);

            assertThat(done.getException()).isNull();
            assertThat(ledger(done).items()).isZero();
            assertThat(ledger(done).inputExhausted()).isTrue();
            assertThat(done.getMessage().getHeader(BatchResidueConstants.REQUESTS))
                    .isEqualTo(0L);
        }
        assertThat(service.requests()).isEmpty();
    }

    @Test
    void aBodyThatNobodyCanReadFailsBeforeAnyRequest() {
        Exchange done = send("direct:plain", 42);

        assertThat(done.getException())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("java.lang.Integer");
        assertThat(done.getMessage().getBody()).isEqualTo(42);
        assertThat(service.requests()).isEmpty();
    }

    @Test
    void aTransportFailureIsTheDelegatesOwnException() {
        List<String> body = List.of("a", "b", "c", "fail", "e");
        Exchange done = send("direct:plain", body);

        assertThat(done.getException()).isSameAs(broken);
        assertThat(done.getMessage().getBody()).isSameAs(body);
        Ledger ledger = BatchResidueException.of(done).orElseThrow().getLedger();
        assertThat(ledger).isSameAs(ledger(done));
        assertThat(ledger.landedItems()).extracting(LedgerItem::body).containsExactly("a", "b");
        assertThat(ledger.pendingItems()).extracting(LedgerItem::index).containsExactly(2L, 3L);
        assertThat(ledger.inputExhausted()).isFalse();
        assertThat(done.getMessage().getHeader(BatchResidueConstants.LANDED_COUNT))
                .isEqualTo(2L);
        assertThat(done.getMessage().getHeader(BatchResidueConstants.PENDING_COUNT))
                .isEqualTo(2L);
    }

    @Test
    void aRefusedCallFailsAtOnce() {
        Exchange done = send("direct:retry", List.of("denied"));

        assertThat(done.getException())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no permission");
        assertThat(service.requests()).hasSize(1);
        assertThat(BatchResidueException.of(done).orElseThrow().getLedger().pending())
                .isEqualTo(1);
    }

    @Test
    void aTransportFailureMayBeARoundLikeAnyOther() {
        Exchange done = send("direct:retry", List.of("fail"));

        assertThat(done.getException()).isInstanceOf(BatchResidueException.class);
        assertThat(service.requests()).hasSize(2);
        LedgerItem item = ledger(done).givenUpItems().get(0);
        assertThat(item.attempts()).isEqualTo(2);
        assertThat(item.maybeLanded()).isTrue();
    }

    @Test
    void whatDidNotLandAndHasNowhereToGoFailsTheExchange() {
        Exchange done = send("direct:plain", List.of("a", "t", "r"));

        assertThat(done.getException())
                .isInstanceOf(BatchResidueException.class)
                .hasMessageContaining("2 items did not land and had no endpoint to go to")
                .hasMessageContaining("3 items, 1 landed, 1 terminal, 1 given up, 0 pending")
                .hasMessageContaining("{REDELIVERIES_EXHAUSTED=1}")
                .hasMessageContaining("mapping");
        assertThat(((BatchResidueException) done.getException()).getLedger()).isSameAs(ledger(done));
        assertThat(done.getMessage().getHeader(BatchResidueConstants.GAVE_UP)).isEqualTo(true);
    }

    @Test
    void unlessTheUserDoesNotMind() {
        Exchange done = send("direct:lenient", List.of("a", "t", "r"));

        assertThat(done.getException()).isNull();
        assertThat(ledger(done).terminalItems()).extracting(LedgerItem::outcome).containsExactly(Outcome.TERMINAL);
        assertThat(ledger(done).undelivered()).isEqualTo(2);
    }

    @Test
    void landedItemsAreRetainedForBodiesInMemory() {
        assertThat(ledger(send("direct:plain", List.of("a"))).landedItems()).hasSize(1);
        assertThat(ledger(send("direct:plain", new CountingIterator(3))).landedItems())
                .isEmpty();
        assertThat(ledger(send("direct:retainNot", List.of("a"))).landedItems()).isEmpty();
        assertThat(ledger(send("direct:retain", new CountingIterator(3))).landedItems())
                .hasSize(3);
    }

    @Test
    void theLedgerIsFoundWhereErrorsAreHandled() {
        for (String route : List.of("direct:caught", "direct:onException", "direct:deadLetterChannel")) {
            seen.clear();
            Exchange done = send(route, List.of("a", "b", "fail"));

            assertThat(done.getException()).as(route).isNull();
            assertThat(seen).as(route).hasSize(1);
            assertThat(BatchResidueException.of(seen.get(0))
                            .orElseThrow()
                            .getLedger()
                            .landed())
                    .as(route)
                    .isEqualTo(2);
        }
    }

    @Test
    void aStepThatCannotBeginLeavesNoLedgerOfAnotherOne() throws Exception {
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:unreadable")
                        .onException(Exception.class)
                        .handled(true)
                        .process(seen::add)
                        .end()
                        .to(STEP)
                        .setBody(exchange -> new Object())
                        .to(STEP);
            }
        });

        send("direct:unreadable", List.of("a", "b"));

        assertThat(seen).singleElement().satisfies(failed -> {
            assertThat(failed.getProperty(ExchangePropertyKey.EXCEPTION_CAUGHT)).isNotNull();
            assertThat(failed.getProperty(BatchResidueConstants.LEDGER)).isNull();
            assertThat(failed.getMessage().getHeaders())
                    .noneSatisfy((name, value) -> assertThat(name).startsWith("CamelBatchResidue"));
            assertThat(BatchResidueException.of(failed)).isEmpty();
        });
    }

    @Test
    void anExchangeWithoutOneHasNoLedger() {
        assertThat(BatchResidueException.of(send("direct:plain", List.of("a")))).isEmpty();
        Exception loop = new Exception("a");
        loop.initCause(new Exception("b", loop));
        assertThat(BatchResidueException.of(loop)).isEmpty();
    }

    private Exchange send(String uri, Object body) {
        return template.request(uri, exchange -> exchange.getMessage().setBody(body));
    }

    private static Ledger ledger(Exchange exchange) {
        return exchange.getProperty(BatchResidueConstants.LEDGER, Ledger.class);
    }

    private static final class CountingIterator implements Iterator<String> {

        private int left;

        CountingIterator(int left) {
            this.left = left;
        }

        @Override
        public boolean hasNext() {
            return left > 0;
        }

        @Override
        public String next() {
            if (left-- == 0) {
                throw new NoSuchElementException();
            }
            return "w" + left;
        }
    }
}
