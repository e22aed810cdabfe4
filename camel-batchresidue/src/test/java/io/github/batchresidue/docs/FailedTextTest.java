/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.test.junit5.CamelTestSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.SdkPojo;

/** What is left of a text goes out again as it went out at first. */
class FailedTextTest extends CamelTestSupport {

    private static final Path PAGE = Path.of("").toAbsolutePath().resolveSibling("src-docs/errors-and-resume.adoc");

    private final List<String> requests = new ArrayList<>();

    @Override
    protected RouteBuilder createRouteBuilder() throws Exception {
        context.addRoutes(new FailedTextRoute());
        return new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:service").errorHandler(noErrorHandler()).process(exchange -> {
                    Object request = exchange.getMessage().getBody();
                    requests.add(
                            request instanceof SdkPojo
                                    ? request.toString()
                                    : exchange.getMessage().getBody(String.class));
                    throw new IOException("down");
                });
            }
        };
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "sqs&bulkApi.queueUrl=http://127.0.0.1/1/q | 'a \"text\"', {'MessageBody':'b','DelaySeconds':3}, {'order':1.0}",
                "sns&bulkApi.topicArn=arn:aws:sns:eu:1:t | 'a text', {'Message':'b','Subject':'s'}, {'order':1.0}",
                "kinesis&bulkApi.partitionKey=k | 'a text', {'order': [1,¶ 2]}",
                "firehose | 'a text', {'order': [1,¶ 2]}",
                "eventbridge&bulkApi.source=s&bulkApi.detailType=d | {'order':1.0}, {'a':{'b':¶'c'}}",
                "dynamodb&bulkApi.table=t&itemKey=id | {'id':'a'}, {'PutRequest':{'Item':{'id':{'S':'b'}}}}",
                "salesforce&bulkApi.sObjectName=Account | {'Name':'a'}, {'Name':'b'}",
                "elasticsearch&bulkApi.index=books | {'isbn':'1'}, {'isbn':'2'}",
            })
    void itGoesOutAgainAsAtFirst(String bulkApi, String elements) throws Exception {
        sendTwice(bulkApi, "[" + elements.replace('\'', '"').replace('¶', '\n') + "]");
    }

    private void sendTwice(String bulkApi, String text) throws Exception {
        String step = "batchresidue:direct:service?bulkApi=" + bulkApi;
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:today")
                        .errorHandler(deadLetterChannel("direct:failedText"))
                        .to(step);
                from("direct:textTomorrow").errorHandler(noErrorHandler()).to(step);
            }
        });

        template.request("direct:today", exchange -> exchange.getMessage().setBody(text));

        assertThat(requests).hasSize(2);
        assertThat(requests.get(1)).isEqualTo(requests.get(0));
    }

    @Test
    void soDoesABulkText() throws Exception {
        sendTwice(
                "elasticsearch",
                "{\"index\":{\"_index\":\"a\"}}\n{\"b\":1}\n{\"delete\":{\"_index\":\"a\",\"_id\":\"c\"}}\n");
    }

    @Test
    void thePageShowsTestedCode() throws IOException {
        DocsTest.assertThatPageShows(PAGE, "java/io/github/batchresidue/docs/FailedTextRoute.java");
    }
}
