/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.read.ListAppender;
import io.github.batchresidue.engine.Ledger;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.spi.CamelEvent;
import org.apache.camel.support.EventNotifierSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** The secrets of a delegate are nowhere to be read. */
class SecretsTest {

    /** Each holds the word {@code hush}, in a form of its own. */
    private static final String SECRETS = "&password=hush1&secretKey=RAW(hush2&hush3)&accessKey=RAW(a)hush4)";

    private final CamelContext context = new DefaultCamelContext();
    private final ProbeComponent probe = new ProbeComponent();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private Appender<ILoggingEvent> console;
    private final List<CamelEvent> events = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void capture() {
        context.getRegistry().bind("words", new WordApi());
        context.addComponent("probe", probe);
        context.setMessageHistory(true);
        context.getManagementStrategy().addEventNotifier(new EventNotifierSupport() {
            @Override
            public void notify(CamelEvent event) {
                events.add(event);
            }
        });
        root.setLevel(Level.DEBUG);
        console = root.getAppender("console");
        root.detachAppender(console);
        log.start();
        root.addAppender(log);
    }

    @AfterEach
    void stop() {
        context.stop();
        root.detachAppender(log);
        root.addAppender(console);
        root.setLevel(Level.WARN);
    }

    @Test
    void aRunThatFailsTellsNone() throws Exception {
        probe.behave((exchange, callback) -> {
            WordService.answering(word -> word.equals("b") ? "bad" : "residue").process(exchange);
            callback.done(true);
            return true;
        });
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:in")
                        .to("batchresidue:probe:table?bulkApi=#words&maximumRedeliveries=1&redeliveryDelay=1"
                                + "&terminalUri=mock:dead" + SECRETS);
            }
        });
        context.start();

        Exchange done = context.createProducerTemplate()
                .request("direct:in", exchange -> exchange.getMessage().setBody(List.of("a", "b")));

        assertThat(done.getException()).isInstanceOf(BatchResidueException.class);
        Ledger ledger = done.getProperty(BatchResidueConstants.LEDGER, Ledger.class);
        MockEndpoint dead = context.getEndpoint("mock:dead", MockEndpoint.class);
        assertThat(dead.getReceivedCounter()).isEqualTo(1);
        Exchange letter = dead.getExchanges().get(0);
        assertThat(letter.getMessage().getHeader(BatchResidueConstants.DELEGATE))
                .isEqualTo("probe:table");
        assertThat(letter.getProperty(Exchange.FAILURE_ENDPOINT)).isEqualTo("probe:table");
        assertThat(List.of(
                        stackTrace(done.getException()),
                        ledger.toString(),
                        context.getTypeConverter().convertTo(String.class, done, ledger),
                        done.getMessage().getHeaders().toString(),
                        letter.getMessage().getHeaders().toString(),
                        letter.getProperty(Exchange.EXCEPTION_CAUGHT).toString(),
                        context.getEndpoints().toString()))
                .noneMatch(text -> text.contains("hush"));
        assertThat(events).hasAtLeastOneElementOfType(BatchResidueRoundEvent.class);
        assertThat(events).extracting(CamelEvent::toString).noneMatch(text -> text.contains("hush"));
        assertNothingLogged();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "probe:table?bulkApi=#words&nonsense=1" + SECRETS,
                "probe:table?bulkApi=klingon" + SECRETS,
                "probe:table?bulkApi=#words&passwords=RAW(hush)&hush)",
                "probe:table?batchSize=99?accessKey=hush&bulkApi=#words",
                "probe:table?bulkApi=klingon?accessKey=hush",
                "nowhere:x?bulkApi=#words" + SECRETS,
                "nowhere://me:hush@host?bulkApi=#words",
                "http://me:hush@127.0.0.1:1/x?bulkApi=klingon",
                "probe%3Ax%3Fpassword%3Dhush?bulkApi=#words",
                "probe:table?bulkApi=#words&deadLetterUri=RAW(nowhere:x?password=hush)",
                "probe:table?bulkApi=#words&deadLetterUri=RAW(probe:x?nonsense=1&password=RAW(a)hush))"
            })
    void aStartThatFailsTellsNone(String uri) throws Exception {
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:in").to("batchresidue:" + uri);
            }
        });

        Throwable failure = catchThrowable(context::start);

        assertThat(failure).isNotNull();
        assertThat(stackTrace(failure)).doesNotContain("hush").contains("IllegalArgumentException");
        assertNothingLogged();
    }

    private void assertNothingLogged() {
        assertThat(log.list).isNotEmpty();
        // At DEBUG Camel prints the routes as they were written, with masks of its own: those are not ours to mend.
        assertThat(log.list)
                .filteredOn(event -> event.getLoggerName().startsWith("io.github.batchresidue")
                        || event.getLevel().isGreaterOrEqual(Level.INFO))
                .extracting(ILoggingEvent::getFormattedMessage)
                .noneMatch(text -> text.contains("hush"));
    }

    private static String stackTrace(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
