/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.springboot.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.Reason;
import io.github.batchresidue.simulators.CapacityTable;
import io.github.batchresidue.simulators.CapacityTables;
import java.util.List;
import java.util.Map;
import org.apache.camel.ProducerTemplate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** The application as it is, with a simulated table and shorter waits. */
@SpringBootTest(properties = "camel.component.batchresidue.redelivery-delay=1ms")
@DirtiesContext
class OrdersApplicationTest {

    private static final CapacityTables TABLES = new CapacityTables();
    private static final CapacityTable TABLE =
            TABLES.createTable("orders").partitionKey("id", "S").starve("hot");

    @Autowired
    private ProducerTemplate template;

    @DynamicPropertySource
    static void simulatedTable(DynamicPropertyRegistry properties) {
        properties.add("orders.endpoint", TABLES::endpoint);
    }

    @AfterAll
    static void stop() {
        TABLES.close();
    }

    @Test
    void theComponentIsFoundAndItsDefaultsComeFromTheProperties() {
        Ledger ledger = template.requestBody(
                "direct:orders", List.of(Map.of("id", "o-1"), Map.of("id", "hot"), Map.of("id", "o-3")), Ledger.class);

        assertThat(ledger.landed()).isEqualTo(2);
        assertThat(TABLE.items()).hasSize(2);
        assertThat(ledger.givenUpItems()).singleElement().satisfies(order -> {
            assertThat(order.body()).isEqualTo(Map.of("id", "hot"));
            assertThat(order.reason()).isEqualTo(Reason.REDELIVERIES_EXHAUSTED);
            assertThat(order.attempts()).isEqualTo(9);
        });
    }
}
