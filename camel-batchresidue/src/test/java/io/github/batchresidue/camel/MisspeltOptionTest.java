/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.camel.CamelContext;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A misspelt option of ours never reaches a delegate that would take it for its own. */
class MisspeltOptionTest {

    private final CamelContext context = new DefaultCamelContext();

    @BeforeEach
    void start() {
        context.getRegistry().bind("words", new WordApi());
        context.addComponent("probe", new ProbeComponent());
        context.start();
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    @ParameterizedTest
    @CsvSource({
        "redeliverDelay, redeliveryDelay",
        "redeliveryDelai, redeliveryDelay",
        "batchSiz, batchSize",
        "batch-size, batchSize",
        "jiter, jitter",
        "maxRedeliveries, ", // too far away to be taken for ours
        "deadLeterUri, deadLetterUri",
        "bulkapi.index, bulkApi.",
        "bulkApis.index, bulkApi.",
        "Delegate.x, delegate.",
        "delegat.x, delegate."
    })
    void anHttpDelegateDoesNotGetTheTypo(String typo, String meant) throws Exception {
        String uri = "batchresidue:http://127.0.0.1:1/x?bulkApi=#words&" + typo + "=1";

        if (meant == null) {
            assertThat(delegateUri(uri)).endsWith("?" + typo + "=1");
        } else {
            assertThatThrownBy(() -> delegateUri(uri))
                    .hasRootCauseInstanceOf(IllegalArgumentException.class)
                    .hasRootCauseMessage("Unknown option " + typo + ": did you mean " + meant
                            + "? If it is for the delegate, write delegate." + typo);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bulkAPI", "BULKAPI", "bulkapi"})
    void caseDoesNotMatter(String name) throws Exception {
        BatchResidueEndpoint endpoint = context.getEndpoint(
                "batchresidue:http://127.0.0.1:1/x?" + name + "=#words", BatchResidueEndpoint.class);
        endpoint.takePlan();

        assertThat(endpoint.getConfiguration().getBulkApi()).isInstanceOf(WordApi.class);
        assertThat(endpoint.getDelegateUri()).isEqualTo("http://127.0.0.1:1/x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"connectTimeout=1", "httpClient.cookieSpec=x", "delegate.jiter=1", "pipeline=a", "index=b"})
    void whatTheDelegateKnowsOrTheUserForcesPasses(String option) throws Exception {
        assertThat(delegateUri("batchresidue:http://127.0.0.1:1/x?bulkApi=#words&" + option))
                .isEqualTo("http://127.0.0.1:1/x?" + option.replace("delegate.", ""));
    }

    @Test
    void aStrictDelegateRefusesWhatItDoesNotKnow() {
        assertThatThrownBy(() -> delegateUri("batchresidue:probe:x?bulkApi=#words&nonsense=1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("delegateUri=probe:x: ")
                .hasMessageContaining("Unknown parameters=[{nonsense=1}]");
    }

    @Test
    void aStrictDelegateGetsTheSameSuggestion() {
        assertThatThrownBy(() -> delegateUri("batchresidue:probe:x?bulkApi=#words&jiter=NONE"))
                .rootCause()
                .hasMessageContaining("did you mean jitter?");
    }

    @Test
    void anUnknownOptionOfABulkApiListsTheKnown() {
        assertThatThrownBy(() -> delegateUri("batchresidue:probe:x?bulkApi=terms&bulkApi.langage=x"))
                .hasMessage("bulkApi.langage: not an option of words; its options: dialect, language");
    }

    private String delegateUri(String uri) throws Exception {
        BatchResidueEndpoint endpoint = context.getEndpoint(uri, BatchResidueEndpoint.class);
        endpoint.takePlan();
        return endpoint.getDelegateUri();
    }
}
