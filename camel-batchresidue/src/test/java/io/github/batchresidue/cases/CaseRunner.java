/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.batchresidue.camel.BatchResidueConstants;
import io.github.batchresidue.camel.BatchResidueException;
import io.github.batchresidue.camel.BatchResidueRoundEvent;
import io.github.batchresidue.engine.Item;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Outcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.FailedToStartRouteException;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.spi.CamelEvent;
import org.apache.camel.support.EventNotifierSupport;

/** Runs a case through a route with the real delegate and holds the outcome against what the case expects. */
final class CaseRunner {

    private final BugCase bugCase;
    private final ScriptedService service;
    private final Watch watch = new Watch();
    private final Map<Long, Exchange> deadLetters = Collections.synchronizedMap(new TreeMap<>());

    private CaseRunner(BugCase bugCase, ScriptedService service) {
        this.bugCase = bugCase;
        this.service = service;
    }

    static void run(BugCase bugCase, ScriptedService service) throws Exception {
        CamelContext context = new DefaultCamelContext();
        try {
            new CaseRunner(bugCase, service).run(context);
        } finally {
            context.stop();
            service.close();
        }
    }

    private void run(CamelContext context) throws Exception {
        service.bind(context);
        context.getManagementStrategy().addEventNotifier(watch);
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:in").to(uri());
                from("direct:dead")
                        .process(letter -> deadLetters.put(
                                letter.getMessage().getHeader(BatchResidueConstants.ITEM_INDEX, Long.class),
                                letter.copy()));
            }
        });
        if (bugCase.failure().equals("startup")) {
            assertThatThrownBy(context::start).isInstanceOf(FailedToStartRouteException.class);
            assertThat(service.received()).isEmpty();
            return;
        }
        context.start();
        Object body = bugCase.body();
        Exchange done = context.createProducerTemplate().request("direct:in", exchange -> {
            exchange.getMessage().setBody(body);
            exchange.getMessage().setHeaders(new LinkedHashMap<>(bugCase.headers()));
        });
        checkFailure(done, body);
        Ledger ledger = ledger(done);
        checkRequests();
        checkColumns(ledger);
        checkErrors(ledger);
        checkWaits();
    }

    private String uri() {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("bulkApi", bugCase.protocol());
        if (bugCase.hasDeadLetters()) {
            options.put("terminalUri", "direct:dead");
            options.put("givenUpUri", "direct:dead");
        }
        Map<String, String> own = bugCase.options();
        if (!own.containsKey("redeliveryDelay") && !own.containsKey("jitter")) {
            options.put("redeliveryDelay", "20");
            options.put("jitter", "NONE");
        }
        options.putAll(own);
        List<String> parameters = new ArrayList<>(service.delegateOptions(bugCase));
        options.forEach((name, value) -> parameters.add(name + "=" + value));
        return "batchresidue:" + service.delegateUri(bugCase) + "?" + String.join("&", parameters);
    }

    private void checkFailure(Exchange done, Object body) {
        Exception exception = done.getException();
        switch (bugCase.failure()) {
            case "none" -> {
                assertThat(exception).isNull();
                if ("ORIGINAL".equals(bugCase.options().get("result"))) {
                    assertThat(done.getMessage().getBody()).isSameAs(body);
                } else {
                    assertThat(done.getMessage().getBody()).isInstanceOf(Ledger.class);
                }
            }
            case "undelivered" -> assertThat(exception).isInstanceOf(BatchResidueException.class);
            case "transport" -> assertThat(exception).isNotNull().isNotInstanceOf(BatchResidueException.class);
            case "body" -> {
                assertThat(exception).isNotNull();
                assertThat(watch.requests).isEmpty();
            }
            default -> throw new IllegalArgumentException("unknown failure " + bugCase.failure());
        }
    }

    private static Ledger ledger(Exchange done) {
        return done.getException() == null
                ? done.getProperty(BatchResidueConstants.LEDGER, Ledger.class)
                : BatchResidueException.of(done).orElseThrow().getLedger();
    }

    private void checkRequests() throws Exception {
        assertThat(watch.requests).isEqualTo(bugCase.requests());
        List<JsonNode> wireItems = service.wireItems(bugCase);
        List<List<JsonNode>> received = service.received();
        List<List<JsonNode>> expected = new ArrayList<>();
        for (int i = 0; i < watch.requests.size(); i++) {
            boolean isRefused =
                    "refuse".equals(bugCase.replies().get(i).path("fault").asText());
            if (!isRefused) {
                expected.add(watch.requests.get(i).stream()
                        .map(index -> wireItems.get(index.intValue()))
                        .toList());
            }
        }
        assertThat(received).isEqualTo(expected);
    }

    private void checkColumns(Ledger ledger) {
        assertThat(indexes(ledger.landedItems())).isEqualTo(bugCase.indexes("landed"));
        assertThat(indexes(ledger.terminalItems())).isEqualTo(bugCase.indexes("terminal"));
        assertThat(indexes(ledger.givenUpItems())).isEqualTo(bugCase.indexes("givenUp"));
        TreeSet<Long> pending = new TreeSet<>(indexes(ledger.pendingItems()));
        assertThat(pending).containsAll(bugCase.indexes("pending"));
        pending.removeAll(bugCase.indexes("unread"));
        assertThat(pending).containsExactlyElementsOf(bugCase.indexes("pending"));
        assertThat(ledger.landed() + ledger.terminal() + ledger.givenUp() + ledger.pending())
                .isEqualTo(ledger.items());
        if (bugCase.hasDeadLetters()) {
            TreeSet<Long> dead = new TreeSet<>(bugCase.indexes("terminal"));
            dead.addAll(bugCase.indexes("givenUp"));
            assertThat(deadLetters.keySet()).isEqualTo(dead);
        }
    }

    private static List<Long> indexes(List<LedgerItem> items) {
        return items.stream().map(LedgerItem::index).sorted().toList();
    }

    private void checkErrors(Ledger ledger) {
        Map<Long, LedgerItem> dead = new TreeMap<>();
        ledger.terminalItems().forEach(item -> dead.put(item.index(), item));
        ledger.givenUpItems().forEach(item -> dead.put(item.index(), item));
        bugCase.errors().forEach((index, error) -> {
            checkError(error, itemFields(dead.get(index)));
            if (bugCase.hasDeadLetters()) {
                checkError(error, letterFields(deadLetters.get(index)));
            }
        });
        if (bugCase.hasDeadLetters()) {
            dead.forEach((index, item) -> assertThat(
                            deadLetters.get(index).getMessage().getHeader(BatchResidueConstants.OUTCOME))
                    .isEqualTo(item.outcome().name())
                    .isIn(Outcome.TERMINAL.name(), Outcome.GIVEN_UP.name()));
        }
    }

    private static void checkError(JsonNode error, Map<String, Object> fields) {
        error.properties().forEach(member -> assertThat(String.valueOf(fields.get(member.getKey())))
                .as(member.getKey())
                .isEqualTo(member.getValue().asText()));
    }

    private static Map<String, Object> itemFields(LedgerItem item) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("status", item.failure().status());
        fields.put("code", item.failure().code());
        fields.put("reason", item.reason());
        fields.put("attempts", item.attempts());
        return fields;
    }

    private static Map<String, Object> letterFields(Exchange letter) {
        Map<String, Object> headers = letter.getMessage().getHeaders();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("status", headers.get(BatchResidueConstants.ERROR_STATUS));
        fields.put("code", headers.get(BatchResidueConstants.ERROR_CODE));
        fields.put("reason", headers.get(BatchResidueConstants.REASON));
        fields.put("attempts", headers.get(BatchResidueConstants.ATTEMPTS));
        return fields;
    }

    private void checkWaits() {
        List<Long> waits = bugCase.minimumWaitsMillis();
        for (int i = 0; i < waits.size(); i++) {
            long waited = watch.sentAt.get(i + 1) - watch.answeredAt.get(i);
            assertThat(waited)
                    .as("wait between reply " + i + " and request " + (i + 1))
                    .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(waits.get(i)));
        }
    }

    /** Sees each request as the delegate gets it. */
    private static final class Watch extends EventNotifierSupport {

        final List<List<Long>> requests = Collections.synchronizedList(new ArrayList<>());
        final List<Long> sentAt = Collections.synchronizedList(new ArrayList<>());
        final List<Long> answeredAt = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void notify(CamelEvent event) {
            if (event instanceof BatchResidueRoundEvent round) {
                requests.add(round.getItems().stream().map(Item::index).collect(Collectors.toList()));
            } else if (event instanceof CamelEvent.ExchangeSendingEvent sending
                    && isDelegate(sending.getEndpoint().getEndpointUri())) {
                sentAt.add(System.nanoTime());
            } else if (event instanceof CamelEvent.ExchangeSentEvent sent
                    && isDelegate(sent.getEndpoint().getEndpointUri())) {
                answeredAt.add(System.nanoTime());
            }
        }

        private static boolean isDelegate(String uri) {
            return !uri.startsWith("direct:") && !uri.startsWith("batchresidue:");
        }
    }
}
