/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.engine.Outcome;
import io.github.batchresidue.engine.Reason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.spi.CamelEvent;
import org.apache.camel.spi.CamelEvent.ExchangeSendingEvent;
import org.apache.camel.support.EventNotifierSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a listener hears of a run. */
class EventsTest {

    private static final String STEP = "batchresidue:probe:table?bulkApi=#words&redeliveryDelay=1&jitter=NONE"
            + "&maximumRedeliveries=2&throwExceptionOnUndelivered=false";

    private final CamelContext context = new DefaultCamelContext();
    private final ProbeComponent probe = new ProbeComponent();
    private final Listener listener = new Listener();

    @BeforeEach
    void bind() throws Exception {
        context.disableJMX();
        context.getRegistry().bind("words", new WordApi());
        context.addComponent("probe", probe);
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:in").to(STEP);
            }
        });
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    @Test
    void oneOperationOfThreeRoundsIsOneStartAndTwoRetriesWithCountsReasonAndWait() {
        start(listener);

        send(WordService.taking("ab", "c", "d"), "a", "b", "c", "d");

        assertThat(listener.of(ExchangeSendingEvent.class))
                .extracting(event -> event.getEndpoint().toString())
                .containsExactly(
                        "direct://in", "batchresidue://probe:table", "probe://table", "probe://table", "probe://table");
        List<BatchResidueRoundEvent> rounds = listener.of(BatchResidueRoundEvent.class);
        assertThat(rounds).extracting(event -> event.getRound().items()).containsExactly(4L, 2L, 1L);
        assertThat(rounds).extracting(event -> event.getRound().landed()).containsExactly(2L, 1L, 1L);
        List<BatchResidueRoundEvent> retries =
                rounds.stream().filter(event -> event.getNextWaitMillis() >= 0).toList();
        assertThat(retries).hasSize(2).allSatisfy(event -> {
            assertThat(event.getRound().residue()).isEqualTo(event.getItems().size() / 2);
            assertThat(event.getFailure().status()).isEqualTo(429);
            assertThat(event.getFailure().code()).isEqualTo("residue");
            assertThat(event.getExchange().getFromEndpoint().toString()).isEqualTo("direct://in");
            assertThat(event.getDelegate()).isEqualTo("probe:table");
        });
        assertThat(retries)
                .extracting(BatchResidueRoundEvent::getNextWaitMillis)
                .containsExactly(1L, 2L);
        assertThat(retries.get(1))
                .hasToString("Batch residue round: 2 items to probe:table: 1 landed, 0 terminal, 1 residue, 0 unknown,"
                        + " next wait 2 ms, 429 residue");
        assertThat(rounds.get(2).getFailure()).isNull();
        assertThat(rounds.get(2))
                .hasToString("Batch residue round: 1 items to probe:table: 1 landed, 0 terminal, 0 residue, 0 unknown");
    }

    @Test
    void eachItemEndsWithItsReason() {
        start(listener);

        send(
                WordService.answering(word -> switch (word) {
                    case "r" -> "residue";
                    case "t" -> "mapping";
                    default -> "landed";
                }),
                "a",
                "t",
                "r");

        List<BatchResidueItemEvent> ends = listener.of(BatchResidueItemEvent.class);
        assertThat(ends)
                .extracting(event -> event.getItem().outcome())
                .containsExactly(Outcome.LANDED, Outcome.TERMINAL, Outcome.GIVEN_UP);
        assertThat(ends)
                .extracting(event -> event.getItem().reason())
                .containsExactly(null, Reason.REJECTED, Reason.REDELIVERIES_EXHAUSTED);
        assertThat(ends.get(2).getItem().failure().message()).isEqualTo("said residue");
    }

    @Test
    void theTimeIsOnThemIfCamelIsToldSo() {
        context.getManagementStrategy().getEventFactory().setTimestampEnabled(true);
        start(listener);

        send(WordService.landingAll(), "a");

        assertThat(listener.of(BatchResidueEvent.class)).hasSize(2).allMatch(event -> event.getTimestamp() > 0);
    }

    @Test
    void whoIgnoresExchangesHearsNothing() {
        listener.setIgnoreExchangeEvents(true);
        start(listener);

        send(WordService.landingAll(), "a");

        assertThat(listener.of(BatchResidueEvent.class)).isEmpty();
    }

    @Test
    void aListenerThatFailsKeepsNobodyFromHearing() {
        start(
                new EventNotifierSupport() {
                    @Override
                    public void notify(CamelEvent event) throws Exception {
                        if (event instanceof BatchResidueEvent) {
                            throw new Exception("not my day");
                        }
                    }
                },
                listener);

        send(WordService.landingAll(), "a");

        assertThat(listener.of(BatchResidueRoundEvent.class)).hasSize(1);
        assertThat(listener.of(BatchResidueItemEvent.class)).hasSize(1);
    }

    private void start(EventNotifierSupport... listeners) {
        for (EventNotifierSupport each : listeners) {
            context.getManagementStrategy().addEventNotifier(each);
        }
        context.start();
    }

    private void send(WordService service, String... words) {
        probe.behave((exchange, callback) -> {
            service.process(exchange);
            callback.done(true);
            return true;
        });
        Exchange done = context.createProducerTemplate()
                .request("direct:in", exchange -> exchange.getMessage().setBody(words));
        assertThat(done.getException()).isNull();
    }

    private static final class Listener extends EventNotifierSupport {

        private final List<CamelEvent> events = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void notify(CamelEvent event) {
            events.add(event);
        }

        <T> List<T> of(Class<T> type) {
            return List.copyOf(events).stream()
                    .filter(type::isInstance)
                    .map(type::cast)
                    .toList();
        }
    }
}
