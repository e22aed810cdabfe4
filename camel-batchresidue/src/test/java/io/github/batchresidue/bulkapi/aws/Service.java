/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkApiContext;
import io.github.batchresidue.bulkapi.BulkApiProvider;
import io.github.batchresidue.bulkapi.ItemKey;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Function;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import software.amazon.awssdk.core.SdkClient;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.firehose.FirehoseClient;
import software.amazon.awssdk.services.kinesis.KinesisClient;

/** The services that answer by position, each with all that differs. */
public enum Service {
    KINESIS(
            new PositionalService.Shape(
                    "Kinesis_20131202.PutRecords", "Records", "Records", "SequenceNumber", "FailedRecordCount"),
            "aws2-kinesis:s",
            "amazonKinesisClient",
            Map.of("partitionKeyField", "id"),
            "ProvisionedThroughputExceededException",
            "InvalidArgumentException") {
        @Override
        public SdkClient client(URI endpoint, boolean sendsOnce) {
            return TestClients.of(KinesisClient.builder(), endpoint, sendsOnce);
        }

        @Override
        public String textOf(JsonNode entry) {
            return decoded(entry);
        }
    },
    FIREHOSE(
            new PositionalService.Shape(
                    "Firehose_20150804.PutRecordBatch", "Records", "RequestResponses", "RecordId", "FailedPutCount"),
            "aws2-kinesis-firehose:d",
            "amazonKinesisFirehoseClient",
            Map.of(),
            "ServiceUnavailableException",
            "InvalidArgumentException") {
        @Override
        public SdkClient client(URI endpoint, boolean sendsOnce) {
            return TestClients.of(FirehoseClient.builder(), endpoint, sendsOnce);
        }

        @Override
        public String textOf(JsonNode entry) {
            return decoded(entry);
        }
    },
    EVENTBRIDGE(
            new PositionalService.Shape("AWSEvents.PutEvents", "Entries", "Entries", "EventId", "FailedEntryCount"),
            "aws2-eventbridge:bus?operation=putEvent",
            "eventbridgeClient",
            Map.of("source", "app", "detailType", "t"),
            "ThrottlingException",
            "ValidationException") {
        @Override
        public SdkClient client(URI endpoint, boolean sendsOnce) {
            return TestClients.of(EventBridgeClient.builder(), endpoint, sendsOnce);
        }

        @Override
        public String textOf(JsonNode entry) {
            return entry.get("Detail").textValue();
        }
    };

    public static final ObjectMapper MAPPER = new ObjectMapper();

    public final PositionalService.Shape shape;
    private final String uri;
    public final String clientOption;
    /** Options with which an item is data. */
    public final Map<String, String> options;
    /** An error of one item that is worth another attempt. */
    public final String retryable;
    /** An error of a request for its content. */
    public final String rejection;

    Service(
            PositionalService.Shape shape,
            String uri,
            String clientOption,
            Map<String, String> options,
            String retryable,
            String rejection) {
        this.shape = shape;
        this.uri = uri;
        this.clientOption = clientOption;
        this.options = options;
        this.retryable = retryable;
        this.rejection = rejection;
    }

    public abstract SdkClient client(URI endpoint, boolean sendsOnce);

    /** The data of an entry as it came over the wire. */
    public abstract String textOf(JsonNode entry);

    public String bulkApi() {
        return name().toLowerCase();
    }

    /** The delegate, with the client of this name in the registry. */
    public String delegateUri(String client) {
        return uri + (uri.contains("?") ? "&" : "?") + clientOption + "=#" + client;
    }

    /** The options of the bulk API for the URI of an endpoint. */
    public String uriOptions() {
        StringBuilder text = new StringBuilder();
        options.forEach((name, value) ->
                text.append("&bulkApi.").append(name).append('=').append(value));
        return text.toString();
    }

    public BulkApiProvider provider() {
        return ServiceLoader.load(BulkApiProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.names().contains(bulkApi()))
                .findFirst()
                .orElseThrow();
    }

    public BulkApi api(CamelContext context, Endpoint delegate, Map<String, String> apiOptions, ItemKey itemKey) {
        return provider().create(new BulkApiContext(context, delegate, apiOptions, itemKey, MAPPER));
    }

    private static String decoded(JsonNode entry) {
        return new String(Base64.getDecoder().decode(entry.get("Data").textValue()), StandardCharsets.UTF_8);
    }

    /** The entries of a request one by one, as items of an API without options. */
    public Function<JsonNode, Object> itemOf() {
        return this == FIREHOSE ? FIREHOSE::textOf : entry -> entry;
    }
}
