/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.batchresidue.simulators.CapacityTables;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.console.DevConsole;
import org.apache.camel.console.DevConsoleRegistry;
import org.apache.camel.main.BaseMainSupport;
import org.apache.camel.main.Main;
import org.apache.camel.main.MainListenerSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Watches the reference run as the guide says, with waits of a tenth. */
class WatchingItTest {

    private static final List<Map<String, String>> ORDERS = Stream.of("a", "b", "c", "d", "e", "f")
            .map(key -> Map.of("pk", key))
            .toList();

    private final CapacityTables tables = new CapacityTables();
    private final DynamoDbClient client = OneAttemptClient.of(DynamoDbClient.builder()
            .endpointOverride(tables.endpoint())
            .region(Region.EU_WEST_1)
            .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("key", "secret"))));
    private final RetryListener listener = new RetryListener();
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private final OpenTelemetrySdk openTelemetry = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(spans))
                    .build())
            .build();
    private final Main main = new Main();

    @AfterEach
    void stop() {
        main.stop();
        openTelemetry.close();
        client.close();
        tables.close();
    }

    @Test
    void theReferenceRunIsSeenFromAllSides() throws Exception {
        tables.createTable("orders").grants(2, 1, 2, 1);
        CamelContext context = start("100");

        Exchange done = context.createProducerTemplate()
                .request("direct:orders", exchange -> exchange.getMessage().setBody(ORDERS));

        assertThat(done.getException()).isNull();

        assertThat(listener.lines)
                .containsExactly(
                        "4 of 6 writes to aws2-ddb:orders wait 100 ms: left unprocessed by the service",
                        "3 of 4 writes to aws2-ddb:orders wait 200 ms: left unprocessed by the service",
                        "1 of 3 writes to aws2-ddb:orders wait 400 ms: left unprocessed by the service");
        assertThat(meters.get("camel.batchresidue.items")
                        .tags("delegate", "aws2-ddb:orders", "bulkApi", "dynamodb", "outcome", "LANDED")
                        .counter()
                        .count())
                .isEqualTo(6);
        assertThat(meters.get("camel.batchresidue.waits").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(700);
        assertThat(spans.getFinishedSpanItems())
                .extracting(SpanData::getName)
                .containsOnlyOnce("batchresidue")
                .contains("batchresidue-round", "aws2-ddb");
    }

    @Test
    void aRunThatWaitsIsSeen() throws Exception {
        tables.createTable("orders").grants(2);
        CamelContext context = start("1h");

        Future<Exchange> sent = context.createProducerTemplate()
                .asyncSend("direct:orders", exchange -> exchange.getMessage().setBody(ORDERS));

        await().untilAsserted(() -> assertThat(WaitingNow.read()).containsEntry("aws2-ddb:orders", 4L));
        assertThat(console(context))
                .contains("batchresidue://aws2-ddb:orders", "exchange ", "waiting=4", "nextWaitMillis=60000");
        main.stop();
        assertThat(sent.get(10, TimeUnit.SECONDS).getException()).isNotNull();
    }

    private CamelContext start(String redeliveryDelay) throws Exception {
        main.setPropertyPlaceholderLocations("classpath:docs/watching.properties");
        main.bind("dynamoDb", client);
        main.configure().setShutdownTimeout(1);
        main.configure().addRoutesBuilder(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:orders").to("batchresidue:aws2-ddb:orders?jitter=NONE&redeliveryDelay=" + redeliveryDelay);
            }
        });
        main.addMainListener(new MainListenerSupport() {
            @Override
            public void beforeConfigure(BaseMainSupport configured) {
                WatchingBeans.bind(configured.getCamelContext(), listener, meters, openTelemetry);
            }
        });
        main.start();
        return main.getCamelContext();
    }

    private static String console(CamelContext context) {
        DevConsoleRegistry consoles = context.getCamelContextExtension().getContextPlugin(DevConsoleRegistry.class);
        return (String) consoles.resolveById("batchresidue").call(DevConsole.MediaType.TEXT, Map.of());
    }
}
