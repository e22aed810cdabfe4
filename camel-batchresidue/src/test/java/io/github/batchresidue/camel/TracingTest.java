/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.opentelemetry2.OpenTelemetryTracer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A trace shows the step, under it a span for each round, and under that the delegate's. */
class TracingTest {

    private static final String STEP = "batchresidue:probe:table?bulkApi=#words&redeliveryDelay=1&jitter=NONE";

    private final CamelContext context = new DefaultCamelContext();
    private final ProbeComponent probe = new ProbeComponent();
    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final SdkTracerProvider provider = SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(exporter))
            .build();
    private final OpenTelemetryTracer tracer = new OpenTelemetryTracer();

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
        provider.close();
    }

    @Test
    void threeRoundsAreThreeSpansUnderTheStep() throws Exception {
        start(STEP);
        answerWith(WordService.taking("ab", "c", "d"));

        send("a", "b", "c", "d");

        SpanData step = only(spans("batchresidue"));
        assertThat(tag(step, "items", "landed", "terminal", "givenUp", "pending", "rounds", "requests"))
                .containsExactly("4", "4", "0", "0", "0", "3", "3");
        assertThat(Integer.parseInt(tag(step, "waitedMillis").get(0))).isGreaterThanOrEqualTo(1 + 2);
        List<SpanData> rounds = spans("batchresidue-round");
        assertThat(rounds).hasSize(3).allSatisfy(round -> {
            assertThat(round.getParentSpanId()).isEqualTo(step.getSpanId());
            assertThat(tag(round, "delegate")).containsExactly("probe:table");
            assertThat(round.getStartEpochNanos()).isGreaterThanOrEqualTo(step.getStartEpochNanos());
            assertThat(round.getEndEpochNanos()).isLessThanOrEqualTo(step.getEndEpochNanos());
        });
        String[] numbers = {"items", "landed", "terminal", "residue", "unknown", "nextWaitMillis", "errorCode"};
        assertThat(tag(rounds.get(0), numbers)).containsExactly("4", "2", "0", "2", "0", "1", "residue");
        assertThat(tag(rounds.get(1), numbers)).containsExactly("2", "1", "0", "1", "0", "2", "residue");
        assertThat(tag(rounds.get(2), numbers)).containsExactly("1", "1", "0", "0", "0", null, null);
        assertThat(tag(rounds.get(0), "waitMillis", "errorStatus")).containsExactly("0", "429");
        assertThat(Integer.parseInt(tag(rounds.get(1), "waitMillis").get(0))).isGreaterThanOrEqualTo(1);
        assertThat(parents(spans("probe"))).containsExactlyElementsOf(ids(rounds));
    }

    @Test
    void spansNestWithoutHeadersToo() throws Exception {
        start(STEP, ContextPropagators.noop());
        answerWith(WordService.taking("a", "b"));

        send("a", "b");

        List<SpanData> rounds = spans("batchresidue-round");
        assertThat(parents(rounds))
                .hasSize(2)
                .containsOnly(only(spans("batchresidue")).getSpanId());
        assertThat(parents(spans("probe"))).containsExactlyElementsOf(ids(rounds));
    }

    @Test
    void theServiceIsToldTheSpanOfItsCall() throws Exception {
        start(STEP);
        WordService service = WordService.taking("a", "b");
        answerWith(service);

        send("a", "b");

        List<String> calls = ids(spans("probe"));
        assertThat(service.headers()).hasSize(2);
        for (int i = 0; i < 2; i++) {
            assertThat(service.headers().get(i).get("traceparent").toString()).contains(calls.get(i));
        }
    }

    @Test
    void concurrentRunsKeepTheirSpansApart() throws Exception {
        start(STEP);
        answerWith(new PatientService());
        List<Future<Exchange>> sent = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            List<String> words = List.of(i + "x1", i + "x2", i + "x3");
            sent.add(context.createProducerTemplate()
                    .asyncSend("direct:in", exchange -> exchange.getMessage().setBody(words)));
        }
        for (Future<Exchange> each : sent) {
            assertThat(each.get(10, TimeUnit.SECONDS).getException()).isNull();
        }

        List<SpanData> steps = spans("batchresidue");
        assertThat(steps).hasSize(20).extracting(SpanData::getTraceId).doesNotHaveDuplicates();
        for (SpanData step : steps) {
            List<SpanData> rounds = ofTrace(step, "batchresidue-round");
            assertThat(parents(rounds)).hasSize(3).containsOnly(step.getSpanId());
            assertThat(rounds.stream().map(round -> tag(round, "items").get(0))).containsExactly("3", "2", "1");
            assertThat(parents(ofTrace(step, "probe"))).containsExactlyElementsOf(ids(rounds));
        }
    }

    @Test
    void requestsSideBySideOnOtherThreadsHaveASpanEach() throws Exception {
        start(STEP + "&batchSize=1&parallelRequests=3");
        CountDownLatch inFlight = new CountDownLatch(3);
        probe.behave((exchange, callback) -> {
            inFlight.countDown();
            try {
                assertThat(inFlight.await(10, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                exchange.setException(e);
            }
            WordService.landingAll().process(exchange);
            callback.done(true);
            return true;
        });

        send("a", "b", "c");

        SpanData step = only(spans("batchresidue"));
        List<SpanData> rounds = spans("batchresidue-round");
        assertThat(parents(rounds)).hasSize(3).containsOnly(step.getSpanId());
        assertThat(parents(spans("probe"))).containsExactlyInAnyOrderElementsOf(ids(rounds));
        long lastStart =
                rounds.stream().mapToLong(SpanData::getStartEpochNanos).max().orElseThrow();
        assertThat(rounds)
                .allSatisfy(round -> assertThat(round.getEndEpochNanos()).isGreaterThanOrEqualTo(lastStart));
    }

    @Test
    void answersFromOtherThreadsEndTheRightSpans() throws Exception {
        start(STEP);
        PatientService service = new PatientService();
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            probe.behave((exchange, callback) -> {
                threads.execute(() -> {
                    service.process(exchange);
                    callback.done(false);
                });
                return false;
            });
            for (int i = 0; i < 5; i++) {
                send(i + "x1", i + "x2", i + "x3");
            }
        } finally {
            threads.shutdown();
        }

        List<SpanData> steps = spans("batchresidue");
        assertThat(steps).hasSize(5);
        for (SpanData step : steps) {
            List<SpanData> rounds = ofTrace(step, "batchresidue-round");
            assertThat(parents(rounds)).hasSize(3).containsOnly(step.getSpanId());
            assertThat(parents(ofTrace(step, "probe"))).containsExactlyElementsOf(ids(rounds));
        }
    }

    @Test
    void deadLettersAreUnderTheStepToo() throws Exception {
        start(STEP + "&deadLetterUri=mock:dead");
        answerWith(WordService.answering(word -> "mapping"));

        send("t");

        assertThat(parents(spans("mock")))
                .containsExactly(only(spans("batchresidue")).getSpanId());
    }

    @Test
    void aRequestThatNobodyAnsweredEndsInError() throws Exception {
        start(STEP);
        CountDownLatch asked = new CountDownLatch(1);
        probe.behave((exchange, callback) -> {
            asked.countDown();
            return false;
        });
        Future<Exchange> sent = context.createProducerTemplate()
                .asyncSend("direct:in", exchange -> exchange.getMessage().setBody(List.of("a")));
        assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();

        context.getRouteController().stopRoute("in");
        sent.get(10, TimeUnit.SECONDS);

        SpanData round = only(spans("batchresidue-round"));
        assertThat(round.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(round.getParentSpanId())
                .isEqualTo(only(spans("batchresidue")).getSpanId());
    }

    @Test
    void whatTheTracerLeavesOutHasNoRoundsEither() throws Exception {
        tracer.setExcludePatterns("batchresidue*");
        start(STEP);
        answerWith(WordService.landingAll());

        send("a");

        assertThat(spans("batchresidue")).isEmpty();
        assertThat(spans("batchresidue-round")).isEmpty();
        assertThat(spans("probe")).hasSize(1);
    }

    @Test
    void noSpanOfOursTellsASecret() throws Exception {
        start("batchresidue:probe://me:hush@host?bulkApi=#words&password=hush&accessKey=RAW(a)hush)");
        answerWith(WordService.landingAll());

        send("a");

        assertThat(spans("batchresidue")).hasSize(1);
        assertThat(spans("batchresidue-round")).hasSize(1);
        assertThat(exporter.getFinishedSpanItems())
                .filteredOn(span -> span.getName().startsWith("batchresidue"))
                .extracting(span -> span.getAttributes().toString())
                .allMatch(text -> text.contains("host") && !text.contains("hush"));
    }

    private void start(String step) throws Exception {
        start(step, ContextPropagators.create(W3CTraceContextPropagator.getInstance()));
    }

    private void start(String step, ContextPropagators propagators) throws Exception {
        context.getRegistry().bind("tracer", provider.get("test"));
        context.getRegistry().bind("propagators", propagators);
        tracer.setCamelContext(context);
        tracer.init(context);
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:in").routeId("in").to(step);
            }
        });
        context.start();
    }

    private void answerWith(org.apache.camel.Processor service) {
        probe.behave((exchange, callback) -> {
            try {
                service.process(exchange);
            } catch (Exception e) {
                exchange.setException(e);
            }
            callback.done(true);
            return true;
        });
    }

    private void send(String... words) {
        Exchange done = context.createProducerTemplate()
                .request("direct:in", exchange -> exchange.getMessage().setBody(words));
        assertThat(done.getException()).isNull();
    }

    /** In the order in which they began. */
    private List<SpanData> spans(String name) {
        return exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .sorted(Comparator.comparing(SpanData::getStartEpochNanos))
                .toList();
    }

    private List<SpanData> ofTrace(SpanData step, String name) {
        return spans(name).stream()
                .filter(span -> span.getTraceId().equals(step.getTraceId()))
                .toList();
    }

    private static SpanData only(List<SpanData> spans) {
        assertThat(spans).hasSize(1);
        return spans.get(0);
    }

    private static List<String> ids(List<SpanData> spans) {
        return spans.stream().map(SpanData::getSpanId).toList();
    }

    private static List<String> parents(List<SpanData> spans) {
        return spans.stream().map(SpanData::getParentSpanId).toList();
    }

    private static List<String> tag(SpanData span, String... names) {
        List<String> values = new ArrayList<>();
        for (String name : names) {
            values.add(span.getAttributes().get(AttributeKey.stringKey("camel.batchresidue." + name)));
        }
        return values;
    }
}
