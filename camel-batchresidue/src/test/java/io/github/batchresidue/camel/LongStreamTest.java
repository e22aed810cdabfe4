/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.heap.SmallHeapJvm;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.Test;

/** A stream larger than the memory passes, with residue on the way, in a route that does not let Camel cache it. */
class LongStreamTest {

    private static final int ITEMS = 1_000_000;

    @Test
    void aMillionItemsPassInSixtyFourMegabytes() throws Exception {
        assertThat(SmallHeapJvm.run(64, SmallHeap.class)).contains("items " + ITEMS + " landed " + ITEMS);
    }

    /** Runs in a JVM of its own. */
    static final class SmallHeap {

        public static void main(String[] arguments) throws Exception {
            CamelContext context = new DefaultCamelContext();
            context.getRegistry().bind("words", new WordApi());
            context.addRoutes(new RouteBuilder() {
                @Override
                public void configure() {
                    from("direct:in")
                            .streamCache("false")
                            .to("batchresidue:direct:table?bulkApi=#words&redeliveryDelay=1&parallelRequests=2");
                    from("direct:table").process(SmallHeap::answer);
                }
            });
            context.start();
            Exchange done = context.createProducerTemplate()
                    .request("direct:in", exchange -> exchange.getMessage().setBody(new Numbers()));
            Ledger ledger = done.getMessage().getBody(Ledger.class);
            System.out.println("items " + ledger.items() + " landed " + ledger.landed());
            context.stop();
        }

        /** Every thousandth word is residue when it comes among others, and lands later. */
        private static void answer(Exchange exchange) {
            List<?> words = exchange.getMessage().getBody(List.class);
            boolean isFresh = words.size() > 10;
            Map<Object, String> verdicts = new HashMap<>();
            for (Object word : words) {
                verdicts.put(word, isFresh && word.toString().endsWith("000") ? "residue" : "landed");
            }
            exchange.getMessage().setBody(verdicts);
        }
    }

    /** NDJSON made as it is read, about 100 bytes a line. */
    private static final class Numbers extends InputStream {

        private static final String FILLING = "x".repeat(80);

        private int next;
        private byte[] line = {};
        private int at;

        @Override
        public int read() {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0];
        }

        @Override
        public int read(byte[] into, int from, int most) {
            if (at == line.length) {
                if (next == ITEMS) {
                    return -1;
                }
                line = ("\"word-" + FILLING + "-" + next++ + "\"\n").getBytes(StandardCharsets.UTF_8);
                at = 0;
            }
            int length = Math.min(most, line.length - at);
            System.arraycopy(line, at, into, from, length);
            at += length;
            return length;
        }
    }
}
