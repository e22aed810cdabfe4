/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchresidue.engine.Ledger;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.test.junit5.CamelTestSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.sns.model.PublishBatchRequest;
import software.amazon.awssdk.services.sns.model.PublishBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** Options of the bulk APIs that have a value of no use, or none where one is needed: what is said names them. */
class BulkApiOptionTest extends CamelTestSupport {

    private final AtomicInteger requests = new AtomicInteger();

    @Override
    protected RouteBuilder createRouteBuilder() {
        return new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:service").process(exchange -> requests.incrementAndGet());
            }
        };
    }

    @ParameterizedTest
    @CsvSource({
        "sqs, queueUrl",
        "sqs, operation",
        "sqs, maximumMessageSize",
        "sns, topicArn",
        "sns, maximumMessageSize",
        "kinesis, partitionKey",
        "kinesis, partitionKeyField",
        "kinesis, maxRecordBytes",
        "firehose, appendNewLine",
        "eventbridge, source",
        "eventbridge, detailType",
        "dynamodb, table",
        "salesforce, operation",
        "salesforce, sObjectName",
        "salesforce, sObjectIdName",
    })
    void anEmptyValueIsRefusedAtTheStart(String bulkApi, String option) {
        assertThatThrownBy(() -> start("bulkApi=" + bulkApi + "&bulkApi." + option + "="))
                .hasStackTraceContaining("bulkApi." + option + "=: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "a,b", ","})
    void theFieldOfAPartitionKeyIsNamedByItsOwnOption(String field) {
        assertThatThrownBy(() -> start("bulkApi=kinesis&bulkApi.partitionKeyField=" + field))
                .hasMessage("bulkApi.partitionKeyField=" + field + ": expected one name or JSON pointer");
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders", "https://sns.eu-west-1.amazonaws.com/1/orders"})
    void aTopicIsNamedByItsArn(String topic) {
        assertThatThrownBy(() -> start("bulkApi=sns&bulkApi.topicArn=" + topic))
                .hasMessageStartingWith("bulkApi.topicArn=" + topic + ": expected the ARN of a topic");
    }

    @ParameterizedTest
    @CsvSource({
        "sqs, queueUrl",
        "sqs&bulkApi.operation=deleteMessage, queueUrl",
        "sqs&bulkApi.operation=changeMessageVisibility&bulkApi.visibilityTimeout=5, queueUrl",
        "sns, topicArn",
    })
    void withoutAQueueOrTopicNoRequestGoesOut(String bulkApi, String option) {
        Exchange done =
                template.request("batchresidue:direct:service?bulkApi=" + bulkApi, exchange -> exchange.getMessage()
                        .setBody(List.of("a", "b")));

        assertThat(done.getException()).hasMessageStartingWith("bulkApi." + option + ": give the ");
        Ledger ledger = done.getProperty(BatchResidueConstants.LEDGER, Ledger.class);
        assertThat(ledger).returns(2L, Ledger::pending).returns(0L, Ledger::requests);
        assertThat(ledger.pendingItems())
                .allMatch(item -> item.attempts() == 0)
                .allMatch(item -> item.failure().message().startsWith("bulkApi."));
        assertThat(requests).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sqs", "sns"})
    void aWholeRequestNamesItsOwn(String bulkApi) {
        Object body = bulkApi.equals("sqs")
                ? SendMessageBatchRequest.builder()
                        .queueUrl("http://127.0.0.1/1/q")
                        .entries(SendMessageBatchRequestEntry.builder()
                                .messageBody("a")
                                .build())
                        .build()
                : PublishBatchRequest.builder()
                        .topicArn("arn:aws:sns:eu-west-1:123456789012:t")
                        .publishBatchRequestEntries(
                                PublishBatchRequestEntry.builder().message("a").build())
                        .build();

        template.request("batchresidue:direct:service?bulkApi=" + bulkApi, exchange -> exchange.getMessage()
                .setBody(body));

        assertThat(requests).hasValue(1);
    }

    private void start(String options) throws Exception {
        context.getEndpoint("batchresidue:direct:service?" + options)
                .createProducer()
                .start();
    }
}
