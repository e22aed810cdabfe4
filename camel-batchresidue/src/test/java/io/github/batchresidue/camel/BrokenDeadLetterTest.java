/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Reply;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Consumer;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.support.DefaultAsyncProducer;
import org.apache.camel.support.DefaultComponent;
import org.apache.camel.support.DefaultEndpoint;
import org.apache.camel.test.junit5.CamelTestSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever an item or a dead-letter endpoint throws, at once or after a wait, the exchange comes back. */
class BrokenDeadLetterTest extends CamelTestSupport {

    private final WordService service = WordService.answering(
            word -> word.startsWith("r") ? "residue" : word.startsWith("t") ? "mapping" : "landed");

    @Override
    protected RouteBuilder createRouteBuilder() {
        context.getRegistry().bind("mute", new MuteApi());
        context.getRegistry().bind("words", new WordApi());
        context.addComponent("erring", new ErringComponent());
        return new RouteBuilder() {
            @Override
            public void configure() {
                String step = "batchresidue:direct:table?redeliveryDelay=1&maximumRedeliveries=1&jitter=NONE";
                from("direct:mute").to(step + "&bulkApi=#mute&deadLetterUri=mock:dead");
                from("direct:muteGrouped").to(step + "&bulkApi=#mute&deadLetterUri=mock:dead&deadLetterGrouped=true");
                from("direct:erring").to(step + "&bulkApi=#words&deadLetterUri=erring:x");
                from("direct:table").process(service);
            }
        };
    }

    @ParameterizedTest
    @CsvSource({
        "mute, t1",
        "mute, r1",
        "muteGrouped, t1",
        "muteGrouped, r1",
        "erring, t1",
        "erring, r1",
    })
    void theExchangeComesBackAndTheItemStaysInTheLedger(String route, String word) throws Exception {
        Exchange done = template.asyncSend(
                        "direct:" + route, exchange -> exchange.getMessage().setBody(List.of("a", word)))
                .get(20, TimeUnit.SECONDS);

        Ledger ledger = BatchResidueException.of(done).orElseThrow().getLedger();
        assertThat(ledger).returns(2L, Ledger::items).returns(1L, Ledger::landed);
        List<LedgerItem> dead = word.startsWith("t") ? ledger.terminalItems() : ledger.givenUpItems();
        assertThat(dead)
                .singleElement()
                .returns(1L, LedgerItem::index)
                .returns(LedgerItem.Delivery.FAILED, LedgerItem::delivery);
        assertThat(service.requests()).hasSize(word.startsWith("t") ? 1 : 2);
    }

    /** Words that cannot say what they are once they have been sent. */
    private static final class MuteApi extends WordApi {

        private record Mute(BulkItem word) implements BulkItem {

            @Override
            public Object body() {
                throw new IllegalStateException("no body");
            }

            @Override
            public String id() {
                throw new IllegalStateException("no id");
            }

            @Override
            public long bytes() {
                return word.bytes();
            }
        }

        @Override
        public BulkItem item(Object element) throws InvalidItemException {
            return new Mute(super.item(element));
        }

        @Override
        public void write(List<BulkItem> items, Exchange exchange) {
            super.write(words(items), exchange);
        }

        @Override
        public Reply read(List<BulkItem> items, Exchange exchange) {
            return super.read(words(items), exchange);
        }

        private static List<BulkItem> words(List<BulkItem> items) {
            return items.stream().map(item -> ((Mute) item).word()).toList();
        }
    }

    /** Its producer throws what no producer should. */
    private static final class ErringComponent extends DefaultComponent {

        @Override
        protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters) {
            return new DefaultEndpoint(uri, this) {
                @Override
                public Producer createProducer() {
                    return new DefaultAsyncProducer(this) {
                        @Override
                        public boolean process(Exchange exchange, AsyncCallback callback) {
                            throw new NoClassDefFoundError("org/example/Missing");
                        }
                    };
                }

                @Override
                public Consumer createConsumer(Processor processor) {
                    throw new UnsupportedOperationException();
                }
            };
        }
    }
}
