/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.entry;

import io.github.batchresidue.engine.Ledger;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.catalog.DefaultCamelCatalog;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.tooling.model.ComponentModel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The kamelet in the jar is the component behind one more route. */
class KameletTest {

    private static final String KAMELET = "kamelet:batchresidue-sink?bulkApi=#words&redeliveryDelay=1&jitter=NONE";

    private final CamelContext context = new DefaultCamelContext();
    private final WordService service = WordService.taking("a", "b");

    /** In which requests the delegate fails, counted from 1. */
    private int failing = 0;

    private final AtomicInteger requests = new AtomicInteger();

    @BeforeEach
    void prepare() throws Exception {
        context.getRegistry().bind("words", new WordApi());
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:table").errorHandler(noErrorHandler()).process(exchange -> {
                    if (requests.incrementAndGet() == failing) {
                        throw new IOException("gateway");
                    }
                    service.process(exchange);
                });
            }
        });
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    @Test
    void theLedgerComesBack() throws Exception {
        Exchange done = send(KAMELET + "&delegateUri=direct:table");

        assertThat(done.getException()).isNull();
        assertThat(service.requests()).containsExactly(List.of("a", "b", "c"), List.of("b", "c"), List.of("c"));
        Ledger ledger = done.getMessage().getBody(Ledger.class);
        assertThat(ledger.landed()).isEqualTo(3);
        assertThat(ledger.rounds()).isEqualTo(3);
        assertThat(done.getMessage().getHeader(BatchResidueConstants.REQUESTS)).isEqualTo(3L);
        assertThat(done.getProperty(BatchResidueConstants.LEDGER)).isSameAs(ledger);
    }

    @Test
    void theLedgerIsFoundOnTheException() throws Exception {
        failing = 2;

        Exchange done = send(KAMELET + "&delegateUri=direct:table");

        assertThat(done.getException()).isInstanceOf(IOException.class).hasMessage("gateway");
        Ledger ledger = BatchResidueException.of(done).orElseThrow().getLedger();
        assertThat(ledger.landed()).isEqualTo(1);
        assertThat(ledger.pendingItems()).extracting(item -> item.body()).containsExactly("b", "c");
    }

    /** The kamelet has the error handler of the route that calls it, so the step inside is what is redelivered. */
    @Test
    void aRedeliveryInsideTheKameletGoesOnWithTheRun() throws Exception {
        failing = 2;

        Exchange done = send(KAMELET + "&delegateUri=direct:table", true);

        assertThat(done.getException()).isNull();
        assertThat(service.requests()).containsExactly(List.of("a", "b", "c"), List.of("b", "c"), List.of("c"));
        assertThat(done.getMessage().getBody(Ledger.class).landed()).isEqualTo(3);
    }

    /** The kamelet's own route caches no stream: it would drain the caller's, and a new run find an empty one. */
    @Test
    void aStreamThatTheFirstRunTookFromIsNotTakenForAnEmptyOne() throws Exception {
        failing = 2;
        InputStream stream = new ByteArrayInputStream("[\"a\",\"b\",\"c\"]".getBytes(StandardCharsets.UTF_8)) {};

        Exchange done = send(KAMELET + "&delegateUri=direct:table&noErrorHandler=true", true, stream);

        assertThat(done.getException())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot be read again");
        assertThat(service.requests()).containsExactly(List.of("a", "b", "c"));
    }

    /** The caller's redelivery makes a new exchange of its own body, of which the first run knows nothing. */
    @Test
    void aRedeliveryByTheCallerBeginsANewRun() throws Exception {
        failing = 2;

        Exchange done = send(KAMELET + "&delegateUri=direct:table&noErrorHandler=true", true);

        assertThat(done.getException()).isNull();
        assertThat(service.requests())
                .containsExactly(List.of("a", "b", "c"), List.of("a", "b", "c"), List.of("a", "c"));
        Ledger ledger = done.getMessage().getBody(Ledger.class);
        assertThat(ledger.items()).isEqualTo(3);
        assertThat(ledger.landed()).isEqualTo(3);
        assertThat(ledger.requests()).isEqualTo(2);
    }

    @Test
    void whatTheCallersErrorHandlerGivesUpHasTheLastLedger() throws Exception {
        failing = 1;
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                errorHandler(deadLetterChannel("mock:failed"));
                from("direct:in").to(KAMELET + "&delegateUri=direct:table");
            }
        });
        context.start();

        context.createProducerTemplate().sendBody("direct:in", List.of("a", "b"));

        MockEndpoint failed = context.getEndpoint("mock:failed", MockEndpoint.class);
        assertThat(failed.getExchanges()).singleElement().satisfies(exchange -> assertThat(
                        BatchResidueException.of(exchange)
                                .orElseThrow()
                                .getLedger()
                                .pending())
                .isEqualTo(2));
    }

    @Test
    void theDelegateKeepsItsOptionsAndThoseOfTheBulkApi() throws Exception {
        ProbeComponent probe = new ProbeComponent();
        context.addComponent("probe", probe);
        context.getPropertiesComponent().addInitialProperty("table", "table");
        context.getPropertiesComponent().addInitialProperty("secret", "x&y)+%");

        Exchange done = send("kamelet:batchresidue-sink?bulkApi=words&batchSize=2"
                + "&delegateUri=RAW{probe:{{table}}?value=v&password=RAW({{secret}})&bulkApi.language=la}"
                + "&deadLetterUri=RAW(RAW(mock:dead?retainFirst=1&retainLast=2))");

        assertThat(done.getException()).isNull();
        assertThat(probe.endpoint().path).isEqualTo("table");
        assertThat(probe.endpoint().options).containsOnly(entry("value", "v"), entry("password", "x&y)+%"));
        assertThat(WordApiProvider.MADE.get("probe://table").options()).containsOnly(entry("language", "la"));
        BatchResidueConfiguration set = context.getEndpoints().stream()
                .filter(endpoint -> endpoint instanceof BatchResidueEndpoint)
                .map(endpoint -> ((BatchResidueEndpoint) endpoint).getConfiguration())
                .findFirst()
                .orElseThrow();
        assertThat(set.getBatchSize()).isEqualTo(2);
        assertThat(set.getDeadLetterUri()).isEqualTo("mock:dead?retainFirst=1&retainLast=2");
        assertThat(set.getTerminalErrors()).isNull();
        assertThat(set.isThrowExceptionOnUndelivered()).isTrue();
    }

    @Test
    void anOptionThatStandsTwiceIsRefused() {
        assertThat(catchThrowable(() -> send(KAMELET + "&delegateUri=RAW(direct:table?bulkApi=words&batchSize=2)")))
                .hasStackTraceContaining(
                        "bulkApi=[words, #words]: the option is given more than once; leave one of them");
    }

    @Test
    void anOptionMayStandWithTheDelegate() throws Exception {
        send(KAMELET + "&delegateUri=RAW(direct:table?batchSize=2)");

        assertThat(service.requests().get(0)).containsExactly("a", "b");
    }

    @Test
    void whatIsNotGivenIsTheComponents() throws Exception {
        context.getComponent("batchresidue", BatchResidueComponent.class)
                .getConfiguration()
                .setBatchSize(2);

        send(KAMELET + "&delegateUri=direct:table");

        assertThat(service.requests().get(0)).containsExactly("a", "b");
    }

    @Test
    void aKameletWithoutADelegateIsRefused() {
        assertThat(catchThrowable(() -> send(KAMELET))).hasStackTraceContaining("delegateUri");
    }

    @Test
    void itHasEveryOption() {
        DefaultCamelCatalog catalog = new DefaultCamelCatalog();
        catalog.addComponent("batchresidue", BatchResidueComponent.class.getName());
        ComponentModel model = catalog.componentModel("batchresidue");
        String kamelet = kamelet().replaceAll("\\s+", " ");

        assertThat(model.getEndpointParameterOptions())
                .filteredOn(
                        option -> !option.isMultiValue() && !option.getName().equals("lazyStartProducer"))
                .hasSizeGreaterThan(25)
                .allSatisfy(option -> assertThat(kamelet)
                        .contains(
                                " " + option.getName() + ": title: " + option.getDisplayName() + " description: >- "
                                        + option.getDescription() + " type: ",
                                " " + option.getName() + ": \"{{?" + option.getName() + "}}\""));
    }

    private static String kamelet() {
        try (InputStream yaml = KameletTest.class.getResourceAsStream("/kamelets/batchresidue-sink.kamelet.yaml")) {
            return new String(yaml.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Exchange send(String kamelet) throws Exception {
        return send(kamelet, false);
    }

    private Exchange send(String kamelet, boolean isRedelivered) throws Exception {
        return send(kamelet, isRedelivered, List.of("a", "b", "c"));
    }

    /** The caller's route leaves a stream as it is. */
    private Exchange send(String kamelet, boolean isRedelivered, Object body) throws Exception {
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                if (isRedelivered) {
                    errorHandler(defaultErrorHandler().maximumRedeliveries(1).redeliveryDelay(0));
                }
                from("direct:in").streamCache("false").to(kamelet);
            }
        });
        context.start();
        return context.createProducerTemplate()
                .request("direct:in", exchange -> exchange.getMessage().setBody(body));
    }
}
