/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The meters in a registry that the application has. */
class MetersTest {

    private static final String OPTIONS =
            "?bulkApi=#words&redeliveryDelay=1&jitter=NONE&throwExceptionOnUndelivered=false";

    private final CamelContext context = new DefaultCamelContext();
    private final ProbeComponent probe = new ProbeComponent();
    private final MeterRegistry registry = new SimpleMeterRegistry();

    @BeforeEach
    void bind() {
        context.disableJMX();
        context.getRegistry().bind("words", new WordApi().limits(2, 0));
        context.getRegistry().bind("meters", registry);
        context.addComponent("probe", probe);
        context.getShutdownStrategy().setTimeUnit(TimeUnit.MILLISECONDS);
        context.getShutdownStrategy().setTimeout(200);
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    @Test
    void whatBecomesOfItemsIsCountedByOutcomeAndReason() throws Exception {
        start("batchresidue:probe:table" + OPTIONS + "&maximumRedeliveries=2");
        answerWith(WordService.answering(word -> switch (word.charAt(0)) {
            case 'r' -> "residue";
            case 'u' -> "unknown";
            case 't' -> "mapping";
            default -> "landed";
        }));

        send("a", "b", "c", "t", "r", "u", "d");

        assertThat(items("LANDED", "NONE")).isEqualTo(4);
        assertThat(items("TERMINAL", "REJECTED")).isEqualTo(1);
        assertThat(items("GIVEN_UP", "REDELIVERIES_EXHAUSTED")).isEqualTo(1);
        assertThat(items("GIVEN_UP", "UNKNOWN_OUTCOME")).isEqualTo(1);
        assertThat(items("PENDING", "NONE")).isZero();
        assertThat(registry.get("camel.batchresidue.requests").counter().count())
                .isEqualTo(4 + 2);
        assertThat(registry.get("camel.batchresidue.items.resent").counter().count())
                .isEqualTo(4);
        assertThat(registry.get("camel.batchresidue.rounds").summary().totalAmount())
                .isEqualTo(3);
        Timer waits = registry.get("camel.batchresidue.waits").timer();
        assertThat(waits.count()).isEqualTo(2);
        assertThat(waits.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(1 + 2);
        Meter landed = registry.get("camel.batchresidue.items")
                .tag("outcome", "LANDED")
                .meter();
        assertThat(landed.getId().getTags())
                .containsExactlyInAnyOrder(
                        Tag.of("camelContext", context.getName()),
                        Tag.of("delegate", "probe:table"),
                        Tag.of("bulkApi", "WordApi"),
                        Tag.of("outcome", "LANDED"),
                        Tag.of("reason", "NONE"));
    }

    @Test
    void aRunThatFailsLeavesItsItemsPending() throws Exception {
        start("batchresidue:probe:table" + OPTIONS);
        probe.behave((exchange, callback) -> {
            exchange.setException(new java.net.ConnectException("refused"));
            callback.done(true);
            return true;
        });

        context.createProducerTemplate()
                .request("direct:in", exchange -> exchange.getMessage().setBody(List.of("a", "b")));

        assertThat(items("PENDING", "NONE")).isEqualTo(2);
        assertThat(items("LANDED", "NONE")).isZero();
        assertThat(registry.get("camel.batchresidue.items.waiting").gauge().value())
                .isZero();
    }

    @Test
    void whatWaitsAndRunsNowIsShownAsLongAsTheComponentRuns() throws Exception {
        start("batchresidue:probe:table?bulkApi=#words&redeliveryDelay=1h");
        answerWith(WordService.answering(word -> word.equals("a") ? "landed" : "residue"));
        Gauge waiting = null;
        Future<Exchange> sent = context.createProducerTemplate()
                .asyncSend("direct:in", exchange -> exchange.getMessage().setBody(List.of("a", "b", "c", "d")));
        await().until(() -> registry.find("camel.batchresidue.items.waiting").gauge() != null);
        waiting = registry.get("camel.batchresidue.items.waiting").gauge();
        Gauge running = registry.get("camel.batchresidue.runs.running").gauge();
        await().untilAsserted(() -> assertThat(
                        registry.get("camel.batchresidue.requests").counter().count())
                .isEqualTo(2));
        await().untilAsserted(() -> assertThat(
                        registry.get("camel.batchresidue.waits").timer().count())
                .isEqualTo(2));

        assertThat(waiting.value()).isEqualTo(3);
        assertThat(running.value()).isEqualTo(1);

        context.getRouteController().stopRoute("in");
        sent.get(10, TimeUnit.SECONDS);
        assertThat(items("GIVEN_UP", "SHUTDOWN")).isEqualTo(3);
        assertThat(waiting.value()).isZero();
        assertThat(running.value()).isZero();

        context.stop();
        assertThat(registry.find("camel.batchresidue.items.waiting").gauge()).isNull();
        assertThat(registry.find("camel.batchresidue.runs.running").gauge()).isNull();
        assertThat(items("GIVEN_UP", "SHUTDOWN")).isEqualTo(3);
    }

    @Test
    void endpointsOfOneDelegateShareTheirMeters() throws Exception {
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:one").to("batchresidue:probe:table" + OPTIONS + "&password=hush");
                from("direct:two").to("batchresidue:probe:table" + OPTIONS + "&batchSize=1&secretKey=hush");
            }
        });
        context.start();

        context.createProducerTemplate().sendBody("direct:one", List.of("a", "b"));
        context.createProducerTemplate().sendBody("direct:two", List.of("a", "b"));

        assertThat(items("LANDED", "NONE")).isEqualTo(4);
        assertThat(registry.get("camel.batchresidue.requests").counter().count())
                .isEqualTo(3);
        assertThat(registry.getMeters().toString()).doesNotContain("hush");
        assertThat(registry.getMeters())
                .extracting(meter -> meter.getId().toString())
                .noneMatch(text -> text.contains("hush"));
    }

    @Test
    void aDynamicStepDoesNotMakeMetersWithoutEnd() throws Exception {
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:in").toD("batchresidue:probe:${body[0]}" + OPTIONS, 1);
            }
        });
        context.start();
        int delegates = Meters.MOST_DELEGATES + 20;

        for (int i = 0; i < delegates; i++) {
            context.createProducerTemplate().sendBody("direct:in", List.of("table" + i));
        }

        Set<String> tags = registry.find("camel.batchresidue.items").meters().stream()
                .map(meter -> meter.getId().getTag("delegate"))
                .collect(Collectors.toSet());
        assertThat(tags).hasSize(Meters.MOST_DELEGATES + 1).contains("probe:table0", Meters.OTHER);
        assertThat(registry.get("camel.batchresidue.items")
                        .tag("outcome", "LANDED")
                        .tag("delegate", Meters.OTHER)
                        .counter()
                        .count())
                .isEqualTo(20);
    }

    @Test
    void ofSeveralRegistriesTheOneOfCamelIsTaken() throws Exception {
        MeterRegistry camels = new SimpleMeterRegistry();
        context.getRegistry().bind("metricsRegistry", camels);
        start("batchresidue:probe:table" + OPTIONS);

        send("a");

        assertThat(camels.get("camel.batchresidue.requests").counter().count()).isEqualTo(1);
        assertThat(registry.getMeters()).isEmpty();
    }

    private double items(String outcome, String reason) {
        return registry.get("camel.batchresidue.items")
                .tag("outcome", outcome)
                .tag("reason", reason)
                .counter()
                .count();
    }

    private void start(String step) throws Exception {
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:in").routeId("in").to(step);
            }
        });
        context.start();
    }

    private void answerWith(WordService service) {
        probe.behave((exchange, callback) -> {
            service.process(exchange);
            callback.done(true);
            return true;
        });
    }

    private void send(String... words) {
        Exchange done = context.createProducerTemplate()
                .request("direct:in", exchange -> exchange.getMessage().setBody(words));
        assertThat(done.getException()).isNull();
    }
}
