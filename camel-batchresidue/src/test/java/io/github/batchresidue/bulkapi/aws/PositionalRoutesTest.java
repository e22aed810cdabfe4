/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.camel.BatchResidueException;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Reason;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.core.SdkClient;
import software.amazon.awssdk.core.SdkSystemSetting;

/** The whole chain for services that answer by position: a route, the component, Camel's delegate, the SDK's client. */
class PositionalRoutesTest {

    private final DefaultCamelContext context = new DefaultCamelContext();
    private PositionalService server;
    private SdkClient client;

    /** Each time: an endpoint that switches CBOR off lifts the ban for all when it stops. */
    @BeforeEach
    void speakJson() {
        System.setProperty(SdkSystemSetting.CBOR_ENABLED.property(), "false");
    }

    @AfterAll
    static void speakAsBefore() {
        System.clearProperty(SdkSystemSetting.CBOR_ENABLED.property());
    }

    @AfterEach
    void stop() {
        context.stop();
        server.close();
        if (client != null) {
            client.close();
        }
    }

    private void start(Service service, String options) throws Exception {
        server = new PositionalService(service.shape);
        client = service.client(server.endpoint(), true);
        context.getRegistry().bind("client", client);
        route(service.delegateUri("client") + service.uriOptions() + "&redeliveryDelay=1" + options);
    }

    private void route(String uri) throws Exception {
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:in").to("batchresidue:" + uri);
            }
        });
        context.start();
    }

    @ParameterizedTest
    @EnumSource
    void theResidueOfSeveralRoundsLands(Service service) throws Exception {
        start(service, "");
        Map<String, Integer> refusals = new HashMap<>();
        server.failing(entry -> {
            String text = service.textOf(entry);
            return refusals.merge(text, 1, Integer::sum) <= text.length() % 4 ? service.retryable : null;
        });
        List<Map<String, String>> body = IntStream.range(0, 1200)
                .mapToObj(i -> Map.of("id", "x".repeat(i % 7) + i))
                .toList();

        Exchange done = send(body);

        assertThat(done.getException()).isNull();
        Ledger ledger = done.getMessage().getBody(Ledger.class);
        assertThat(ledger.landed()).isEqualTo(1200);
        assertThat(server.taken())
                .extracting(service::textOf)
                .doesNotHaveDuplicates()
                .hasSize(1200);
        int most = service == Service.EVENTBRIDGE ? 10 : 500;
        assertThat(server.requests())
                .allSatisfy(request ->
                        assertThat(request.get(service.shape.entries()).size()).isLessThanOrEqualTo(most));
    }

    @ParameterizedTest
    @EnumSource
    void whatNeverLandsIsHandedBackWithTheServicesWords(Service service) throws Exception {
        start(service, "&maximumRedeliveries=2");
        server.failing(entry -> service.textOf(entry).contains("bad") ? service.retryable : null);

        Exchange done = send(List.of(Map.of("id", "good"), Map.of("id", "bad")));

        Ledger ledger = BatchResidueException.of(done).orElseThrow().getLedger();
        assertThat(ledger.landed()).isEqualTo(1);
        assertThat(ledger.givenUpItems()).singleElement().satisfies(item -> {
            assertThat(item.body()).isEqualTo(Map.of("id", "bad"));
            assertThat(item.attempts()).isEqualTo(3);
            assertThat(item.reason()).isEqualTo(Reason.REDELIVERIES_EXHAUSTED);
            assertThat(item.failure().code()).isEqualTo(service.retryable);
            assertThat(item.failure().message()).isEqualTo("not now");
        });
    }

    /** One byte more than fits goes into the next request; an item that never fits is not sent. */
    @ParameterizedTest
    @EnumSource
    void byteLimitsAreExact(Service service) throws Exception {
        start(service, "");
        int limit =
                switch (service) {
                    case KINESIS -> 10 * 1024 * 1024;
                    case FIREHOSE -> 4 * 1024 * 1024;
                    case EVENTBRIDGE -> 1024 * 1024 - 1;
                };
        int items = service == Service.FIREHOSE ? 5 : 2; // A record of Firehose has a limit of its own.

        assertThat(send(ofBytes(service, limit, items)).getException()).isNull();
        assertThat(server.requests()).hasSize(1);
        assertThat(send(ofBytes(service, limit + 1, items)).getException()).isNull();
        assertThat(server.requests()).hasSize(3);
        assertThat(server.requests().get(2).get(service.shape.entries())).hasSize(1);
        assertThat(server.taken()).hasSize(2 * items);

        int largest = service == Service.FIREHOSE ? 1_024_000 : limit;
        assertThat(send(ofBytes(service, largest, 1)).getException()).isNull();
        Exchange tooLarge = send(ofBytes(service, largest + 1, 1));

        Ledger ledger = BatchResidueException.of(tooLarge).orElseThrow().getLedger();
        assertThat(ledger.terminalItems()).extracting(LedgerItem::reason).containsExactly(Reason.TOO_LARGE);
        assertThat(server.requests()).hasSize(4);
    }

    /** Items which together have so many bytes as the service counts them, each about the same. */
    private static List<String> ofBytes(Service service, int bytes, int items) {
        String[] texts = new String[items];
        int left = bytes;
        for (int i = 0; i < items; i++) {
            int share = left / (items - i);
            left -= share;
            int counted =
                    switch (service) {
                        case KINESIS -> 1; // Its partition key is i.
                        case FIREHOSE -> 0;
                        case EVENTBRIDGE -> 4; // Source and detail type are app and t.
                    };
            String frame = "{\"id\":\"i\",\"x\":\"\"}";
            texts[i] = "{\"id\":\"i\",\"x\":\"" + "x".repeat(share - counted - frame.length()) + "\"}";
        }
        return Arrays.asList(texts);
    }

    /** The endpoint makes its own client of the options in its URI. */
    @Test
    void kinesisWithAClientOfTheEndpoint() throws Exception {
        server = new PositionalService(Service.KINESIS.shape);
        int[] failures = {2};
        server.failing(entry -> failures[0]-- > 0 ? "InternalFailure" : null);
        route("aws2-kinesis:s?accessKey=a&secretKey=b&region=eu-west-1&cborEnabled=false&overrideEndpoint=true"
                + "&uriEndpointOverride=" + server.endpoint()
                + "&delegateHeaders=CamelAwsKinesisPartitionKey&redeliveryDelay=1");

        Exchange done = context.createProducerTemplate().request("direct:in", exchange -> {
            exchange.getMessage().setBody(List.of("a", "b", "c"));
            exchange.getMessage().setHeader("CamelAwsKinesisPartitionKey", "p");
        });

        assertThat(done.getException()).isNull();
        assertThat(server.requested(Service.KINESIS::textOf))
                .containsExactly(List.of("a", "b", "c"), List.of("a", "b"));
        assertThat(server.taken())
                .extracting(entry -> entry.get("PartitionKey").asText())
                .containsExactly("p", "p", "p");
        assertThat(server.requests().get(0).get("StreamName").asText()).isEqualTo("s");
    }

    private Exchange send(Object body) {
        return context.createProducerTemplate()
                .request("direct:in", exchange -> exchange.getMessage().setBody(body));
    }
}
