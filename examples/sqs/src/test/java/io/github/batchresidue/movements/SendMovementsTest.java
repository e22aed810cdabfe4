/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.movements;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.servers.elasticmq.EmbeddedElasticMq;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The example with a shorter file. */
class SendMovementsTest {

    @Test
    void everyMovementIsInTheQueueInOrderOrAmongTheDeadLetters() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (EmbeddedElasticMq server = new EmbeddedElasticMq();
                SendMovements movements =
                        new SendMovements(server, new PrintStream(printed, true, StandardCharsets.UTF_8))) {
            MovementsFile file = MovementsFile.write(SendMovements.DIRECTORY.resolve("movements.ndjson"), 300);

            assertThat(movements.send(file)).isEmpty();

            assertThat(file.bad()).isEqualTo(3);
            assertThat(printed.toString(StandardCharsets.UTF_8))
                    .contains("300 items, 297 landed, 3 terminal, 0 given up, 0 pending")
                    .contains("line 96: InvalidAttributeValue", "OK: every movement");
        }
    }
}
