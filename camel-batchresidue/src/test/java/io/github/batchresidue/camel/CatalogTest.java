/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.camel.catalog.CamelCatalog;
import org.apache.camel.catalog.DefaultCamelCatalog;
import org.apache.camel.catalog.EndpointValidationResult;
import org.apache.camel.tooling.model.ComponentModel;
import org.apache.camel.tooling.model.ComponentModel.EndpointOptionModel;
import org.junit.jupiter.api.Test;

/** What Camel's tools know of the component. */
class CatalogTest {

    private final CamelCatalog catalog = new DefaultCamelCatalog();

    CatalogTest() {
        catalog.addComponent("batchresidue", BatchResidueComponent.class.getName());
    }

    @Test
    void itIsFoundByItsNameAndByWhatItIsFor() {
        assertThat(catalog.findComponentNames()).contains("batchresidue");
        assertThat(catalog.findComponentNames("database")).contains("batchresidue");
        assertThat(catalog.endpointComponentName("batchresidue:aws2-ddb:orders?batchSize=5"))
                .isEqualTo("batchresidue");
        assertThat(catalog.componentJSonSchema("batchresidue")).contains("\"scheme\": \"batchresidue\"");
    }

    @Test
    void aUriIsTakenApartAndPutTogether() throws URISyntaxException {
        String uri = "batchresidue:direct:orders?batchSize=5&jitter=FULL";

        Map<String, String> properties = catalog.endpointProperties(uri);

        assertThat(properties)
                .containsOnly(entry("delegateUri", "direct:orders"), entry("batchSize", "5"), entry("jitter", "FULL"));
        assertThat(catalog.asEndpointUri("batchresidue", properties, false)).isEqualTo(uri);
        assertThat(catalog.endpointLenientProperties("batchresidue:direct:orders?batchSize=5&block=false"))
                .containsOnly(entry("block", "false"));
    }

    @Test
    void aUriWithPlaceholdersIsValid() {
        EndpointValidationResult result = catalog.validateEndpointProperties(
                "batchresidue:{{table}}?batchSize={{size}}&redeliveryDelay={{?delay}}&itemClassifier=#bean");

        assertThat(result.isSuccess()).as(result.summaryErrorMessage(true)).isTrue();
    }

    /** Whoever says strict gets told which options are none of ours. */
    @Test
    void aStrictCheckNamesTheDelegatesOptions() {
        EndpointValidationResult result =
                catalog.validateEndpointProperties("batchresidue:direct:orders?batchSize=5&block=false", true);

        assertThat(result.getUnknown()).containsExactly("block");
    }

    @Test
    void itIsNotForReading() {
        EndpointValidationResult result =
                catalog.validateEndpointProperties("batchresidue:direct:orders?batchSize=5", false, true, false);

        assertThat(result.getNotConsumerOnly()).contains("batchSize");
    }

    /** As the contract has them; an option without one takes it from the bulk API, from other options or from nothing. */
    @Test
    void theDefaultsAreThoseOfTheContract() {
        Map<String, Object> defaults = new TreeMap<>();
        for (EndpointOptionModel option : catalog.componentModel("batchresidue").getEndpointParameterOptions()) {
            if (option.getDefaultValue() != null) {
                defaults.put(option.getName(), String.valueOf(option.getDefaultValue()));
            }
        }

        assertThat(defaults)
                .containsExactlyInAnyOrderEntriesOf(Map.ofEntries(
                        entry("parallelRequests", "1"),
                        entry("maximumRedeliveries", "10"),
                        entry("countOnlyStalledRounds", "false"),
                        entry("redeliveryDelay", "1000"),
                        entry("backOffMultiplier", "2.0"),
                        entry("maximumRedeliveryDelay", "60000"),
                        entry("jitter", "EQUAL"),
                        entry("redeliveryTimeout", "0"),
                        entry("onTransportFailure", "FAIL"),
                        entry("onUnknownOutcome", "AUTO"),
                        entry("isolateRejected", "true"),
                        entry("deadLetterGrouped", "false"),
                        entry("throwExceptionOnUndelivered", "true"),
                        entry("result", "LEDGER"),
                        entry("retainLanded", "auto"),
                        entry("lazyStartProducer", "false")));
    }

    @Test
    void everyOptionOfAnEndpointIsADefaultOfTheComponent() {
        ComponentModel model = catalog.componentModel("batchresidue");

        assertThat(model.getComponentOptions()).allSatisfy(option -> {
            assertThat(option.getDescription()).as(option.getName()).isNotBlank();
            assertThat(option.getGroup()).as(option.getName()).isNotBlank();
        });
        for (EndpointOptionModel option : model.getEndpointParameterOptions()) {
            assertThat(model.getComponentOptions())
                    .filteredOn(property -> property.getName().equals(option.getName()))
                    .as(option.getName())
                    .singleElement()
                    .satisfies(property -> {
                        assertThat(property.getType()).isEqualTo(option.getType());
                        assertThat(property.getDefaultValue()).isEqualTo(option.getDefaultValue());
                    });
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
    void everyNumberDurationAndWordIsCheckedAsText() {
        assertThat(catalog.componentModel("batchresidue").getComponentOptions())
                .filteredOn(option -> !option.getType().equals("object")
                        && !option.getType().equals("string")
                        // Two are Camel's own; the third Camel binds as it stands, and we check it then.
                        && !List.of("lazyStartProducer", "autowiredEnabled", "retainLanded")
                                .contains(option.getName()))
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
