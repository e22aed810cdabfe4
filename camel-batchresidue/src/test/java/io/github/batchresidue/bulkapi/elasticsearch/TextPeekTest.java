/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import static io.github.batchresidue.bulkapi.elasticsearch.BulkTexts.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextPeekTest {

    @ParameterizedTest
    @CsvSource({
        "'{\"index\":{}}', true",
        "' { \"create\" : {', true",
        "'{\"update\":{\"_id\":\"1\"}}', true",
        "'{\"delete\":{', true",
        "'{\"index\":\"a\"}', false",
        "'{\"indexes\":{}}', false",
        "'{\"title\":{}}', false",
        "'[{\"index\":{}}]', false",
        "'{\"ind', false",
        "'{\"index\"', false",
        "'{', false",
        "'', false"
    })
    void aTextThatBeginsWithAnActionIsABulkRequest(String text, boolean isRequest) throws Exception {
        ByteArrayInputStream in = new ByteArrayInputStream(utf8(text));

        assertThat(TextPeek.isBulkRequest(in)).isEqualTo(isRequest);
        assertThat(in.readAllBytes()).isEqualTo(utf8(text));
    }
}
