/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.ExchangePropertyKey;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.AggregationStrategies;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;

/** What Camel brings along: split, aggregate, {@code http}. Nobody reads the answers, so what was rejected is lost. */
final class PlainCamel implements Contestant {

    private final CamelContext context = new DefaultCamelContext();
    private final ProducerTemplate template;
    private final ObjectMapper mapper = new ObjectMapper();
    /** The aggregator sends on a thread of its own. */
    private final Semaphore sent = new Semaphore(0);

    PlainCamel(String url) throws Exception {
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:documents").split(body()).streaming().to("direct:operations");
                from("direct:text")
                        .split(body().tokenize("\n", 2, false))
                        .streaming()
                        .to("direct:operations");
                from("direct:operations")
                        .aggregate(constant(true), AggregationStrategies.groupedBody())
                        .completionSize(BATCH)
                        .completionPredicate(exchangeProperty(Exchange.SPLIT_COMPLETE))
                        .eagerCheckCompletion()
                        .process(PlainCamel.this::join)
                        .setHeader(Exchange.HTTP_METHOD, constant("POST"))
                        .setHeader(Exchange.CONTENT_TYPE, constant("application/x-ndjson"))
                        .to(url + "?" + FILTER_PATH)
                        .process(exchange -> sent.release(aggregated(exchange)));
            }
        });
        context.start();
        template = context.createProducerTemplate();
    }

    private static int aggregated(Exchange exchange) {
        return exchange.getProperty(ExchangePropertyKey.AGGREGATED_SIZE, int.class);
    }

    private void join(Exchange exchange) throws Exception {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (Object element : exchange.getMessage().getBody(List.class)) {
            if (element instanceof String operation) {
                joined.writeBytes(operation.getBytes(StandardCharsets.UTF_8));
            } else {
                joined.writeBytes(Documents.ACTION_LINE);
                joined.writeBytes(element instanceof byte[] json ? json : mapper.writeValueAsBytes(element));
            }
            joined.write('\n');
        }
        exchange.getMessage().setBody(joined.toByteArray());
    }

    @Override
    public void sendDocuments(List<byte[]> json) throws InterruptedException {
        template.sendBody("direct:documents", json);
        await(json.size());
    }

    @Override
    public void sendText(InputStream bulkText, int operations) throws InterruptedException {
        template.sendBody("direct:text", bulkText);
        await(operations);
    }

    @Override
    public void sendMaps(List<Map<String, Object>> maps) throws InterruptedException {
        template.sendBody("direct:documents", maps);
        await(maps.size());
    }

    private void await(int operations) throws InterruptedException {
        if (!sent.tryAcquire(operations, 1, TimeUnit.MINUTES)) {
            throw new IllegalStateException("not all requests were answered");
        }
    }

    @Override
    public void close() {
        context.stop();
    }
}
