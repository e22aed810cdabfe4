/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The MBean of the endpoint. */
class JmxTest {

    private static final String OPTIONS =
            "?bulkApi=#words&redeliveryDelay=1&jitter=NONE&throwExceptionOnUndelivered=false";

    private final CamelContext context = new DefaultCamelContext();
    private final ProbeComponent probe = new ProbeComponent();

    @BeforeEach
    void bind() {
        context.getRegistry().bind("words", new WordApi());
        context.addComponent("probe", probe);
        context.getShutdownStrategy().setTimeUnit(TimeUnit.MILLISECONDS);
        context.getShutdownStrategy().setTimeout(200);
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    @Test
    void hasTheTotalsUntilTheyAreReset() throws Exception {
        start("batchresidue:probe:table" + OPTIONS + "&maximumRedeliveries=2");
        answerWith(WordService.answering(word -> switch (word) {
            case "r" -> "residue";
            case "t" -> "mapping";
            default -> "landed";
        }));

        send("direct:in", "a", "b", "t", "r");

        ObjectName name = only(names());
        assertThat(totals(name))
                .containsExactlyInAnyOrderEntriesOf(Map.ofEntries(
                        Map.entry("ItemsTotal", 4L),
                        Map.entry("ItemsLanded", 2L),
                        Map.entry("ItemsTerminal", 1L),
                        Map.entry("ItemsGivenUp", 1L),
                        Map.entry("ItemsPending", 0L),
                        Map.entry("ItemsResent", 2L),
                        Map.entry("ItemsWaiting", 0L),
                        Map.entry("Requests", 3L),
                        Map.entry("Rounds", 3L),
                        Map.entry("Waits", 2L),
                        Map.entry("RunsEnded", 1L),
                        Map.entry("RunsInProgress", 0L)));
        assertThat((Long) server().getAttribute(name, "WaitedMillis")).isGreaterThanOrEqualTo(1 + 2);
        assertThat(server().getAttribute(name, "Delegate")).isEqualTo("probe:table");
        assertThat(server().getAttribute(name, "State")).isEqualTo("Started");

        server().invoke(name, "resetStatistics", null, null);

        assertThat(totals(name).values()).containsOnly(0L);
        assertThat(server().getAttribute(name, "WaitedMillis")).isEqualTo(0L);
    }

    @Test
    void showsWhatWaitsNow() throws Exception {
        start("batchresidue:probe:table?bulkApi=#words&redeliveryDelay=1h");
        answerWith(WordService.answering(word -> word.equals("a") ? "landed" : "residue"));

        Future<Exchange> sent = context.createProducerTemplate()
                .asyncSend("direct:in", exchange -> exchange.getMessage().setBody(List.of("a", "b", "c")));

        ObjectName name = only(names());
        await().untilAsserted(() -> assertThat(totals(name))
                .containsEntry("ItemsWaiting", 2L)
                .containsEntry("RunsInProgress", 1L)
                .containsEntry("ItemsLanded", 1L)
                .containsEntry("RunsEnded", 0L));

        context.getRouteController().stopRoute("in");
        sent.get(10, TimeUnit.SECONDS);

        assertThat(totals(name))
                .containsEntry("ItemsWaiting", 0L)
                .containsEntry("RunsInProgress", 0L)
                .containsEntry("ItemsGivenUp", 2L)
                .containsEntry("RunsEnded", 1L);
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

        assertThat(totals(only(names())))
                .containsEntry("ItemsPending", 2L)
                .containsEntry("ItemsTotal", 2L)
                .containsEntry("ItemsWaiting", 0L)
                .containsEntry("Requests", 1L);
    }

    @Test
    void aRunThatGoesOnAfterAFailureAddsOnlyWhatItDoes() throws Exception {
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                errorHandler(defaultErrorHandler().maximumRedeliveries(1).redeliveryDelay(0));
                from("direct:in").to("batchresidue:probe:table" + OPTIONS + "&batchSize=2");
            }
        });
        context.start();
        AtomicInteger requests = new AtomicInteger();
        WordService service = WordService.landingAll();
        probe.behave((exchange, callback) -> {
            if (requests.incrementAndGet() == 2) {
                exchange.setException(new java.net.ConnectException("refused"));
            } else {
                service.process(exchange);
            }
            callback.done(true);
            return true;
        });

        send("direct:in", "a", "b", "c", "d", "e");

        assertThat(service.requests()).containsExactly(List.of("a", "b"), List.of("c", "d"), List.of("e"));
        assertThat(totals(only(names())))
                .containsEntry("ItemsLanded", 5L)
                .containsEntry("ItemsPending", 2L)
                .containsEntry("ItemsResent", 2L)
                .containsEntry("ItemsWaiting", 0L)
                .containsEntry("Requests", 4L)
                .containsEntry("RunsEnded", 2L);
    }

    @Test
    void aRequestThatIsTakenBackWasNone() throws Exception {
        context.getComponent("batchresidue", BatchResidueComponent.class).setWorkers(1);
        start("batchresidue:probe:table?bulkApi=#words&batchSize=1&parallelRequests=3");
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        probe.behave((exchange, callback) -> {
            asked.countDown();
            try {
                stopped.await(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                exchange.setException(e);
            }
            callback.done(true);
            return true;
        });
        Future<Exchange> sent = context.createProducerTemplate()
                .asyncSend("direct:in", exchange -> exchange.getMessage().setBody(List.of("a", "b", "c")));
        assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();

        context.getRouteController().stopRoute("in");
        Exchange done = sent.get(10, TimeUnit.SECONDS);
        stopped.countDown();

        assertThat(done.getMessage().getHeader(BatchResidueConstants.REQUESTS)).isEqualTo(1L);
        assertThat(totals(only(names())))
                .containsEntry("Requests", 1L)
                .containsEntry("ItemsGivenUp", 3L)
                .containsEntry("ItemsResent", 0L)
                .containsEntry("ItemsWaiting", 0L);
    }

    @Test
    void endpointsThatDifferInOptionsHaveTotalsOfTheirOwn() throws Exception {
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:one").to("batchresidue:probe:table" + OPTIONS);
                from("direct:two").to("batchresidue:probe:table" + OPTIONS + "&batchSize=1");
            }
        });
        context.start();

        send("direct:one", "a", "b");
        send("direct:two", "a", "b");

        List<Object> requests = new ArrayList<>();
        for (ObjectName name : names()) {
            requests.add(server().getAttribute(name, "Requests"));
        }
        assertThat(requests).containsExactlyInAnyOrder(1L, 2L);
    }

    @Test
    void tellsNoSecret() throws Exception {
        start("batchresidue:probe://me:hush0@host" + OPTIONS
                + "&password=hush1&secretKey=RAW(hush2&hush3)&accessKey=RAW(a)hush4)"
                + "&deadLetterUri=RAW(mock:dead?password=hush5)");

        send("direct:in", "a");

        ObjectName name = only(names());
        assertThat(name.toString()).contains("host").doesNotContain("hush");
        for (MBeanAttributeInfo attribute : server().getMBeanInfo(name).getAttributes()) {
            assertThat(String.valueOf(server().getAttribute(name, attribute.getName())))
                    .as(attribute.getName())
                    .doesNotContain("hush");
        }
    }

    private MBeanServer server() {
        return context.getManagementStrategy().getManagementAgent().getMBeanServer();
    }

    private Set<ObjectName> names() throws Exception {
        return server().queryNames(
                        new ObjectName("org.apache.camel:context=" + context.getManagementName()
                                + ",type=endpoints,name=\"batchresidue*\""),
                        null);
    }

    private static ObjectName only(Set<ObjectName> names) {
        assertThat(names).hasSize(1);
        return names.iterator().next();
    }

    /** All numbers but the time, which nobody knows beforehand. */
    private Map<String, Object> totals(ObjectName name) throws Exception {
        Map<String, Object> totals = new TreeMap<>();
        for (MBeanAttributeInfo attribute : server().getMBeanInfo(name).getAttributes()) {
            if (attribute.getType().equals("long") && !attribute.getName().equals("WaitedMillis")) {
                totals.put(attribute.getName(), server().getAttribute(name, attribute.getName()));
            }
        }
        return totals;
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

    private void send(String uri, String... words) {
        Exchange done = context.createProducerTemplate()
                .request(uri, exchange -> exchange.getMessage().setBody(words));
        assertThat(done.getException()).isNull();
    }
}
