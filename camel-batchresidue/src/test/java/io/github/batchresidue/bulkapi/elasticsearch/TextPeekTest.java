/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import static io.github.batchresidue.bulkapi.elasticsearch.BulkTexts.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** Else its action lines would land as documents. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"indx\":{\"_id\":\"1\"}}\n{\"n\":1}\n{\"index\":{\"_id\":\"2\"}}\n{\"n\":2}\n",
                "{\"n\":0}\n{\"delete\":{\"_id\":\"2\"}}\r\n",
                "# orders\n{\"index\":{}}\n{\"n\":2}\n",
                "{\"index\":null}\n{\"n\":1}\n{ \"create\" : {} }\n{\"n\":2}"
            })
    void aTextWhoseBeginningIsBrokenIsABulkRequestAllTheSame(String text) throws Exception {
        ByteArrayInputStream in = new ByteArrayInputStream(utf8(text));

        assertThat(TextPeek.isBulkRequest(in)).isTrue();
        assertThat(in.readAllBytes()).isEqualTo(utf8(text));
        assertThatThrownBy(() -> BulkTexts.operations(text)).hasMessageContaining("operation 0 at byte 0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"n\":1}\n{\"index\":{\"title\":\"x\"}}\n",
                "{\"n\":1}\n{\"index\":{},\"n\":2}\n",
                "[\n{\"index\":{}}\n]"
            })
    void documentsThatAreNoActionLinesAreDocuments(String text) throws Exception {
        assertThat(TextPeek.isBulkRequest(new ByteArrayInputStream(utf8(text)))).isFalse();
    }
}
