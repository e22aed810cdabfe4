/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import static io.github.batchresidue.bulkapi.elasticsearch.BulkTexts.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.bulkapi.ItemKey;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OperationKeysTest {

    @Test
    void indexAndIdMakeTheKeyAndTheDelegatesIndexStandsInForNone() {
        List<Object> keys = keys(
                ItemKey.FROM_API,
                "books",
                "{\"index\":{\"_index\":\"books\",\"_id\":\"1\"}}\n{}\n",
                "{\"delete\":{\"_id\":\"1\"}}\n",
                "{\"index\":{\"_index\":\"other\",\"_id\":\"1\"}}\n{}\n",
                "{\"index\":{}}\n{}\n",
                "{\"index\":{\"_id\":\"\"}}\n{}\n",
                "{\"index\":{\"_id\":\"\\u0031\"}}\n{}\n",
                "{\"index\":{\"_id\":1}}\n{}\n");

        assertThat(keys.get(1)).isEqualTo(keys.get(0)).isEqualTo(keys.get(5)).isEqualTo(keys.get(6));
        assertThat(keys.get(2)).isNotNull().isNotEqualTo(keys.get(0));
        assertThat(keys.get(3)).isNull();
        assertThat(keys.get(4)).isNull();
    }

    @Test
    void theyCanBeTurnedOff() {
        assertThat(keys(ItemKey.NONE, "books", "{\"delete\":{\"_id\":\"1\"}}\n"))
                .containsOnlyNulls();
    }

    @Test
    void fieldsOfTheDocumentMakeATupleComparedByValue() {
        List<Object> keys = keys(
                ItemKey.parse("shop,/article/sku"),
                null,
                "{\"index\":{\"_id\":\"1\"}}\n{\"shop\":1,\"article\":{\"sku\":\"a\"}}\n",
                "{\"update\":{\"_id\":\"2\"}}\n{\"doc\":{\"article\":{\"sku\":\"\\u0061\"},\"shop\":1.0}}\n",
                "{\"index\":{}}\n{\"shop\":\"1\",\"article\":{\"sku\":\"a\"}}\n",
                "{\"index\":{}}\n{\"shop\":1,\"article\":{\"sku\":null}}\n",
                "{\"index\":{}}\n{\"article\":{\"sku\":\"a\"}}\n",
                "{\"index\":{}}\n{broken\n",
                "{\"delete\":{\"_id\":\"1\"}}\n");

        assertThat(keys.get(1)).isNotNull().isEqualTo(keys.get(0));
        assertThat(keys.get(2)).isNotNull().isNotEqualTo(keys.get(0));
        assertThat(keys.subList(3, 7)).containsOnlyNulls();
    }

    @Test
    void aFunctionIsGivenTheItem() {
        List<Object> keys = keys(ItemKey.of(body -> body.toString().length()), null, "{\"delete\":{\"_id\":\"1\"}}\n");

        assertThat(keys).containsExactly(23);
    }

    private static List<Object> keys(ItemKey itemKey, String defaultIndex, String... operations) {
        List<Object> keys = new ArrayList<>();
        new OperationReader(
                        new ByteArrayInputStream(utf8(String.join("", operations))),
                        new OperationKeys(itemKey, defaultIndex),
                        false)
                .forEachRemaining(operation -> keys.add(operation.key()));
        return keys;
    }
}
