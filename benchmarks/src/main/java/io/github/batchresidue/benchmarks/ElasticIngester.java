/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.benchmarks;

import co.elastic.clients.elasticsearch.ElasticsearchClient;
import co.elastic.clients.elasticsearch._helpers.bulk.BulkIngester;
import co.elastic.clients.elasticsearch._helpers.bulk.BulkListener;
import co.elastic.clients.elasticsearch.core.BulkRequest;
import co.elastic.clients.elasticsearch.core.BulkResponse;
import co.elastic.clients.elasticsearch.core.bulk.BulkOperation;
import co.elastic.clients.util.BinaryData;
import co.elastic.clients.util.ContentType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Elastic's own helper, with the settings it comes with: 1,000 operations per request, one request in flight, and nothing
 * sent again.
 */
final class ElasticIngester implements Contestant {

    private final ElasticsearchClient client;
    private final BulkIngester<Void> ingester;
    private final Arrivals arrivals = new Arrivals();

    ElasticIngester(String baseUrl) {
        client = ElasticsearchClient.of(c -> c.host(baseUrl));
        ingester = BulkIngester.of(i -> i.client(client)
                .maxOperations(BATCH)
                .maxSize(-1)
                .globalSettings(g -> g.index("books"))
                .listener(arrivals));
    }

    @Override
    public void sendDocuments(List<byte[]> json) throws InterruptedException {
        arrivals.expect(json.size());
        for (byte[] document : json) {
            ingester.add(operation(BinaryData.of(document, ContentType.APPLICATION_JSON)));
        }
        ingester.flush();
        arrivals.await();
    }

    @Override
    public void sendMaps(List<Map<String, Object>> maps) throws InterruptedException {
        arrivals.expect(maps.size());
        for (Map<String, Object> map : maps) {
            ingester.add(operation(map));
        }
        ingester.flush();
        arrivals.await();
    }

    /** The ingester knows no texts: action lines are read and left, documents taken. */
    @Override
    public void sendText(InputStream bulkText, int operations) throws IOException, InterruptedException {
        arrivals.expect(operations);
        BufferedReader lines = new BufferedReader(new InputStreamReader(bulkText, StandardCharsets.UTF_8));
        while (lines.readLine() != null) {
            byte[] document = lines.readLine().getBytes(StandardCharsets.UTF_8);
            ingester.add(operation(BinaryData.of(document, ContentType.APPLICATION_JSON)));
        }
        ingester.flush();
        arrivals.await();
    }

    private static BulkOperation operation(Object document) {
        return BulkOperation.of(o -> o.index(i -> i.document(document)));
    }

    @Override
    public void close() throws IOException {
        ingester.close();
        client.close();
    }

    /** Counts what has been answered. */
    private static final class Arrivals implements BulkListener<Void> {

        private long missing;
        private Throwable failure;

        synchronized void expect(long items) {
            missing = items;
        }

        synchronized void await() throws InterruptedException {
            while (missing > 0 && failure == null) {
                wait();
            }
            if (failure != null) {
                throw new IllegalStateException(failure);
            }
        }

        @Override
        public void beforeBulk(long executionId, BulkRequest request, List<Void> contexts) {
            // Only what comes back counts.
        }

        @Override
        public synchronized void afterBulk(
                long executionId, BulkRequest request, List<Void> contexts, BulkResponse response) {
            missing -= response.items().size();
            notifyAll();
        }

        @Override
        public synchronized void afterBulk(
                long executionId, BulkRequest request, List<Void> contexts, Throwable thrown) {
            failure = thrown;
            notifyAll();
        }
    }
}
