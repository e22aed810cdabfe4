/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Verdict;
import io.github.batchresidue.simulators.CapacityTables;
import io.github.batchresidue.simulators.ScriptedReply;
import java.net.URI;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.camel.RuntimeCamelException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutRequest;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** The exceptions are those of the real SDK, made by answers over the wire. */
class AwsFailuresTest {

    private static final int ITEMS = 3;
    /** Nothing listens on this port of loopback. */
    private static final URI NOBODY = URI.create("http://127.0.0.1:1");

    private final CapacityTables service = new CapacityTables();

    @AfterEach
    void stop() {
        service.close();
    }

    @ParameterizedTest
    @CsvSource({
        "400, ProvisionedThroughputExceededException",
        "400, ThrottlingException",
        "400, RequestLimitExceeded",
        "503, SlowDown",
        "429, Whatever"
    })
    void throttlingIsKnownByItsCode(int status, String code) {
        Reply reply = replyTo(error(status, code).withHeader("x-amz-retry-after", "600"));

        assertThat(reply).isEqualTo(new Reply.Throttled(new Failure(status, code, "said so"), 600));
    }

    @Test
    void theLongerOfTwoHintsCounts() {
        Reply reply = replyTo(error(400, "ThrottlingException")
                .withHeader("x-amz-retry-after", "600")
                .withHeader("Retry-After", "1.5"));

        assertThat(((Reply.Throttled) reply).hintMillis()).isEqualTo(1500);
    }

    @Test
    void aHintOfASickServiceIsKept() {
        Reply reply = replyTo(error(503, "ServiceUnavailable").withHeader("Retry-After", "2"));

        assertThat(((Reply.TransportFailed) reply).hintMillis()).isEqualTo(2000);
    }

    @ParameterizedTest
    @CsvSource({"413, RequestEntityTooLarge", "413, ''"})
    void aRequestTooLargeIsHalved(int status, String code) {
        assertThat(replyTo(error(status, code))).isInstanceOf(Reply.TooLarge.class);
    }

    @ParameterizedTest
    @CsvSource({
        "500, InternalServerError",
        "502, ''",
        "503, ServiceUnavailable",
        "504, ''",
        "408, ''",
        "400, RequestTimeout"
    })
    void aSickServiceMayHaveTakenTheRequest(int status, String code) {
        Reply.TransportFailed reply = (Reply.TransportFailed) replyTo(error(status, code));

        assertThat(reply.nothingLanded()).isFalse();
        assertThat(reply.failure().status()).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({
        "400, ExpiredTokenException",
        "400, RequestTimeTooSkewed",
        "400, UnrecognizedClientException",
        "403, AccessDeniedException",
        "400, ResourceNotFoundException",
        "400, ''",
        "302, ''"
    })
    void whatNoItemCanHelpIsRefused(int status, String code) {
        Reply.Refused reply = (Reply.Refused) replyTo(error(status, code));

        assertThat(reply.failure().status()).isEqualTo(status);
        assertThat(reply.failure().code()).isEqualTo(code.isEmpty() ? null : code);
    }

    @Test
    void theServiceHasItsSayOnItsOwnErrors() {
        Reply.TooLarge own = new Reply.TooLarge(Failure.NONE);
        Throwable thrown = thrownBy(TestClients.sendingOnce(service.endpoint()), error(400, "TooManyEntries"));

        assertThat(AwsFailures.reply(thrown, ITEMS, (failure, nothingLanded, hint) -> {
                    assertThat(failure.code()).isEqualTo("TooManyEntries");
                    assertThat(nothingLanded).isTrue();
                    return own;
                }))
                .isSameAs(own);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {"<html>gateway</html>", "{\"UnprocessedItems\":{", "{\"UnprocessedItems\":[]}", "[]"})
    void anAnswerThatIsNotTheServicesIsUnknown(String body) {
        assertThat(replyTo(ScriptedReply.of(200, body))).satisfies(AwsFailuresTest::isUnknownForAll);
    }

    @Test
    void anAnswerWithAWrongChecksumIsUnknown() {
        assertThat(replyTo(ScriptedReply.of(200, "{\"UnprocessedItems\":{}}").withHeader("x-amz-crc32", "1")))
                .satisfies(AwsFailuresTest::isUnknownForAll);
    }

    @Test
    void aResetMayHaveLanded() {
        assertThat(((Reply.TransportFailed) replyTo(ScriptedReply.of(ScriptedReply.Fault.RESET))).nothingLanded())
                .isFalse();
    }

    @Test
    void aMissingAnswerMayHaveLanded() {
        Throwable thrown =
                thrownBy(TestClients.impatient(service.endpoint()), ScriptedReply.of(ScriptedReply.Fault.HANG));

        assertThat(((Reply.TransportFailed) reply(thrown)).nothingLanded()).isFalse();
    }

    @Test
    void withoutAConnectionNothingLanded() {
        assertThat(((Reply.TransportFailed) reply(thrownBy(TestClients.sendingOnce(NOBODY)))).nothingLanded())
                .isTrue();
        assertThat(((Reply.TransportFailed)
                                reply(thrownBy(TestClients.sendingOnce(URI.create("http://no-such-host.invalid")))))
                        .nothingLanded())
                .isTrue();
    }

    @Test
    void withoutAFreeConnectionNothingLanded() {
        service.script(List.of(ScriptedReply.of(ScriptedReply.Fault.HANG)));
        DynamoDbClient client = TestClients.withOneConnection(service.endpoint());
        CompletableFuture<Throwable> first = CompletableFuture.supplyAsync(() -> thrownBy(client));
        Awaitility.await().until(() -> !service.batchWrites().isEmpty());

        Reply.TransportFailed second = (Reply.TransportFailed) reply(thrownBy(client));

        assertThat(second.failure().message()).contains("pool");
        assertThat(second.nothingLanded()).isTrue();
        service.close();
        assertThat(first.join()).hasMessageContaining("Unable to execute HTTP request");
    }

    @Test
    void whatEarlierHiddenAttemptsDidIsNotCertain() {
        DynamoDbClient client = TestClients.withDefaults(NOBODY)
                .overrideConfiguration(c -> c.retryStrategy(AwsRetryStrategy.standardRetryStrategy().toBuilder()
                        .maxAttempts(2)
                        .build()))
                .build();

        assertThat(((Reply.TransportFailed) reply(thrownBy(client))).nothingLanded())
                .isFalse();
    }

    @Test
    void withoutCredentialsTheRequestIsRefused() {
        DynamoDbClient client = TestClients.withDefaults(NOBODY)
                .credentialsProvider(AwsCredentialsProviderChain.of(SystemPropertyCredentialsProvider.create()))
                .build();

        assertThat(reply(thrownBy(client))).isInstanceOf(Reply.Refused.class);
    }

    @Test
    void theCauseIsFoundInsideAndTheWholeIsHandedOn() {
        RuntimeCamelException wrapped = new RuntimeCamelException(new IllegalStateException(
                thrownBy(TestClients.sendingOnce(service.endpoint()), error(403, "AccessDeniedException"))));

        assertThat(((Reply.Refused) reply(wrapped)).cause()).isSameAs(wrapped);
    }

    @Test
    void whatIsNotOfTheSdkIsATransportFailure() {
        IllegalStateException thrown = new IllegalStateException("connection pool shut down");

        assertThat(reply(thrown))
                .isEqualTo(
                        new Reply.TransportFailed(thrown, new Failure(0, null, "connection pool shut down"), false, 0));
    }

    @Test
    void aCircleOfCausesEnds() {
        Exception one = new Exception("one");
        Exception two = new Exception("two", one);
        one.initCause(two);

        assertThat(reply(one)).isInstanceOf(Reply.TransportFailed.class);
    }

    private static ScriptedReply error(int status, String code) {
        return ScriptedReply.of(
                status,
                code.isEmpty() ? "<html>x</html>" : "{\"__type\":\"a.b#" + code + "\",\"message\":\"said so\"}");
    }

    private static void isUnknownForAll(Reply reply) {
        List<Verdict> verdicts = ((Reply.Verdicts) reply).verdicts();
        assertThat(verdicts).isEqualTo(Collections.nCopies(ITEMS, verdicts.get(0)));
        assertThat(verdicts.get(0).kind()).isEqualTo(Verdict.Kind.UNKNOWN);
        assertThat(verdicts.get(0).failure().status()).isEqualTo(200);
    }

    private Reply replyTo(ScriptedReply answer) {
        return reply(thrownBy(TestClients.sendingOnce(service.endpoint()), answer));
    }

    private static Reply reply(Throwable thrown) {
        return AwsFailures.reply(thrown, ITEMS, (failure, nothingLanded, hint) -> null);
    }

    private Throwable thrownBy(DynamoDbClient client, ScriptedReply answer) {
        service.script(List.of(answer));
        return thrownBy(client);
    }

    private static Throwable thrownBy(DynamoDbClient client) {
        WriteRequest put = WriteRequest.builder()
                .putRequest(PutRequest.builder()
                        .item(Map.of("pk", AttributeValue.fromS("a")))
                        .build())
                .build();
        Throwable thrown =
                catchThrowable(() -> client.batchWriteItem(request -> request.requestItems(Map.of("t", List.of(put)))));
        assertThat(thrown).isNotNull();
        return thrown;
    }
}
