/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.apache.camel.catalog.CamelCatalog;
import org.apache.camel.catalog.DefaultCamelCatalog;
import org.apache.camel.catalog.EndpointValidationResult;
import org.apache.camel.tooling.model.ComponentModel;
import org.junit.jupiter.api.Test;

/** What Camel's tools know of the component. */
class CatalogTest {

    private final CamelCatalog catalog = new DefaultCamelCatalog();

    CatalogTest() throws IOException {
        try (InputStream json = BatchResidueComponent.class.getResourceAsStream(
                "/META-INF/io/github/batchresidue/camel/batchresidue.json")) {
            catalog.addComponent(
                    "batchresidue",
                    BatchResidueComponent.class.getName(),
                    new String(json.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void aUriWithOptionsOfTheDelegateIsValid() {
        EndpointValidationResult result = catalog.validateEndpointProperties(
                "batchresidue:aws2-ddb:orders?region=eu-west-1&batchSize=5&redeliveryDelay=2s&jitter=FULL"
                        + "&bulkApi.index=books&delegate.lazyStartProducer=true",
                false,
                false,
                true);

        assertThat(result.isSuccess()).as(result.summaryErrorMessage(true)).isTrue();
        assertThat(result.getLenient()).containsExactlyInAnyOrder("region", "delegate.lazyStartProducer");
    }

    @Test
    void badValuesOfOurOptionsAreNot() {
        EndpointValidationResult result = catalog.validateEndpointProperties(
                "batchresidue:direct:x?batchSize=many&jitter=SOME&redeliveryDelay=soon&retainLanded=maybe&result=x");

        assertThat(result.getInvalidInteger()).containsOnlyKeys("batchSize");
        assertThat(result.getInvalidDuration()).containsOnlyKeys("redeliveryDelay");
        assertThat(result.getInvalidEnum()).containsOnlyKeys("jitter", "retainLanded", "result");
    }

    @Test
    void everyNumberAndDurationIsCheckedAsText() {
        assertThat(catalog.componentModel("batchresidue").getEndpointOptions())
                .filteredOn(option ->
                        option.getType().equals("integer") || option.getType().equals("duration"))
                .extracting(option -> option.getName())
                .containsExactlyInAnyOrderElementsOf(OptionChecks.checkedAsText());
    }

    @Test
    void itTellsWhatItIs() {
        ComponentModel model = catalog.componentModel("batchresidue");

        assertThat(model.isAsync()).isTrue();
        assertThat(model.isProducerOnly()).isTrue();
        assertThat(model.isLenientProperties()).isTrue();
        assertThat(model.getSyntax()).isEqualTo("batchresidue:delegateUri");
        assertThat(model.getEndpointOptions()).allSatisfy(option -> {
            assertThat(option.getDescription()).as(option.getName()).isNotBlank();
            assertThat(option.getGroup()).as(option.getName()).isIn("common", "producer", "producer (advanced)");
        });
        assertThat(model.getEndpointHeaders())
                .extracting(header -> header.getName())
                .contains("CamelBatchResidueItemCount", "CamelBatchResidueReason", "CamelBatchResidueOriginExchangeId")
                .doesNotContain("CamelBatchResidueLedger");
    }
}
