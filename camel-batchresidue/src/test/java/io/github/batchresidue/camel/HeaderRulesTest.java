/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.InvalidItemException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.BindToRegistry;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.test.junit5.CamelTestSupport;
import org.junit.jupiter.api.Test;

/** A header that was left over from an earlier step steers neither the delegate nor a dead letter. */
class HeaderRulesTest extends CamelTestSupport {

    private static final Map<String, Object> CALLERS = Map.of(
            "CamelHttpPath", "/elsewhere",
            "CamelFileName", "all.txt",
            "camelhttpquery", "x=1",
            "Content-Type", "text/plain",
            "content-length", 7,
            "Transfer-Encoding", "chunked",
            "Authorization", "Bearer x",
            "traceparent", "00-1");

    @BindToRegistry("words")
    private final WordApi words = new WordApi();

    private final WordService service = WordService.answering(word -> word.equals("bad") ? "mapping" : "landed");

    @Override
    protected RouteBuilder createRouteBuilder() {
        return new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:none").to("batchresidue:direct:table?bulkApi=#words&deadLetterUri=mock:dead");
                from("direct:some")
                        .to("batchresidue:direct:table?bulkApi=#words&deadLetterUri=mock:dead"
                                + "&delegateHeaders=camelHTTPpath, Content-Type");
                from("direct:table")
                        .process(service)
                        .setHeader("CamelHttpResponseCode", constant(200))
                        .setHeader("Set-Cookie", constant("a=b"));
            }
        };
    }

    @Test
    void noSteeringHeaderReachesTheDelegate() {
        send("direct:none");

        assertThat(service.headers()).containsExactly(Map.of("Authorization", "Bearer x", "traceparent", "00-1"));
    }

    @Test
    void namedOnesDo() {
        send("direct:some");

        assertThat(service.headers())
                .containsExactly(Map.of(
                        "Authorization", "Bearer x",
                        "traceparent", "00-1",
                        "CamelHttpPath", "/elsewhere",
                        "Content-Type", "text/plain"));
    }

    @Test
    void itemsSeeTheExchangeAsRequestsDo() {
        List<Exchange> origins = new ArrayList<>();
        List<Long> indexes = new ArrayList<>();
        context.getRegistry().bind("curious", new WordApi() {
            @Override
            public BulkItem item(Object element, long index, Exchange exchange) throws InvalidItemException {
                origins.add(exchange);
                indexes.add(index);
                return super.item(element, index, exchange);
            }
        });

        Exchange done = send("batchresidue:direct:table?bulkApi=#curious&deadLetterUri=mock:dead"
                + "&delegateHeaders=camelHTTPpath, Content-Type");

        assertThat(indexes).containsExactly(0L, 1L);
        assertThat(origins).allSatisfy(origin -> {
            assertThat(origin.getExchangeId()).isEqualTo(done.getExchangeId());
            assertThat(origin.getMessage().getBody()).isNull();
            assertThat(origin.getMessage().getHeaders())
                    .containsExactlyInAnyOrderEntriesOf(service.headers().get(0));
        });
    }

    @Test
    void deadLettersGetAllButCamels() {
        send("direct:some");

        MockEndpoint dead = getMockEndpoint("mock:dead");
        assertThat(dead.getExchanges()).hasSize(1);
        Map<String, Object> headers =
                new LinkedHashMap<>(dead.getExchanges().get(0).getMessage().getHeaders());
        headers.keySet().removeIf(name -> name.startsWith("CamelBatchResidue"));
        assertThat(headers)
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "Authorization", "Bearer x",
                        "traceparent", "00-1",
                        "Content-Type", "text/plain",
                        "content-length", 7,
                        "Transfer-Encoding", "chunked"));
    }

    @Test
    void theCallersHeadersAreAsTheyWere() {
        Exchange done = send("direct:none");

        Map<String, Object> headers = new LinkedHashMap<>(done.getMessage().getHeaders());
        headers.keySet().removeIf(name -> name.startsWith("CamelBatchResidue"));
        assertThat(headers).containsExactlyInAnyOrderEntriesOf(CALLERS);
    }

    private Exchange send(String uri) {
        Exchange done = template.request(uri, exchange -> {
            exchange.getMessage().setBody(List.of("a", "bad"));
            exchange.getMessage().setHeaders(new LinkedHashMap<>(CALLERS));
        });
        assertThat(done.getException()).isNull();
        return done;
    }
}
