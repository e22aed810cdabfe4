/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.camel.AsyncCallback;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.builder.AdviceWith;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.spi.CamelEvent;
import org.apache.camel.spi.CamelEvent.ExchangeSendingEvent;
import org.apache.camel.spi.CamelEvent.ExchangeSentEvent;
import org.apache.camel.support.EventNotifierSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Camel puts between a step and its endpoint stands between us and the delegate, whoever performs the call. */
class InterceptorTest {

    private final CamelContext context = new DefaultCamelContext();
    private final ProbeComponent probe = new ProbeComponent();
    private final WordService delegate = WordService.taking("a", "b");
    private final WordService ownSender = WordService.taking("a", "b");
    private final WordService detour = WordService.landingAll();
    private final List<String> sendingAndSent = new ArrayList<>();

    @AfterEach
    void stop() {
        context.stop();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRequestIsSentWithCamelsEvents(boolean hasOwnSender) throws Exception {
        start(hasOwnSender, routes -> {});

        run();

        assertThat(performer(hasOwnSender).requests()).hasSize(2);
        assertThat(performer(!hasOwnSender).requests()).isEmpty();
        assertThat(sendingAndSent)
                .containsExactly(
                        "sending probe://table", "sent probe://table", "sending probe://table", "sent probe://table");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anInterceptorSeesEachRequest(boolean hasOwnSender) throws Exception {
        start(hasOwnSender, routes -> routes.interceptSendToEndpoint("probe:*")
                .to("mock:seen")
                .afterUri("mock:after"));

        run();

        assertThat(bodies("mock:seen")).containsExactly(List.of("a", "b"), List.of("b"));
        assertThat(context.getEndpoint("mock:after", MockEndpoint.class).getReceivedCounter())
                .isEqualTo(2);
        assertThat(performer(hasOwnSender).requests()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anInterceptorMaySkipTheDelegate(boolean hasOwnSender) throws Exception {
        start(hasOwnSender, routes -> routes.interceptSendToEndpoint("probe:*")
                .skipSendToOriginalEndpoint()
                .process(detour));

        run();

        assertThat(detour.requests()).containsExactly(List.of("a", "b"));
        assertThat(performer(hasOwnSender).requests()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anInterceptorMayDecideByTheRequest(boolean hasOwnSender) throws Exception {
        start(hasOwnSender, routes -> routes.interceptSendToEndpoint("probe:*")
                .onWhen(exchange -> exchange.getMessage().getBody(List.class).size() == 1)
                .skipSendToOriginalEndpoint()
                .process(detour));

        run();

        assertThat(detour.requests()).containsExactly(List.of("b"));
        assertThat(performer(hasOwnSender).requests()).containsExactly(List.of("a", "b"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void adviceMocksTheDelegate(boolean hasOwnSender) throws Exception {
        build(hasOwnSender, routes -> {});
        AdviceWith.adviceWith(context, "step", advice -> advice.mockEndpoints("probe:*"));
        context.start();

        run();

        assertThat(bodies("mock:probe:table")).containsExactly(List.of("a", "b"), List.of("b"));
        assertThat(performer(hasOwnSender).requests()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void adviceMocksTheDelegateAndSkipsIt(boolean hasOwnSender) throws Exception {
        build(hasOwnSender, routes -> {});
        AdviceWith.adviceWith(context, "step", advice -> advice.mockEndpointsAndSkip("probe:*"));
        context.start();
        context.getEndpoint("mock:probe:table", MockEndpoint.class).whenAnyExchangeReceived(detour);

        run();

        assertThat(detour.requests()).containsExactly(List.of("a", "b"));
        assertThat(performer(hasOwnSender).requests()).isEmpty();
    }

    private void start(boolean hasOwnSender, Consumer<RouteBuilder> interceptors) throws Exception {
        build(hasOwnSender, interceptors);
        context.start();
    }

    private void build(boolean hasOwnSender, Consumer<RouteBuilder> interceptors) throws Exception {
        context.getRegistry().bind("words", hasOwnSender ? new WordApi().sender(ownSender) : new WordApi());
        context.addComponent("probe", probe);
        probe.behave((exchange, callback) -> answer(delegate, exchange, callback));
        context.getManagementStrategy().addEventNotifier(new EventNotifierSupport() {
            @Override
            public void notify(CamelEvent event) {
                if (event instanceof ExchangeSendingEvent sending
                        && sending.getEndpoint().getEndpointUri().startsWith("probe")) {
                    sendingAndSent.add("sending " + sending.getEndpoint());
                } else if (event instanceof ExchangeSentEvent sent
                        && sent.getEndpoint().getEndpointUri().startsWith("probe")) {
                    sendingAndSent.add("sent " + sent.getEndpoint());
                }
            }
        });
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                interceptors.accept(this);
                from("direct:in")
                        .routeId("step")
                        .to("batchresidue:probe:table?bulkApi=#words&redeliveryDelay=1&jitter=NONE");
            }
        });
    }

    private static boolean answer(WordService service, Exchange exchange, AsyncCallback callback) {
        service.process(exchange);
        callback.done(true);
        return true;
    }

    private WordService performer(boolean isOwnSender) {
        return isOwnSender ? ownSender : delegate;
    }

    private void run() {
        Exchange done = context.createProducerTemplate()
                .request("direct:in", exchange -> exchange.getMessage().setBody(List.of("a", "b")));
        assertThat(done.getException()).isNull();
        assertThat(done.getMessage().getHeader(BatchResidueConstants.LANDED_COUNT))
                .isEqualTo(2L);
    }

    private List<Object> bodies(String mock) {
        return context.getEndpoint(mock, MockEndpoint.class).getExchanges().stream()
                .map(exchange -> exchange.getMessage().getBody())
                .collect(Collectors.toList());
    }
}
