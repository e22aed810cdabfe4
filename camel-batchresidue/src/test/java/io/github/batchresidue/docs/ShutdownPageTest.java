/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.batchresidue.camel.BatchResidueComponent;
import io.github.batchresidue.camel.BatchResidueConstants;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Reason;
import io.github.batchresidue.simulators.CapacityTable;
import io.github.batchresidue.simulators.CapacityTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Does what the page about shutdown says. */
class ShutdownPageTest {

    private static final Path PAGE = Path.of("").toAbsolutePath().resolveSibling("src-docs/shutdown.adoc");

    @Test
    void whatWaitsAtTheStopIsKeptInFiles(@TempDir Path folder) throws Exception {
        CapacityTables tables = new CapacityTables();
        CapacityTable table = tables.createTable("orders").starve("hot");
        DynamoDbClient client = OneAttemptClient.of(DynamoDbClient.builder()
                .endpointOverride(tables.endpoint())
                .region(Region.EU_WEST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("key", "secret"))));
        CamelContext context = new DefaultCamelContext();
        try {
            context.getRegistry().bind("dynamoDb", client);
            context.getPropertiesComponent().addInitialProperty("later.folder", folder.toString());
            context.getComponent("batchresidue", BatchResidueComponent.class)
                    .getConfiguration()
                    .setRedeliveryDelay(3_600_000L);
            context.getShutdownStrategy().setTimeUnit(TimeUnit.MILLISECONDS);
            context.getShutdownStrategy().setTimeout(200);
            context.addRoutes(new KeptForLaterRoute());
            context.start();
            CompletableFuture<Exchange> future = context.createProducerTemplate()
                    .asyncSend("direct:orders", exchange -> exchange.getMessage()
                            .setBody("{\"pk\":\"o-1\"}\n{\"pk\":\"hot\"}\n"));
            await().until(() -> table.items().size() == 1);

            context.stop();

            Ledger ledger = future.orTimeout(20, TimeUnit.SECONDS)
                    .join()
                    .getProperty(BatchResidueConstants.LEDGER, Ledger.class);
            assertThat(ledger.givenUpItems())
                    .singleElement()
                    .returns(Reason.SHUTDOWN, LedgerItem::reason)
                    .returns(true, LedgerItem::delivered);
            try (Stream<Path> files = Files.list(folder)) {
                List<Path> kept = files.toList();
                assertThat(kept).singleElement().satisfies(file -> assertThat(
                                file.getFileName().toString())
                        .startsWith("SHUTDOWN-"));
                assertThat(kept.get(0)).hasContent("{\"pk\":\"hot\"}");
            }
        } finally {
            context.stop();
            client.close();
            tables.close();
        }
    }

    @Test
    void thePageShowsTestedCode() throws IOException {
        DocsTest.assertThatPageShows(PAGE, "java/io/github/batchresidue/docs/KeptForLaterRoute.java");
    }
}
