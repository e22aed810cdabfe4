/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import static io.github.batchresidue.bulkapi.elasticsearch.BulkTexts.made;
import static io.github.batchresidue.bulkapi.elasticsearch.BulkTexts.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ActionLineReaderTest {

    private final ActionLineReader reader = new ActionLineReader();

    @Test
    void whatItReadsWithoutAParserIsWhatAParserReads() throws Exception {
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            byte[] line = utf8(made(random).actionLine());

            assertThat(reader.read(line, 0, line.length)).isEqualTo(ActionLine.parse(line, 0, line.length));
        }
    }

    @Test
    void aDamagedLineIsReadAsAParserReadsItOrNotAtAll() throws Exception {
        Random random = new Random(2);
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] line = utf8(made(random).actionLine());
            int hit = random.nextInt(line.length);
            line[hit] = (byte) "{}[]\",:x0\\ \u0001".charAt(random.nextInt(12));
            ActionLine parsed = null;
            try {
                parsed = ActionLine.parse(line, 0, line.length);
            } catch (IOException e) {
                refused++;
            }
            ActionLine read = null;
            try {
                read = reader.read(line, 0, line.length);
            } catch (IOException e) {
                assertThat(parsed).isNull();
            }
            assertThat(read).isEqualTo(parsed);
        }
        assertThat(refused).isGreaterThan(1000);
    }

    @Test
    void equalLinesWithoutAnIdAreReadOnce() throws Exception {
        byte[] line = utf8("{\"index\":{\"_index\":\"books\"}}");

        assertThat(reader.read(line, 0, line.length)).isSameAs(reader.read(line.clone(), 0, line.length));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"index\":{\"_id\":\"1\",\"version\":3,\"version_type\":\"external\"}}",
                "{\"index\":{\"_id\":\"1\",\"version\":3,\"version_type\":\"external_gte\"}}",
                "{\"delete\":{\"_id\":\"\\u0031\",\"version\":3,\"version_type\":\"external\"}}"
            })
    void anExternalVersionIsSeen(String line) throws Exception {
        assertThat(reader.read(utf8(line), 0, line.length()).isVersioned()).isTrue();
    }
}
