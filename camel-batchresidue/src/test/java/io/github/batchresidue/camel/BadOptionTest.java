/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.batchresidue.bulkapi.Limits;
import io.github.batchresidue.engine.RunOptions.UnknownOutcome;
import java.util.List;
import java.util.Set;
import org.apache.camel.CamelContext;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.processor.errorhandler.RedeliveryPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A bad value stops the start, and the message names the option and the value. */
class BadOptionTest {

    private final CamelContext context = new DefaultCamelContext();
    private final WordService service = WordService.landingAll();

    @BeforeEach
    void prepare() {
        context.getRegistry().bind("words", new WordApi());
        context.getRegistry().bind("bytewise", new WordApi().limits(0, 500));
        context.getRegistry().bind("policy", new RedeliveryPolicy());
        context.getRegistry().bind("text", "words");
        context.addComponent("probe", new ProbeComponent());
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "batchSize=0 | batchSize=0: expected 1 or more",
                "batchSize=-3 | batchSize=-3: expected 1 or more",
                "batchSize=many | batchSize=many: expected a whole number",
                "batchSize=5&batchSize=6 | batchSize=[5, 6]: the option is given more than once",
                "bulkApi.language=RAW(la)&bulkApi.language=el | bulkApi.language=[la, el]: the option is given more than once",
                "batchSize=5.9 | batchSize=5.9: expected a whole number",
                "batchBytes=16MB | batchBytes=16MB: expected a whole number",
                "parallelRequests=99999999999 | parallelRequests=99999999999: expected a whole number",
                "maximumRedeliveries=1.7 | maximumRedeliveries=1.7: expected a whole number",
                "maximumRedeliveries=x | maximumRedeliveries=x: expected a whole number",
                "batchSize=101 | batchSize=101: the bulk API takes at most 100 items",
                "batchBytes=0 | batchBytes=0: expected 1 or more",
                "parallelRequests=0 | parallelRequests=0: expected 1 or more",
                "maxPendingResidue=-1 | maxPendingResidue=-1: expected 0 or more",
                "maximumRedeliveries=-2 | maximumRedeliveries=-2: expected -1 or more",
                "redeliveryDelay=-1 | redeliveryDelay=-1: expected 0 or more",
                "redeliveryDelay=soon | redeliveryDelay=soon: expected milliseconds or a duration",
                "redeliveryDelay=abc | redeliveryDelay=abc: expected milliseconds or a duration",
                "redeliveryDelay=-1s | redeliveryDelay=-1s: expected milliseconds or a duration",
                "redeliveryDelay=1y | redeliveryDelay=1y: expected milliseconds or a duration",
                "redeliveryDelay=1.5s | redeliveryDelay=1.5s: expected milliseconds or a duration",
                "redeliveryTimeout=5q | redeliveryTimeout=5q: expected milliseconds or a duration",
                "maximumRedeliveryDelay=-1 | maximumRedeliveryDelay=-1: expected 0 or more",
                "redeliveryTimeout=-1 | redeliveryTimeout=-1: expected 0 or more",
                "redeliveryTimeout=5 parsecs | redeliveryTimeout=5 parsecs: expected milliseconds or a duration",
                "backOffMultiplier=0.5 | backOffMultiplier=0.5: expected 1 or more",
                "backOffMultiplier=NaN | backOffMultiplier=NaN: expected 1 or more",
                "backOffMultiplier=Infinity | backOffMultiplier=Infinity: expected 1 or more",
                "backOffMultiplier=twice | backOffMultiplier=twice: expected a number such as 2 or 1.5",
                "jitter=SOME | jitter=SOME: expected one of NONE, EQUAL, FULL",
                "onTransportFailure=PANIC | onTransportFailure=PANIC: expected one of FAIL, RETRY",
                "onUnknownOutcome=GUESS | onUnknownOutcome=GUESS: expected one of AUTO, RETRY, GIVE_UP",
                "result=NOTHING | result=NOTHING: expected one of LEDGER, ORIGINAL",
                "retainLanded=maybe | retainLanded=maybe: expected auto, true or false",
                "isolateRejected=perhaps | isolateRejected=perhaps: expected true or false",
                "terminalErrors=400,,500 | terminalErrors=400,,500: expected a list",
                "retryableErrors=:429 | retryableErrors=:429: expected a list",
                "landedErrors=create: | landedErrors=create:: expected a list",
                "retryableErrors=429,6xx | retryableErrors=429,6xx: '6xx' is no HTTP status",
                "retryableErrors=5x | retryableErrors=5x: '5x' is no HTTP status",
                "terminalErrors=create:999 | terminalErrors=create:999: '999' is no HTTP status",
                "delegateHeaders=* | delegateHeaders=*: an asterisk stands for no name; write each header",
                "delegateHeaders=Content-* | delegateHeaders=Content-*: an asterisk stands for no name",
                "itemKey=id | itemKey=id: a bulk API that is a bean",
                "ITEMKEY=#text | itemKey=#text: expected a reference (#name) to a java.util.function.Function, found a java.lang.String; write names without #",
                "itemKey=#nobody | itemKey=#nobody: expected a reference (#name) to a java.util.function.Function, found no bean of this name in the registry",
                "bulkApi=#text | bulkApi=#text: expected a reference (#name) to a io.github.batchresidue.bulkapi.BulkApi, found a java.lang.String",
                "itemClassifier=x | itemClassifier=x: expected a reference (#name) to a io.github.batchresidue.bulkapi.ItemClassifier",
                "itemClassifier=#nobody | itemClassifier=#nobody: expected a reference ~ found no bean of this name",
                "itemClassifier=#bean:policy | itemClassifier=#bean:policy: expected a reference ~ found a org.apache.camel.processor.errorhandler.RedeliveryPolicy",
                "redeliveryPolicy= | redeliveryPolicy=: expected a reference (#name) to a org.apache.camel.processor.errorhandler.RedeliveryPolicy",
                "redeliveryPolicy=x | redeliveryPolicy=x: expected a reference (#name) to a org.apache.camel.processor.errorhandler.RedeliveryPolicy",
                "redeliveryPolicy=#nobody | redeliveryPolicy=#nobody: expected a reference ~ found no bean of this name",
                "redeliveryPolicy=#words | redeliveryPolicy=#words: expected a reference ~ WordApi",
                "redeliveryPolicy=#class:no.Such | redeliveryPolicy=#class:no.Such",
                "terminalUri= | terminalUri=: expected the URI of an endpoint; remove the option if there is none",
                "givenUpUri=RAW(RAW(mock:dead?retainFirst=1&retainLast=2)) | givenUpUri=mock:dead: RAW() is part of the value here",
                "deadLetterUri=%20 | deadLetterUri= : expected the URI of an endpoint",
                "retryableErrors=429,sai:409 | retryableErrors=429,sai:409: 'sai' is no operation of the bulk API; its operations: say, shout",
                "redeliveryPolicy=#policy&jitter=NONE&redeliveryDelay=1 | redeliveryPolicy ~ redeliveryDelay=1, jitter=NONE",
                "deadLetterUri=nowhere:x | deadLetterUri=nowhere:x",
                "terminalUri=nowhere | terminalUri=nowhere",
                "givenUpUri=probe:x?a=1 | givenUpUri=probe:x",
                "bulkApi.x=1 | bulkApi.x: not an option of a bean; its options: none"
            })
    void anOption(String option, String messageParts) throws Exception {
        Throwable failure = starting(
                "batchresidue:direct:table?" + (option.startsWith("bulkApi=") ? "" : "bulkApi=#words&") + option);

        assertThat(failure.getMessage()).contains(messageParts.split(" ~ "));
        assertNothingWasSent();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http:127.0.0.1:1/x?bulkApi=#words&httpMethod=GET | delegateUri=http:127.0.0.1:1/x ~ httpMethod=GET: it sends no items",
                "direct:table?bulkApi=klingon | bulkApi=klingon: expected one of ~ terms, words or a reference",
                "direct:table | bulkApi: it cannot be told from the delegate direct:table ~ terms, words",
                "direct:table?bulkApi=#nobody | bulkApi=#nobody: expected a reference ~ found no bean of this name",
                "direct:table?bulkApi=#policy | bulkApi=#policy: expected a reference ~ RedeliveryPolicy",
                "direct:table?bulkApi=#bytewise&batchBytes=501 | batchBytes=501: the bulk API takes at most 500 bytes",
                "direct:table?bulkApi=words&bulkApi.x=1 | bulkApi.x: not an option of words ~ dialect, language",
                "direct:table?bulkApi=words&itemKey=a,, | itemKey=a,,: expected names",
                "direct:table?bulkApi=words&itemKey=#policy | itemKey=#policy: expected a reference ~ RedeliveryPolicy",
                "http:127.0.0.1:1/_bulk?terminalErrors=creat:409 | terminalErrors=creat:409: 'creat' is no operation of the bulk API; its operations: create, delete, index, update",
                "aws2-ddb:t?accessKey=a&secretKey=b&region=eu-west-1&enabledInitialDescribeTable=false&landedErrors=create:409 | landedErrors=create:409: 'create' is no operation of the bulk API; its items have none, write '409'",
                "nowhere:x?bulkApi=#words | delegateUri=nowhere:x",
                "nowhere?bulkApi=#words | delegateUri=nowhere: expected the URI of an endpoint",
                "?bulkApi=#words | delegateUri: expected the URI of the endpoint to wrap",
                "batchresidue:direct:table?bulkApi=#words | delegateUri=batchresidue:direct:table ~ cannot wrap another",
                "probe%3Ax%3Fvalue%3D1?bulkApi=#words | delegateUri=probe%3Ax: expected the URI of an endpoint, unencoded"
            })
    void aDelegateOrABulkApi(String uri, String messageParts) throws Exception {
        Throwable failure = starting("batchresidue:" + uri);

        assertThat(failure.getMessage()).contains(messageParts.split(" ~ "));
        assertNothingWasSent();
    }

    @Test
    void aPolicyBesideASingleOptionOfTheComponent() throws Exception {
        BatchResidueConfiguration defaults = component().getConfiguration();
        defaults.setRedeliveryPolicy(new RedeliveryPolicy());
        defaults.setMaximumRedeliveries(3);

        assertThat(starting("batchresidue:direct:table?bulkApi=#words"))
                .hasMessageContaining("redeliveryPolicy is taken as it is: remove maximumRedeliveries=3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GIVE_UP", "give_up", "give-up", "giveUp", "Give_Up"})
    void aWordIsTakenHoweverCamelTakesIt(String word) {
        context.start();

        BatchResidueEndpoint endpoint = context.getEndpoint(
                "batchresidue:direct:table?bulkApi=#words&onUnknownOutcome=" + word, BatchResidueEndpoint.class);

        assertThat(endpoint.getConfiguration().getOnUnknownOutcome()).isEqualTo(UnknownOutcome.GIVE_UP);
    }

    @Test
    void anEndpointsOwnChoiceReplacesTheComponents() throws Exception {
        component().getConfiguration().setRedeliveryPolicy(new RedeliveryPolicy());
        context.start();

        BatchResidueEndpoint endpoint = context.getEndpoint(
                "batchresidue:direct:table?bulkApi=#words&maximumRedeliveries=3", BatchResidueEndpoint.class);

        assertThat(endpoint.getConfiguration().getRedeliveryPolicy()).isNull();
        assertThat(endpoint.getConfiguration().getMaximumRedeliveries()).isEqualTo(3);
    }

    @Test
    void anEndpointsPolicyReplacesTheComponentsSingleOptions() throws Exception {
        component().getConfiguration().setMaximumRedeliveries(3);
        context.start();

        BatchResidueEndpoint endpoint = context.getEndpoint(
                "batchresidue:direct:table?bulkApi=#words&redeliveryPolicy=#policy", BatchResidueEndpoint.class);

        assertThat(endpoint.getConfiguration().getMaximumRedeliveries()).isNull();
        assertThat(endpoint.getConfiguration().getRedeliveryPolicy()).isNotNull();
    }

    @Test
    void workersOfTheComponent() {
        component().setWorkers(0);

        assertThat(catchThrowable(() -> context.getComponent("batchresidue").start()))
                .hasStackTraceContaining("workers=0: expected 1 or more");
    }

    @Test
    void anEndpointIsForSendingOnly() throws Exception {
        Throwable failure = catchThrowable(() -> {
            context.addRoutes(new RouteBuilder() {
                @Override
                public void configure() {
                    from("batchresidue:direct:table?bulkApi=#words").to("direct:x");
                }
            });
            context.start();
        });

        assertThat(failure).hasStackTraceContaining("batchresidue is for sending: use it in to(), not in from()");
    }

    @Test
    void aBulkApiWithoutLimitsSaysWhatToGiveInstead() throws Exception {
        context.getRegistry().bind("boundless", new WordApi() {
            @Override
            public Limits limits() {
                return null;
            }
        });

        assertThat(starting("batchresidue:direct:table?bulkApi=#boundless"))
                .hasStackTraceContaining("bulkApi: limits() of " + getClass().getName() + "$")
                .hasStackTraceContaining("give new Limits(Limits.NONE, Limits.NONE, 0)");
        assertNothingWasSent();
    }

    @Test
    void aBulkApiWithNullForOperationsSaysWhatToGiveInstead() throws Exception {
        context.getRegistry().bind("wordless", new WordApi() {
            @Override
            public Set<String> operations() {
                return null;
            }
        });

        assertThat(starting("batchresidue:direct:table?bulkApi=#wordless"))
                .hasStackTraceContaining(
                        "bulkApi: operations() of " + getClass().getName() + "$")
                .hasStackTraceContaining("give Set.of()");
        assertNothingWasSent();
    }

    private BatchResidueComponent component() {
        return context.getComponent("batchresidue", BatchResidueComponent.class);
    }

    private Throwable starting(String uri) throws Exception {
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:in").to(uri);
                from("direct:table").process(service);
            }
        });
        Throwable failure = catchThrowable(context::start);
        assertThat(failure).isNotNull();
        return failure;
    }

    private void assertNothingWasSent() {
        assertThat(context.isStarted()).isFalse();
        assertThat(service.requests()).isEqualTo(List.of());
    }
}
