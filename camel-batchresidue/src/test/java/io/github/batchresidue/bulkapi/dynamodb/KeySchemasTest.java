/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.bulkapi.VirtualTime;
import io.github.batchresidue.bulkapi.Warnings;
import io.github.batchresidue.bulkapi.aws.TestClients;
import io.github.batchresidue.simulators.CapacityTables;
import io.github.batchresidue.simulators.ScriptedReply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

class KeySchemasTest {

    private final VirtualTime time = new VirtualTime();
    private final CapacityTables tables = new CapacityTables(time::now);
    private final DynamoDbClient client = TestClients.sendingOnce(tables.endpoint());
    private final KeySchemas schemas = new KeySchemas(() -> client, time::now);

    @AfterEach
    void stop() {
        client.close();
        tables.close();
    }

    @Test
    void eachTableIsAskedForOnce() {
        tables.createTable("one");
        tables.createTable("two").partitionKey("id", "N").sortKey("at", "S");

        for (int i = 0; i < 3; i++) {
            assertThat(schemas.of("one")).containsExactly("pk");
            assertThat(schemas.of("two")).containsExactly("id", "at");
        }
        time.advance(KeySchemas.ASK_AGAIN_MILLIS * 1000);
        assertThat(schemas.of("one")).containsExactly("pk");
        assertThat(tables.described()).containsExactly("one", "two");
    }

    @Test
    void manyAtOnceAskOnce() throws Exception {
        tables.createTable("one");
        CountDownLatch together = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<CompletableFuture<List<String>>> answers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                answers.add(CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                together.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            return schemas.of("one");
                        },
                        threads));
            }
            together.countDown();

            assertThat(answers).allSatisfy(answer -> assertThat(answer.get()).containsExactly("pk"));
            assertThat(tables.described()).containsExactly("one");
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void whoMayNotAskIsNotAskedAgain() {
        tables.createTable("one");
        tables.scriptDescribeTable(List.of(error(400, "AccessDeniedException")));

        assertThat(schemas.of("one")).isEmpty();
        time.advance(KeySchemas.ASK_AGAIN_MILLIS * 1000);
        assertThat(schemas.of("one")).isEmpty();
        assertThat(tables.described()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "InternalServerError",
                "ThrottlingException",
                "ExpiredTokenException",
                "ResourceNotFoundException"
            })
    void aPassingFailureIsAskedAgainLater(String code) {
        tables.createTable("one");
        ScriptedReply failure = error(code.equals("InternalServerError") ? 500 : 400, code);
        tables.scriptDescribeTable(List.of(failure, failure));
        Warnings warnings = new Warnings(KeySchemas.class);

        assertThat(schemas.of("one")).isEmpty();
        time.advance(KeySchemas.ASK_AGAIN_MILLIS - 1);
        assertThat(schemas.of("one")).isEmpty();
        assertThat(tables.described()).hasSize(1);

        time.advance(1);
        assertThat(schemas.of("one")).isEmpty();
        assertThat(tables.described()).hasSize(2);

        time.advance(KeySchemas.ASK_AGAIN_MILLIS);
        assertThat(schemas.of("one")).containsExactly("pk");
        assertThat(warnings.stop()).singleElement().asString().contains("table one", "itemKey");
    }

    @Test
    void anEndpointWithoutClientHasNoKeys() {
        assertThat(new KeySchemas(() -> null, time::now).of("one")).isEmpty();
    }

    private static ScriptedReply error(int status, String code) {
        return ScriptedReply.of(status, "{\"__type\":\"a#" + code + "\",\"message\":\"m\"}");
    }
}
