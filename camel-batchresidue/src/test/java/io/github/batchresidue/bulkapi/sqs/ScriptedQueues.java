/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.sqs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.github.tomakehurst.wiremock.extension.ResponseDefinitionTransformerV2;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.http.ResponseDefinition;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.SqsClientBuilder;

/**
 * A service on loopback that speaks the JSON protocol of SQS and answers batches as written out. It knows a queue of any
 * name. In a body {@code {{id:N}}} stands for the id of the request's entry N, {@code {{md5:N}}} for the MD5 of its text.
 */
public final class ScriptedQueues implements AutoCloseable {

    /**
     * One answer.
     *
     * @param status 0 for a connection that is reset
     */
    public record Answer(int status, String body) {}

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{(id|md5):(\\d+)}}");

    private final WireMockServer server = new WireMockServer(WireMockConfiguration.options()
            .bindAddress("127.0.0.1")
            .dynamicPort()
            .disableRequestJournal()
            .extensions(new Answers()));
    // Guarded by this.
    private final Deque<Answer> script = new ArrayDeque<>();
    private final List<JsonNode> batches = new ArrayList<>();
    private final List<String> operations = new ArrayList<>();

    public ScriptedQueues() {
        server.start();
        server.stubFor(WireMock.any(WireMock.anyUrl()).willReturn(WireMock.aResponse()));
    }

    public synchronized ScriptedQueues answer(int status, String body) {
        script.add(new Answer(status, body));
        return this;
    }

    public synchronized ScriptedQueues reset() {
        script.add(new Answer(0, null));
        return this;
    }

    /** The batch requests that came, as they came. */
    public synchronized List<JsonNode> batches() {
        return List.copyOf(batches);
    }

    /** What was asked for, without the batches of messages. */
    public synchronized List<String> operations() {
        return List.copyOf(operations);
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    /** A client of the SDK's that sends each request once. */
    public SqsClient client() {
        return builder().build();
    }

    public SqsClientBuilder builder() {
        return SqsClient.builder()
                .endpointOverride(endpoint())
                .region(Region.EU_WEST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("anyone", "anything")))
                .overrideConfiguration(override -> override.retryStrategy(AwsRetryStrategy.doNotRetry()));
    }

    @Override
    public void close() {
        server.stop();
    }

    private synchronized ResponseDefinition respond(String target, String body) throws JsonProcessingException {
        String operation = target.substring(target.indexOf('.') + 1);
        JsonNode request = JSON.readTree(body);
        if (!operation.endsWith("Batch")) {
            operations.add(operation);
            String url =
                    endpoint() + "/123456789012/" + request.path("QueueName").asText();
            return json(200, operation.equals("GetQueueUrl") ? "{\"QueueUrl\":\"" + url + "\"}" : "{}");
        }
        batches.add(request);
        if (!operation.equals("SendMessageBatch")) {
            operations.add(operation);
        }
        if (script.isEmpty()) {
            return json(400, "{\"__type\":\"com.amazonaws.sqs#ScriptEnded\",\"message\":\"no reply is left\"}");
        }
        Answer answer = script.remove();
        return answer.status() == 0
                ? new ResponseDefinitionBuilder()
                        .withFault(Fault.CONNECTION_RESET_BY_PEER)
                        .build()
                : json(answer.status(), filledIn(answer.body(), request));
    }

    private static ResponseDefinition json(int status, String body) {
        return new ResponseDefinitionBuilder()
                .withStatus(status)
                .withHeader("Content-Type", "application/x-amz-json-1.0")
                .withBody(body)
                .build();
    }

    private static String filledIn(String body, JsonNode request) {
        return PLACEHOLDER.matcher(body).replaceAll(found -> Matcher.quoteReplacement(value(found, request)));
    }

    private static String value(MatchResult found, JsonNode request) {
        JsonNode entry = request.path("Entries").path(Integer.parseInt(found.group(2)));
        return found.group(1).equals("id")
                ? entry.path("Id").asText()
                : md5(entry.path("MessageBody").asText());
    }

    private static String md5(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private final class Answers implements ResponseDefinitionTransformerV2 {

        @Override
        public ResponseDefinition transform(ServeEvent event) {
            try {
                return respond(
                        event.getRequest().getHeader("X-Amz-Target"),
                        event.getRequest().getBodyAsString());
            } catch (JsonProcessingException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public String getName() {
            return "answers";
        }
    }
}
