/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.Observer;
import io.github.batchresidue.engine.RunState;
import io.github.batchresidue.heap.SmallHeapJvm;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.context.propagation.ContextPropagators;
import java.util.List;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.opentelemetry2.OpenTelemetryTracer;
import org.apache.camel.spi.CamelEvent;
import org.apache.camel.support.DefaultExchange;
import org.apache.camel.support.EventNotifierSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A run pays for being watched only if somebody watches, and by the item only if somebody wants to know of each. */
class ObservationTest {

    private final CamelContext context = new DefaultCamelContext();

    @BeforeEach
    void bind() {
        context.getRegistry().bind("words", new WordApi());
        context.addComponent("probe", new ProbeComponent());
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    @Test
    void nobodyIsNobody() throws Exception {
        context.disableJMX();

        RunObservers observers = observers();

        assertThat(observers.orNone()).isSameAs(Observer.NONE);
        assertThat(observers.progress()).isNull();
    }

    @Test
    void jmxSeesNoItemThatLands() throws Exception {
        assertThat(observers().orNone()).isNotSameAs(Observer.NONE);
        assertThat(observers().seesLanded()).isFalse();
    }

    @Test
    void theDevConsoleCounts() throws Exception {
        context.disableJMX();
        context.setDevConsole(true);

        assertThat(observers().progress()).isNotNull();
    }

    @Test
    void metersSeeNoItemThatLands() throws Exception {
        context.disableJMX();
        context.getRegistry().bind("meters", new SimpleMeterRegistry());

        assertThat(observers().orNone()).isNotSameAs(Observer.NONE);
        assertThat(observers().seesLanded()).isFalse();
    }

    @Test
    void aTracerIsAListenerOfCamelsAndHearsWhatListenersHear() throws Exception {
        context.disableJMX();
        context.getRegistry().bind("tracer", TracerProvider.noop().get("test"));
        context.getRegistry().bind("propagators", ContextPropagators.noop());
        OpenTelemetryTracer tracer = new OpenTelemetryTracer();
        tracer.setCamelContext(context);
        tracer.init(context);

        assertThat(observers().orNone()).isNotSameAs(Observer.NONE);
        assertThat(observers().seesLanded()).isTrue();
    }

    @Test
    void theLogSeesNoItemThatLands() throws Exception {
        context.disableJMX();
        Logger logger = (Logger) LoggerFactory.getLogger(BatchResidueProducer.class);
        logger.setLevel(Level.DEBUG);
        try {
            assertThat(observers().orNone()).isNotSameAs(Observer.NONE);
            assertThat(observers().seesLanded()).isFalse();
        } finally {
            logger.setLevel(null);
        }
    }

    @Test
    void aListenerMayWantToKnowOfEachItem() throws Exception {
        context.disableJMX();
        EventNotifierSupport listener = new EventNotifierSupport() {
            @Override
            public void notify(CamelEvent event) {}
        };
        context.getManagementStrategy().addEventNotifier(listener);

        assertThat(observers().seesLanded()).isTrue();

        listener.setIgnoreExchangeEvents(true);
        assertThat(observers().orNone()).isSameAs(Observer.NONE);
    }

    private RunObservers observers() throws Exception {
        context.start();
        BatchResidueEndpoint endpoint =
                context.getEndpoint("batchresidue:probe:table?bulkApi=#words", BatchResidueEndpoint.class);
        try {
            return endpoint.takePlan().observation.of(new DefaultExchange(context), RunState.NEW);
        } finally {
            endpoint.givePlanBack();
        }
    }

    @Test
    void withoutMicrometerAndTelemetryOnTheClassPathTheRestWorks() throws Exception {
        assertThat(SmallHeapJvm.run(64, WithoutMuch.class, entry -> !entry.matches(".*(micrometer|telemetry).*")))
                .contains("landed 2, metered false, traced false");
    }

    /** Runs in a JVM of its own. */
    static final class WithoutMuch {

        public static void main(String[] arguments) throws Exception {
            CamelContext context = new DefaultCamelContext();
            context.getRegistry().bind("words", new WordApi());
            context.addRoutes(new RouteBuilder() {
                @Override
                public void configure() {
                    from("direct:in").to("batchresidue:direct:table?bulkApi=#words");
                    from("direct:table").process(WordService.landingAll());
                }
            });
            context.start();
            Exchange done = context.createProducerTemplate()
                    .request("direct:in", exchange -> exchange.getMessage().setBody(List.of("a", "b")));
            Ledger ledger = done.getMessage().getBody(Ledger.class);
            System.out.println("landed " + ledger.landed() + ", metered "
                    + isThere("io.micrometer.core.instrument.MeterRegistry") + ", traced "
                    + isThere("org.apache.camel.telemetry.Tracer"));
            context.stop();
        }

        private static boolean isThere(String type) {
            try {
                Class.forName(type);
                return true;
            } catch (ClassNotFoundException e) {
                return false;
            }
        }
    }
}
