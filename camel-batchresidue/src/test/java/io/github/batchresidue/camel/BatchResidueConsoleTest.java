/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.console.DevConsole;
import org.apache.camel.console.DevConsole.MediaType;
import org.apache.camel.console.DevConsoleRegistry;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.util.json.Jsoner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The dev console, as Camel finds and shows it. */
class BatchResidueConsoleTest {

    private final CamelContext context = new DefaultCamelContext();
    private final ProbeComponent probe = new ProbeComponent();

    @BeforeEach
    void bind() {
        context.disableJMX();
        context.setDevConsole(true);
        context.getRegistry().bind("words", new WordApi());
        context.addComponent("probe", probe);
        context.getShutdownStrategy().setTimeUnit(TimeUnit.MILLISECONDS);
        context.getShutdownStrategy().setTimeout(200);
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    @Test
    void showsEndpointsAndTheirTotals() throws Exception {
        start("batchresidue:probe:table?bulkApi=#words&redeliveryDelay=1&jitter=NONE&password=hush");
        answerWith(WordService.taking("a", "b"));

        Exchange done = context.createProducerTemplate()
                .request("direct:in", exchange -> exchange.getMessage().setBody(List.of("a", "b", "c")));

        assertThat(done.getException()).isNull();
        JsonNode endpoint = json(Map.of()).get("endpoints").get(0);
        assertThat(endpoint.get("endpoint").asText()).isEqualTo("batchresidue://probe:table");
        assertThat(endpoint.get("delegate").asText()).isEqualTo("probe:table");
        assertThat(endpoint.get("items").asLong()).isEqualTo(3);
        assertThat(endpoint.get("landed").asLong()).isEqualTo(3);
        assertThat(endpoint.get("requests").asLong()).isEqualTo(3);
        assertThat(endpoint.get("rounds").asLong()).isEqualTo(3);
        assertThat(endpoint.get("runs")).isEmpty();
        assertThat(text(Map.of()))
                .contains("batchresidue://probe:table", "landed=3", "runsInProgress=0")
                .doesNotContain("hush");
        assertThat(json(Map.of()).toString()).doesNotContain("hush");
    }

    @Test
    void tellsEndpointsOfOneDelegateApart() throws Exception {
        String step = "batchresidue:probe:table?bulkApi=words&password=hush";
        start(
                step + "&bulkApi.language=la&deadLetterUri=RAW(mock:dead?name=hush&retainFirst=1)",
                step + "&bulkApi.language=el",
                step + "&bulkApi.language=el&value=1");

        JsonNode endpoints = json(Map.of()).get("endpoints");
        assertThat(endpoints)
                .extracting(endpoint -> endpoint.get("options").toString())
                .containsExactly(
                        "{\"bulkApi\":\"words\",\"bulkApi.language\":\"el\"}",
                        "{\"bulkApi\":\"words\",\"bulkApi.language\":\"el\"}",
                        "{\"bulkApi\":\"words\",\"bulkApi.language\":\"la\",\"deadLetterUri\":\"mock:dead\"}");
        assertThat(endpoints)
                .extracting(endpoint -> endpoint.get("id").asText())
                .doesNotHaveDuplicates();
        assertThat(text(Map.of()).lines().filter(line -> !line.startsWith(" ")))
                .doesNotHaveDuplicates()
                .hasSize(3)
                .last()
                .asString()
                .startsWith("batchresidue://probe:table?bulkApi=words&bulkApi.language=la&deadLetterUri=mock:dead (");
        assertThat(text(Map.of()) + endpoints).doesNotContain("hush");
    }

    @Test
    void namesALimitThatIsNone() throws Exception {
        start("batchresidue:probe:table?bulkApi=#words");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> text(Map.of("limit", "x")))
                .withMessage("limit=x: expected a whole number");
    }

    @Test
    void showsRunsInProgressWithTheirLastRounds() throws Exception {
        int rounds = RunProgress.LATEST + 2;
        start("batchresidue:probe:table?bulkApi=#words&redeliveryDelay=1&backOffMultiplier=1&jitter=NONE"
                + "&maximumRedeliveries=100");
        WordService service = WordService.answering(word -> word.equals("a") ? "landed" : "residue");
        probe.behave((exchange, callback) -> {
            if (service.requests().size() == rounds) {
                return false; // Never answered, so that the run stands still.
            }
            service.process(exchange);
            callback.done(true);
            return true;
        });

        Future<Exchange> first = send("a", "b");
        await().untilAsserted(() -> assertThat(run(0).get("inFlight").asInt()).isEqualTo(1));

        JsonNode run = run(0);
        await().untilAsserted(() -> assertThat(service.requests()).hasSize(rounds));
        assertThat(run.get("routeId").asText()).isEqualTo("in");
        assertThat(run.get("exchangeId").asText()).isNotEmpty();
        assertThat(run.get("timeline")).hasSizeLessThanOrEqualTo(RunProgress.LATEST);
        await().untilAsserted(() ->
                assertThat(run(0).get("timeline").get(0).get("items").asInt()).isEqualTo(1));
        JsonNode round = run(0).get("timeline").get(RunProgress.LATEST - 1);
        assertThat(round.get("landed").asInt()).isZero();
        assertThat(round.get("residue").asInt()).isEqualTo(1);
        assertThat(round.get("nextWaitMillis").asInt()).isEqualTo(1);
        assertThat(round.get("status").asInt()).isEqualTo(429);
        assertThat(round.get("code").asText()).isEqualTo("residue");
        assertThat(text(Map.of())).contains("exchange ", "routeId=in", "residue=1", "nextWaitMillis=1");

        Future<Exchange> second = send("c");
        await().until(() -> runs(Map.of()).size() == 2);
        assertThat(run(0).get("exchangeId")).isEqualTo(run.get("exchangeId"));
        assertThat(runs(Map.of("limit", "1"))).hasSize(1);
        assertThat(json(Map.of("limit", "0")).get("endpoints")).isEmpty();

        context.getRouteController().stopRoute("in");
        first.get(10, TimeUnit.SECONDS);
        second.get(10, TimeUnit.SECONDS);
        assertThat(runs(Map.of())).isEmpty();
    }

    private Future<Exchange> send(String... words) {
        return context.createProducerTemplate()
                .asyncSend("direct:in", exchange -> exchange.getMessage().setBody(words));
    }

    private JsonNode run(int index) throws Exception {
        return runs(Map.of()).get(index);
    }

    private JsonNode runs(Map<String, Object> options) throws Exception {
        return json(options).get("endpoints").get(0).get("runs");
    }

    /** As Camel writes it. */
    private JsonNode json(Map<String, Object> options) throws Exception {
        return new ObjectMapper().readTree(Jsoner.serialize(console().call(MediaType.JSON, options)));
    }

    private String text(Map<String, Object> options) {
        return (String) console().call(MediaType.TEXT, options);
    }

    private DevConsole console() {
        DevConsoleRegistry consoles = context.getCamelContextExtension().getContextPlugin(DevConsoleRegistry.class);
        consoles.loadDevConsoles();
        return consoles.getConsole("batchresidue").orElseThrow();
    }

    private void start(String... steps) throws Exception {
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:in").routeId("in").to(steps);
            }
        });
        context.start();
    }

    private void answerWith(WordService service) {
        probe.behave((exchange, callback) -> {
            service.process(exchange);
            callback.done(true);
            return true;
        });
    }
}
