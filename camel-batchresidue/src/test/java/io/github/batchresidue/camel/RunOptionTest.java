/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.bulkapi.ItemClassifier;
import io.github.batchresidue.engine.BackOff;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.Verdict;
import java.util.List;
import java.util.function.Function;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.processor.errorhandler.RedeliveryPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Options that say how items are told, kept apart and sent again. */
class RunOptionTest {

    private final CamelContext context = new DefaultCamelContext();

    @AfterEach
    void stop() {
        context.stop();
    }

    @Test
    void aPolicyOfCamelsIsTakenAsItIs() throws Exception {
        RedeliveryPolicy policy = new RedeliveryPolicy();
        policy.setMaximumRedeliveries(3);
        policy.setDelayPattern("1:20;3:60");
        context.getRegistry().bind("policy", policy);
        WordService service = WordService.throttlingAll();

        Ledger ledger = run(service, "redeliveryPolicy=#policy&throwExceptionOnUndelivered=false", List.of("a"));

        assertThat(service.requests()).hasSize(4);
        assertThat(ledger.timeline().get(1).waitMillis()).isGreaterThanOrEqualTo(20);
        assertThat(ledger.timeline().get(3).waitMillis()).isGreaterThanOrEqualTo(60);
        BackOff backOff = context.getEndpoint(
                        "batchresidue:direct:table0?bulkApi=#words&redeliveryPolicy=#policy",
                        BatchResidueEndpoint.class)
                .takePlan()
                .options(true, false)
                .backOff();
        assertThat(backOff.delayMillis(1, 0, 0)).isEqualTo(20);
        assertThat(backOff.delayMillis(2, 20, 0)).isEqualTo(20);
        assertThat(backOff.delayMillis(3, 20, 0)).isEqualTo(60);
    }

    @Test
    void aPolicyWithoutRedeliveriesHasNone() throws Exception {
        context.getRegistry().bind("policy", new RedeliveryPolicy());
        WordService service = WordService.throttlingAll();

        run(service, "redeliveryPolicy=#policy&throwExceptionOnUndelivered=false", List.of("a"));

        assertThat(service.requests()).hasSize(1);
    }

    @Test
    void theComponentGivesDefaults() throws Exception {
        BatchResidueConfiguration defaults = context.getComponent("batchresidue", BatchResidueComponent.class)
                .getConfiguration();
        defaults.setMaximumRedeliveries(2);
        defaults.setRedeliveryDelay(1L);
        defaults.setThrowExceptionOnUndelivered(false);
        WordService service = WordService.throttlingAll();

        run(service, "batchSize=1", List.of("a"));
        assertThat(service.requests()).hasSize(3);
        assertThat(defaults.getBatchSize()).isNull();
    }

    @Test
    void anOptionOfTheEndpointGoesBeforeThem() throws Exception {
        context.getComponent("batchresidue", BatchResidueComponent.class)
                .getConfiguration()
                .setMaximumRedeliveries(2);
        WordService service = WordService.throttlingAll();

        run(service, "maximumRedeliveries=0&throwExceptionOnUndelivered=false", List.of("a"));

        assertThat(service.requests()).hasSize(1);
    }

    @Test
    void errorRulesGoBeforeTheApisOwn() throws Exception {
        WordService service = WordService.answering(word -> word);

        Ledger ledger = run(
                service,
                "landedErrors=say:dup*,shout:bad&retryableErrors=4XX&terminalErrors=resi*&maximumRedeliveries=1"
                        + "&redeliveryDelay=1&throwExceptionOnUndelivered=false",
                List.of("duplicate", "bad", "residue", "landed"));

        assertThat(ledger.landedItems())
                .extracting(item -> item.body())
                .containsExactlyInAnyOrder("duplicate", "landed");
        assertThat(ledger.givenUpItems()).extracting(item -> item.body()).containsExactly("bad");
        assertThat(ledger.terminalItems()).extracting(item -> item.body()).containsExactly("residue");
        assertThat(service.requests()).hasSize(2);
    }

    @Test
    void theItemClassifierHasTheLastWord() throws Exception {
        ItemClassifier classifier = (item, verdict) -> item.content().body().equals("b")
                ? Verdict.landed()
                : item.content().body().equals("c") ? Verdict.terminal(null) : verdict;
        context.getRegistry().bind("classifier", classifier);

        Ledger ledger = run(
                WordService.answering(word -> word.equals("b") ? "bad" : "landed"),
                "itemClassifier=#classifier&retryableErrors=bad&throwExceptionOnUndelivered=false",
                List.of("a", "b", "c"));

        assertThat(ledger.landedItems()).extracting(item -> item.body()).containsExactly("a", "b");
        assertThat(ledger.terminalItems()).extracting(item -> item.body()).containsExactly("c");
    }

    @Test
    void itemsOfOneKeyNeverShareARequest() throws Exception {
        List<String> body = List.of("ax", "by", "ay", "ax");
        Function<String, Object> lastLetter = word -> word.charAt(1);
        context.getRegistry().bind("lastLetter", lastLetter);

        assertThat(requests("words", "", body)).containsExactly(List.of("ax", "by", "ay"), List.of("ax"));
        assertThat(requests("words", "&itemKey=first", body))
                .containsExactly(List.of("ax", "by"), List.of("ay"), List.of("ax"));
        assertThat(requests("words", "&itemKey=first,/last", body))
                .containsExactly(List.of("ax", "by", "ay"), List.of("ax"));
        assertThat(requests("words", "&itemKey=#lastLetter", body))
                .containsExactly(List.of("ax", "by"), List.of("ay", "ax"));
        assertThat(requests("words", "&itemKey=none", body)).containsExactly(body);
    }

    @Test
    void theBulkApiIsToldFromTheDelegate() throws Exception {
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:wordtable").process(WordService.landingAll());
            }
        });
        context.start();

        Object ledger = context.createProducerTemplate()
                .requestBody("batchresidue:direct:wordtable?bulkApi.language=la", List.of("a"));

        assertThat(ledger).isInstanceOf(Ledger.class);
        assertThat(WordApiProvider.MADE.get("direct://wordtable").options()).containsEntry("language", "la");
    }

    @Test
    void aUserMayForceWhatHappensToUnknownItems() throws Exception {
        context.getRegistry().bind("unsafe", new WordApi().unsafeToResend());
        String often = "&maximumRedeliveries=1&redeliveryDelay=1&throwExceptionOnUndelivered=false";

        assertThat(requestsOfUnknown("#unsafe", often)).isEqualTo(1);
        assertThat(requestsOfUnknown("#unsafe", often + "&onUnknownOutcome=RETRY"))
                .isEqualTo(2);
        assertThat(requestsOfUnknown("words", often)).isEqualTo(2);
        assertThat(requestsOfUnknown("words", often + "&onUnknownOutcome=GIVE_UP"))
                .isEqualTo(1);
    }

    private int requestsOfUnknown(String bulkApi, String options) throws Exception {
        WordService service = WordService.answering(word -> "unknown");
        run(service, bulkApi, options.substring(1), List.of("a"));
        return service.requests().size();
    }

    private List<List<String>> requests(String bulkApi, String options, List<String> body) throws Exception {
        WordService service = WordService.landingAll();
        run(service, bulkApi, "batchSize=10" + options, body);
        return service.requests();
    }

    private Ledger run(WordService service, String options, Object body) throws Exception {
        context.getRegistry().bind("words", new WordApi());
        return run(service, "#words", options, body);
    }

    private Ledger run(WordService service, String bulkApi, String options, Object body) throws Exception {
        String name = "direct:table" + context.getRoutes().size();
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from(name).process(service);
            }
        });
        context.start();
        Exchange done = context.createProducerTemplate()
                .request(
                        "batchresidue:" + name + "?bulkApi=" + bulkApi + "&" + options,
                        exchange -> exchange.getMessage().setBody(body));
        assertThat(done.getException()).isNull();
        return done.getMessage().getBody(Ledger.class);
    }
}
