/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.servers.opensearch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.camel.BatchResidueConstants;
import io.github.batchresidue.camel.BatchResidueException;
import io.github.batchresidue.camel.BatchResidueRoundEvent;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Reason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.spi.CamelEvent;
import org.apache.camel.support.EventNotifierSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Against a real server: its mapping errors, version conflicts, rejections and limits. */
class OpenSearchTest {

    /** How the server is reached. */
    enum Way {
        HTTP,
        OPENSEARCH;

        String uri(String options) {
            return this == HTTP
                    ? "batchresidue:http://" + server.address() + "/books/_bulk?" + options
                    : "batchresidue:opensearch:cluster?operation=Bulk&indexName=books&hostAddresses=" + server.address()
                            + "&" + options;
        }
    }

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String FOREVER = "maximumRedeliveries=-1&redeliveryDelay=5&maximumRedeliveryDelay=100";
    private static final String SHORT = "redeliveryDelay=5";
    private static final int MOST_FOUND = 10_000;

    private static EmbeddedOpenSearch server;

    private final CamelContext context = new DefaultCamelContext();
    private ProducerTemplate template;

    @BeforeAll
    static void startServer() throws Exception {
        server = new EmbeddedOpenSearch(Map.of("http.max_content_length", "1mb"));
    }

    @AfterAll
    static void stopServer() throws Exception {
        server.close();
    }

    @BeforeEach
    void start() throws Exception {
        context.start();
        template = context.createProducerTemplate();
        server.call(
                "PUT",
                "/books",
                "{\"settings\":{\"number_of_shards\":4,\"number_of_replicas\":0},"
                        + "\"mappings\":{\"properties\":{\"n\":{\"type\":\"long\"},\"by\":{\"type\":\"keyword\"}}}}");
    }

    @AfterEach
    void stop() throws Exception {
        context.stop();
        server.call("DELETE", "/books", null);
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void underPressureEveryAcceptableDocumentIsThereOnceAndTheLedgersAgree(Way way) throws Exception {
        int clients = 8;
        int documents = 1000;
        server.call("PUT", "/books/_doc/taken?refresh=true", "{\"n\":-1}");
        Rejections rejections = new Rejections();
        context.getManagementStrategy().addEventNotifier(rejections);
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        List<Future<Ledger>> runs = new ArrayList<>();
        for (int client = 0; client < clients; client++) {
            String text = textOf(client, documents);
            runs.add(threads.submit(() -> ledger(template.request(
                    way.uri(FOREVER + "&batchSize=200&parallelRequests=2"),
                    exchange -> exchange.getMessage().setBody(text)))));
        }

        Set<Long> expected = new TreeSet<>(Set.of(-1L));
        for (int client = 0; client < clients; client++) {
            Ledger ledger = runs.get(client).get();
            assertThat(ledger.items()).isEqualTo(documents);
            assertThat(ledger.landed()).isEqualTo(documents - documents / 25);
            Map<String, Long> refused = new TreeMap<>();
            for (LedgerItem item : ledger.terminalItems()) {
                assertThat(item.index() % 25).isZero();
                refused.merge(item.failure().status() + " " + item.failure().code(), 1L, Long::sum);
            }
            assertThat(refused)
                    .isEqualTo(Map.of(
                            "400 mapper_parsing_exception", documents / 50L,
                            "409 version_conflict_engine_exception", documents / 50L));
            for (int i = 0; i < documents; i++) {
                if (i % 25 != 0) {
                    expected.add((long) client * documents + i);
                }
            }
        }
        threads.shutdown();

        List<JsonNode> found = found();
        assertThat(found).allMatch(hit -> hit.get("_version").intValue() == 1);
        assertThat(found)
                .extracting(hit -> hit.path("_source").path("n").longValue())
                .doesNotHaveDuplicates();
        Set<Long> numbers = new TreeSet<>();
        found.forEach(hit -> numbers.add(hit.path("_source").path("n").longValue()));
        assertThat(numbers).isEqualTo(expected);
        assertThat(rejections.items.get()).as("rejected by a full queue").isPositive();
    }

    /** Of 50 documents one has a bad field and one a name that is taken; of the others every second has no name. */
    private static String textOf(int client, int documents) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < documents; i++) {
            String id = client + "-" + i;
            String number = Long.toString((long) client * documents + i);
            if (i % 50 == 0) {
                text.append("{\"index\":{\"_id\":\"").append(id).append("\"}}\n{\"n\":\"many\"}\n");
            } else if (i % 25 == 0) {
                text.append("{\"create\":{\"_id\":\"taken\"}}\n{\"n\":")
                        .append(number)
                        .append("}\n");
            } else if (i % 2 == 0) {
                text.append("{\"index\":{}}\n{\"n\":").append(number).append("}\n");
            } else {
                text.append("{\"create\":{\"_id\":\"")
                        .append(id)
                        .append("\"}}\r\n{\"n\":")
                        .append(number)
                        .append("}\r\n");
            }
        }
        return text.toString();
    }

    /** Counts what the server rejected. */
    private static final class Rejections extends EventNotifierSupport {

        final AtomicLong items = new AtomicLong();

        @Override
        public void notify(CamelEvent event) {
            if (event instanceof BatchResidueRoundEvent round
                    && round.getFailure() != null
                    && "rejected_execution_exception".equals(round.getFailure().code())) {
                items.addAndGet(round.getRound().residue());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void everyKindOfOperationIsAnsweredAsTheTableSays(Way way) throws Exception {
        server.call("PUT", "/books/_doc/old?refresh=true", "{\"n\":1}");
        String text = "{\"index\":{\"_id\":\"ä\\\"\\\\\\u0031\"}}\n{\"n\":1}\n"
                + "{\"index\":{\"_id\":7}}\n{\"n\":2}\n"
                + "{\"index\":{\"_id\":\"c\",\"op_type\":\"create\"}}\n{\"n\":3}\n"
                + "{\"index\":{\"_id\":\"old\",\"op_type\":\"create\"}}\n{\"n\":3}\n"
                + "{\"delete\":{\"_id\":\"nobody\"}}\n"
                + "{\"update\":{\"_id\":\"nobody else\"}}\n{\"doc\":{\"n\":4}}\n"
                + "{\"update\":{\"_id\":\"u\"}}\n{\"doc\":{\"n\":4},\"doc_as_upsert\":true}\n"
                + "{\"index\":{\"_id\":\"v\",\"version\":5,\"version_type\":\"external\"}}\n{\"n\":5}\n"
                + "{\"index\":{\"_id\":\"v\",\"version\":4,\"version_type\":\"external\"}}\n{\"n\":6}\n"
                + "{\"index\":{\"_index\":\"books\",\"_id\":\"old\"}}\n{\"n\":7}\n"
                + "{\"index\":{\"_id\":\"bad\"}}\n{\"n\":tru}\n"
                + "{\"index\":{\"_id\":\"last\"}}\n{\"n\":8}";

        Ledger ledger = ledger(send(way.uri(SHORT), text));

        assertThat(ledger.landed()).isEqualTo(8);
        Map<Long, String> refused = new TreeMap<>();
        ledger.terminalItems()
                .forEach(item -> refused.put(
                        item.index(),
                        item.failure().status() + " " + item.failure().code()));
        assertThat(refused)
                .isEqualTo(Map.of(
                        3L, "409 version_conflict_engine_exception",
                        5L, "404 document_missing_exception",
                        8L, "409 version_conflict_engine_exception",
                        10L, "400 mapper_parsing_exception"));
        Set<String> ids = new HashSet<>();
        found().forEach(hit -> ids.add(
                hit.get("_id").textValue() + "=" + hit.path("_source").path("n").longValue()));
        assertThat(ids).containsExactlyInAnyOrder("ä\"\\1=1", "7=2", "c=3", "u=4", "v=5", "old=7", "last=8");
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void anActionLineThatTheServerDoesNotTakeIsIsolated(Way way) throws Exception {
        String text = "{\"index\":{\"_id\":\"1\"}}\n{\"n\":1}\n"
                + "{\"index\":{\"_id\":\"2\"}}\n{\"n\":2}\n"
                + "{\"index\":{\"_id\":\"3\",\"colour\":\"red\"}}\n{\"n\":3}\n"
                + "{\"index\":{}}\n{\"n\":4}\n";

        Ledger ledger = ledger(send(way.uri(SHORT), text));

        assertThat(ledger.landed()).isEqualTo(3);
        assertThat(ledger.terminalItems()).singleElement().satisfies(item -> {
            assertThat(item.index()).isEqualTo(2);
            assertThat(item.failure().message()).contains("unknown parameter [colour]");
        });
        assertThat(found()).hasSize(3);
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void aRequestBeyondTheServersLimitIsHalvedAndADocumentBeyondItIsTooLarge(Way way) throws Exception {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 3000; i++) {
            text.append("{\"index\":{\"_id\":\"")
                    .append(i)
                    .append("\"}}\n{\"n\":")
                    .append(i)
                    .append(",\"text\":\"");
            text.append("x".repeat(i == 1234 ? 1_100_000 : 900)).append("\"}\n");
        }

        Ledger ledger = ledger(send(way.uri("batchSize=3000&" + FOREVER), text.toString()));

        assertThat(ledger.terminalItems()).singleElement().satisfies(item -> {
            assertThat(item.index()).isEqualTo(1234);
            assertThat(item.reason()).isEqualTo(Reason.TOO_LARGE);
        });
        assertThat(ledger.landed()).isEqualTo(2999);
        assertThat(found()).hasSize(2999);
    }

    @Test
    void requestsMayBeCompressed() throws Exception {
        Exchange done = template.request(
                Way.HTTP.uri("delegateHeaders=Content-Encoding&bulkApi.generateIds=true"), exchange -> {
                    exchange.getMessage().setHeader("Content-Encoding", "gzip");
                    exchange.getMessage()
                            .setBody(List.of(
                                    Map.of("n", 1), "{\"n\":2}", "{\n\"n\":3\n}".getBytes(StandardCharsets.UTF_8)));
                });

        assertThat(ledger(done).landed()).isEqualTo(3);
        assertThat(found())
                .extracting(hit -> hit.path("_source").path("n").longValue())
                .containsExactlyInAnyOrder(1L, 2L, 3L);
        assertThat(found()).allMatch(hit -> hit.get("_id").textValue().length() == 22);
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void aBlockedIndexRefusesForGood(Way way) throws Exception {
        server.call("PUT", "/books/_block/write", null);

        Ledger ledger = ledger(send(way.uri(SHORT), "{\"index\":{\"_id\":\"1\"}}\n{\"n\":1}\n"));

        assertThat(ledger.terminalItems()).singleElement().satisfies(item -> {
            assertThat(item.failure().status()).isEqualTo(403);
            assertThat(item.failure().code()).isEqualTo("cluster_block_exception");
        });
    }

    private Exchange send(String uri, String text) {
        return template.request(uri, exchange -> exchange.getMessage().setBody(text));
    }

    private static Ledger ledger(Exchange done) {
        return done.getException() == null
                ? done.getProperty(BatchResidueConstants.LEDGER, Ledger.class)
                : BatchResidueException.of(done).orElseThrow().getLedger();
    }

    private static List<JsonNode> found() throws Exception {
        server.call("POST", "/books/_refresh", null);
        List<JsonNode> hits = new ArrayList<>();
        JSON.readTree(server.call("GET", "/books/_search?version=true&size=" + MOST_FOUND, null))
                .path("hits")
                .path("hits")
                .forEach(hits::add);
        return hits;
    }
}
