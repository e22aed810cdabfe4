/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkApiContext;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.ItemKey;
import io.github.batchresidue.bulkapi.elasticsearch.ElasticsearchProvider;
import io.github.batchresidue.engine.Reply;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.hc.core5.http.HttpEntity;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** Reading items, building a request and reading verdicts, for {@code _bulk}. One operation is one item. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class BulkApiBenchmark {

    private static final int ITEMS = 1000;

    /** The API of an endpoint, and 1,000 documents. */
    @State(Scope.Benchmark)
    public static class Items {

        @Param({"126", "2500"})
        int size;

        private CamelContext context;
        private Endpoint delegate;
        private BulkApi plain;
        private BulkApi withAction;
        private Documents documents;
        private byte[] text;
        private List<BulkItem> items;

        @Setup
        public void make() throws Exception {
            context = new DefaultCamelContext();
            delegate = context.getEndpoint("http://127.0.0.1/books/_bulk");
            plain = api(Map.of());
            withAction = api(Map.of("action", "index"));
            documents = new Documents(ITEMS, size);
            text = documents.bulkText().readAllBytes();
            items = new ArrayList<>();
            for (byte[] json : documents.json()) {
                items.add(withAction.item(json));
            }
        }

        private BulkApi api(Map<String, String> options) {
            return new ElasticsearchProvider()
                    .create(new BulkApiContext(context, delegate, options, ItemKey.FROM_API, new ObjectMapper()));
        }

        @TearDown
        public void stop() {
            context.stop();
        }
    }

    /** Answers for 1,000 items. */
    @State(Scope.Benchmark)
    public static class Answers {

        @Param
        AnswerText text;

        @Param({"0", "10"})
        int percentRejected;

        private byte[] answer;

        @Setup
        public void make() {
            BitSet rejected = new BitSet();
            for (int i = 0; i < ITEMS; i++) {
                rejected.set(i, i % 100 < percentRejected);
            }
            answer = text.of(ITEMS, rejected);
        }
    }

    @Benchmark
    @OperationsPerInvocation(ITEMS)
    public void readText(Items state, Blackhole hole) throws InvalidItemException {
        readWhole(state, new ByteArrayInputStream(state.text), hole);
    }

    @Benchmark
    @OperationsPerInvocation(ITEMS)
    public void readStream(Items state, Blackhole hole) throws InvalidItemException {
        readWhole(state, new BufferedInputStream(state.documents.bulkText()), hole);
    }

    private static void readWhole(Items state, Object body, Blackhole hole) throws InvalidItemException {
        Iterator<?> operations = state.plain.wholeRequest(body);
        while (operations.hasNext()) {
            hole.consume(state.plain.item(operations.next()));
        }
    }

    /** Documents that may be operations written as JSON objects: each has to be looked at. */
    @Benchmark
    @OperationsPerInvocation(ITEMS)
    public void readDocuments(Items state, Blackhole hole) throws InvalidItemException {
        read(state.plain, state.documents.json(), hole);
    }

    @Benchmark
    @OperationsPerInvocation(ITEMS)
    public void readDocumentsWithAction(Items state, Blackhole hole) throws InvalidItemException {
        read(state.withAction, state.documents.json(), hole);
    }

    @Benchmark
    @OperationsPerInvocation(ITEMS)
    public void readMaps(Items state, Blackhole hole) throws InvalidItemException {
        read(state.withAction, state.documents.maps(), hole);
    }

    private static void read(BulkApi api, List<?> elements, Blackhole hole) throws InvalidItemException {
        for (Object element : elements) {
            hole.consume(api.item(element));
        }
    }

    @Benchmark
    @OperationsPerInvocation(ITEMS)
    public void build(Items state) throws Exception {
        Exchange exchange = state.delegate.createExchange();
        state.withAction.write(state.items, exchange);
        try (HttpEntity entity = exchange.getMessage().getBody(HttpEntity.class)) {
            entity.writeTo(OutputStream.nullOutputStream());
        }
    }

    @Benchmark
    @OperationsPerInvocation(ITEMS)
    public Reply readVerdicts(Items state, Answers answers) {
        Exchange exchange = state.delegate.createExchange();
        exchange.getMessage().setBody(new ByteArrayInputStream(answers.answer));
        return state.withAction.read(state.items, exchange);
    }
}
