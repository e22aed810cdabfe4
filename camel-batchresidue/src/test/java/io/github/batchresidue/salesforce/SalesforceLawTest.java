/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.salesforce;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.camel.BatchResidueConstants;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Reason;
import io.github.batchresidue.simulators.CollectionRequest;
import io.github.batchresidue.simulators.SalesforceObject;
import io.github.batchresidue.simulators.SalesforceOrg;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The law of the ledger against an org that locks rows, refuses records, ends sessions, is over its limit and loses
 * answers, all of it drawn from a seed: the org holds each acceptable record once, and the ledger agrees.
 */
class SalesforceLawTest {

    private static final List<String> TYPES = List.of("Account", "Contact", "Order__c");
    private static final int MOST_RECORDS = 200;
    private static final int MOST_CHUNKS = 10;

    private final SalesforceOrg org = new SalesforceOrg();
    private final Map<String, SalesforceObject> objects = new HashMap<>();
    private final CamelContext context = new DefaultCamelContext();
    /** Names of the records that the org takes, sooner or later. */
    private final Set<String> acceptable = new TreeSet<>();

    private Random random;
    private int parallelRequests;
    private List<Map<String, Object>> body;

    static LongStream seeds() {
        Long one = Long.getLong("batchresidue.seed");
        return one == null ? LongStream.rangeClosed(1, 8) : LongStream.of(one);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void creates(long seed) {
        random = new Random(seed);
        drawBody(TYPES);
        boolean answersAreLost = random.nextBoolean();
        drawTroubles(answersAreLost);

        Ledger ledger = run("compositeCreateSObjectCollections");

        assertThatTheLawHolds(ledger);
        Set<String> landed = names(ledger.landedItems());
        Set<String> inDoubt = names(ledger.givenUpItems());
        assertThat(ledger.givenUpItems()).extracting(LedgerItem::reason).allMatch(Reason.UNKNOWN_OUTCOME::equals);
        assertThat(inDoubt.isEmpty()).isEqualTo(!answersAreLost);
        assertThat(refusable()).containsAll(refused(ledger));
        assertThat(acceptable).containsAll(landed);
        assertThat(storedNames()).doesNotHaveDuplicates().containsAll(landed);
        // What an answer was lost for stands nowhere else, and is stored or not.
        assertThat(union(landed, inDoubt)).containsAll(acceptable).containsAll(storedNames());
        assertThat(union(refused(ledger), inDoubt)).containsAll(refusable());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void upserts(long seed) {
        random = new Random(seed);
        drawBody(List.of("Account"));
        drawTroubles(true);

        Ledger ledger = run("compositeUpsertSObjectCollections?sObjectName=Account&sObjectIdName=Number__c&batchSize="
                + (20 + random.nextInt(180)));

        assertThatTheLawHolds(ledger);
        assertThat(refused(ledger)).isEqualTo(refusable());
        assertThat(ledger.givenUp()).isZero();
        assertThat(names(ledger.landedItems())).isEqualTo(acceptable);
        assertThat(storedNames()).containsExactlyInAnyOrderElementsOf(acceptable);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void deletes(long seed) {
        random = new Random(seed);
        drawBody(TYPES);
        List<String> kept = new ArrayList<>();
        for (Map<String, Object> record : body) {
            SalesforceObject object = objects.get(typeOf(record));
            record.put("Id", object.insert(Map.of("Name", String.valueOf(record.get("Number__c")))));
            String stays = "stays-" + record.get("Number__c");
            object.insert(Map.of("Name", stays));
            kept.add(stays);
        }
        drawTroubles(true);

        Ledger ledger = run("compositeDeleteSObjectCollections?batchSize=" + (20 + random.nextInt(180)));

        assertThatTheLawHolds(ledger);
        assertThat(ledger.landed()).isEqualTo(body.size());
        assertThat(storedNames()).containsExactlyInAnyOrderElementsOf(kept);
    }

    // ---- What is drawn

    private void drawBody(List<String> types) {
        types.forEach(type -> objects.put(type, org.createObject(type).requires("Name")));
        body = new ArrayList<>();
        String type = types.get(0);
        int changesPerHundred = random.nextInt(30);
        int records = 100 + random.nextInt(900);
        for (int i = 0; i < records; i++) {
            if (random.nextInt(100) < changesPerHundred) {
                type = types.get(random.nextInt(types.size()));
            }
            Map<String, Object> record = new HashMap<>();
            record.put("attributes", Map.of("type", type));
            record.put("Number__c", "n-" + i);
            if (random.nextInt(20) > 0) {
                record.put("Name", "n-" + i);
                acceptable.add("n-" + i);
            }
            if (random.nextInt(8) == 0) {
                objects.get(type).lock("Number__c", "n-" + i, 1 + random.nextInt(3));
                objects.get(type).lock("Name", "n-" + i, 1 + random.nextInt(3));
            }
            body.add(record);
        }
    }

    private void drawTroubles(boolean answersAreLost) {
        parallelRequests = 1 + random.nextInt(3);
        if (parallelRequests == 1) {
            // Side by side, others would use up the session that a request has just renewed, and the delegate gives up.
            org.sessionsLast(1 + random.nextInt(4));
        }
        org.limitRequests(random.nextInt(3));
        if (answersAreLost) {
            org.loseAnswers(1 + random.nextInt(2));
        }
    }

    // ---- What is run and what has to hold

    private Ledger run(String delegate) {
        SalesforceComponents.add(context, org);
        context.start();
        org.expireSessions();
        try {
            String options = (delegate.contains("?") ? "&" : "?") + "redeliveryDelay=1&maximumRedeliveries=-1"
                    + "&onTransportFailure=RETRY&throwExceptionOnUndelivered=false&parallelRequests="
                    + parallelRequests;
            Exchange done = context.createProducerTemplate()
                    .request("batchresidue:salesforce:" + delegate + options, exchange -> exchange.getMessage()
                            .setBody(body));
            assertThat(done.getException()).isNull();
            return done.getProperty(BatchResidueConstants.LEDGER, Ledger.class);
        } finally {
            context.stop();
            org.close();
        }
    }

    private void assertThatTheLawHolds(Ledger ledger) {
        assertThat(ledger.items()).isEqualTo(body.size());
        assertThat(ledger.landed() + ledger.terminal() + ledger.givenUp()).isEqualTo(body.size());
        assertThat(ledger.requests())
                .isGreaterThanOrEqualTo(org.collectionRequests().size());
        assertThat(org.logins()).isGreaterThan(1);
        for (CollectionRequest request : org.collectionRequests()) {
            assertThat(request.status()).isIn(0, 200, 403);
            assertThat(request.records().size()).isBetween(1, MOST_RECORDS);
            assertThat(chunks(request)).isLessThanOrEqualTo(MOST_CHUNKS);
        }
    }

    private static int chunks(CollectionRequest request) {
        String types = request.records().stream()
                .map(record -> record.isTextual()
                        ? record.asText().substring(0, 3)
                        : record.path("attributes").path("type").asText())
                .collect(Collectors.joining(" "));
        return types.replaceAll("(\\w+)( \\1)*(?= |$)", "$1").split(" ").length;
    }

    private Set<String> refusable() {
        return body.stream()
                .filter(record -> !record.containsKey("Name"))
                .map(record -> (String) record.get("Number__c"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> refused(Ledger ledger) {
        return names(ledger.terminalItems());
    }

    private static Set<String> union(Set<String> one, Set<String> other) {
        Set<String> both = new TreeSet<>(one);
        both.addAll(other);
        return both;
    }

    private static Set<String> names(List<LedgerItem> items) {
        return items.stream()
                .map(item -> (String) ((Map<?, ?>) item.body()).get("Number__c"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private List<String> storedNames() {
        return objects.values().stream()
                .flatMap(object -> object.records().stream())
                .map(record -> record.path("Name").asText())
                .toList();
    }

    private static String typeOf(Map<String, Object> record) {
        return ((Map<?, ?>) record.get("attributes")).get("type").toString();
    }
}
