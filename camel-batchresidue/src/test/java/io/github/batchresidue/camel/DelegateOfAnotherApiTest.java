/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkApiProvider;
import io.github.batchresidue.bulkapi.ItemKey;
import io.github.batchresidue.bulkapi.MissingJars;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A component that speaks one bulk API is no way to another, and one that is not there is named with what to add. */
class DelegateOfAnotherApiTest {

    private static final Map<String, String> DELEGATES = delegates();

    private final CamelContext context = new DefaultCamelContext();

    @AfterEach
    void stop() {
        context.stop();
    }

    private static Map<String, String> delegates() {
        Map<String, String> delegates = new LinkedHashMap<>();
        delegates.put("aws2-ddb:orders", "dynamodb");
        delegates.put("aws2-eventbridge:default", "eventbridge");
        delegates.put("aws2-kinesis-firehose:s", "firehose");
        delegates.put("aws2-kinesis:s", "kinesis");
        delegates.put("aws2-sns:t", "sns");
        delegates.put("aws2-sqs:q", "sqs");
        delegates.put("elasticsearch:c?operation=Bulk", "elasticsearch");
        delegates.put("opensearch:c?operation=Bulk", "elasticsearch");
        delegates.put("salesforce:compositeCreateSObjectCollections?sObjectName=Account", "salesforce");
        return delegates;
    }

    static Stream<String> known() {
        return ServiceLoader.load(BulkApiProvider.class).stream().flatMap(provider -> provider.get().names().stream());
    }

    @ParameterizedTest
    @MethodSource("known")
    void isRefusedWithWhatTheDelegateSpeaks(String bulkApi) {
        DELEGATES.forEach((delegate, spoken) -> {
            boolean isSpoken = spoken.equals(bulkApi) || spoken.equals("elasticsearch") && bulkApi.equals("opensearch");
            if (!isSpoken) {
                assertThatThrownBy(() -> find(delegate, bulkApi))
                        .hasMessage("bulkApi=" + bulkApi + ": the delegate " + delegate + " speaks " + spoken
                                + "; remove bulkApi, or give a delegate that speaks " + bulkApi);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "direct:x",
                "http://127.0.0.1:1/_bulk",
                "https://127.0.0.1:1/_bulk",
                "kafka:topic",
                "aws2-kinesis-firehose:s",
                "mock:aws2-sqs:q"
            })
    void whatMakesCallsOfAnyKindIsFree(String delegate) {
        assertThatCode(() -> find(delegate, "firehose")).doesNotThrowAnyException();
    }

    @Test
    void soIsABean() {
        assertThat(find("aws2-sqs:q", new WordApi())).isInstanceOf(WordApi.class);
    }

    @ParameterizedTest
    @CsvSource({
        "aws2-sqs:q, camel-aws2-sqs",
        "aws2-sqs:q?bulkApi=sqs, camel-aws2-sqs",
        "aws2-kinesis-firehose:s, camel-aws2-kinesis",
        "opensearch:c?operation=Bulk, camel-opensearch",
        "https://host/_bulk, camel-http"
    })
    void aComponentThatIsNotThereIsNamedWithItsCoordinates(String delegate, String artifact) throws Exception {
        assertThat(MissingJars.failureOfRoute(
                        "camel-(aws2|salesforce|elasticsearch|opensearch|http-\\d)", "batchresidue:" + delegate))
                .contains("needs on the class path: org.apache.camel:" + artifact + System.lineSeparator());
    }

    private BulkApi find(String delegate, Object bulkApi) {
        BatchResidueConfiguration configuration = new BatchResidueConfiguration();
        configuration.setBulkApi(bulkApi);
        return BulkApis.find(
                context, new UnmadeEndpoint(delegate), delegate, configuration, ItemKey.FROM_API, new ObjectMapper());
    }
}
