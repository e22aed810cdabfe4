/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.benchmarks;

import io.github.batchresidue.engine.Ledger;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.apache.camel.CamelContext;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;

/** The component over {@code http}. */
final class BatchResidue implements Contestant {

    private final CamelContext context = new DefaultCamelContext();
    private final ProducerTemplate template;

    /** @param waitMillis before what was rejected is sent again */
    BatchResidue(String url, long waitMillis) throws Exception {
        String target = "batchresidue:" + url + "?batchSize=" + BATCH + "&jitter=NONE&redeliveryDelay=" + waitMillis;
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:documents").to(target + "&bulkApi.action=index");
                // Camel would read all of a stream into memory before the route begins.
                from("direct:text").streamCache(false).to(target);
            }
        });
        context.start();
        template = context.createProducerTemplate();
    }

    @Override
    public void sendDocuments(List<byte[]> json) {
        send("direct:documents", json);
    }

    @Override
    public void sendText(InputStream bulkText, int operations) {
        send("direct:text", bulkText);
    }

    @Override
    public void sendMaps(List<Map<String, Object>> maps) {
        send("direct:documents", maps);
    }

    private void send(String route, Object body) {
        Ledger ledger = template.requestBody(route, body, Ledger.class);
        if (ledger.landed() != ledger.items()) {
            throw new IllegalStateException(ledger.landed() + " of " + ledger.items() + " items landed");
        }
    }

    @Override
    public void close() {
        context.stop();
    }
}
