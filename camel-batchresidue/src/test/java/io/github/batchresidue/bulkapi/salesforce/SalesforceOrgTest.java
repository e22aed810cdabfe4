/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.salesforce;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.simulators.CollectionRequest;
import io.github.batchresidue.simulators.SalesforceObject;
import io.github.batchresidue.simulators.SalesforceOrg;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The simulated org refuses what the service refuses; tests rely on it. */
class SalesforceOrgTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final SalesforceOrg org = new SalesforceOrg();
    private final SalesforceObject a = org.createObject("A").unique("Ref__c");
    private final HttpClient client = HttpClient.newHttpClient();
    private String session;

    @BeforeEach
    void logIn() throws Exception {
        org.createObject("B");
        session =
                send("POST", "/services/oauth2/token", "").path("access_token").asText();
    }

    @AfterEach
    void stop() {
        org.close();
    }

    @Test
    void elevenChunksAreTooMany() throws Exception {
        assertThat(create("ABABABABAB")).hasSize(10).allMatch(SalesforceOrgTest::isSuccess);
        assertThat(create("ABABABABABA").path(0).path("errorCode").asText()).isEqualTo("TOO_MANY_RECORDS");
        assertThat(a.records()).hasSize(5);
    }

    @Test
    void twoHundredAndOneRecordsAreTooMany() throws Exception {
        assertThat(create("A".repeat(200))).hasSize(200);
        assertThat(create("A".repeat(201)).path(0).path("errorCode").asText()).isEqualTo("EXCEEDED_ID_LIMIT");
        assertThat(a.records()).hasSize(200);
    }

    @Test
    void oneExternalIdTwiceInARequestIsRefused() throws Exception {
        JsonNode results = send(
                "PATCH",
                "/services/data/v60.0/composite/sobjects/A/Ref__c",
                "{\"records\":[" + record("A", 1) + "," + record("A", 1) + "]}");

        assertThat(results).extracting(SalesforceOrgTest::isSuccess).containsExactly(true, false);
        assertThat(a.records()).hasSize(1);
    }

    @Test
    void withoutASessionNothingIsTaken() throws Exception {
        org.expireSessions();

        assertThat(create("A").path(0).path("errorCode").asText()).isEqualTo("INVALID_SESSION_ID");
        assertThat(org.collectionRequests()).isEmpty();
        assertThat(a.records()).isEmpty();
    }

    @Test
    void requestsAreKeptAsTheyCame() throws Exception {
        create("AB");

        assertThat(org.collectionRequests())
                .containsExactly(new CollectionRequest(
                        "POST",
                        "",
                        JSON.readTree("[" + record("A", 0) + "," + record("B", 1) + "]")
                                .valueStream()
                                .toList(),
                        200));
    }

    private JsonNode create(String types) throws Exception {
        String records = IntStream.range(0, types.length())
                .mapToObj(i -> record(types.substring(i, i + 1), i))
                .collect(Collectors.joining(","));
        return send(
                "POST",
                "/services/data/v60.0/composite/sobjects",
                "{\"allOrNone\":false,\"records\":[" + records + "]}");
    }

    private static String record(String type, int number) {
        return "{\"attributes\":{\"type\":\"" + type + "\"},\"Ref__c\":\"" + number + "\"}";
    }

    private static boolean isSuccess(JsonNode result) {
        return result.path("success").asBoolean();
    }

    private JsonNode send(String method, String path, String body) throws Exception {
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(org.endpoint().resolve(path))
                        .header("Authorization", "Bearer " + session)
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
        return JSON.readTree(answer.body());
    }
}
