/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import static io.github.batchresidue.bulkapi.elasticsearch.BulkTexts.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.RawJson;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentReaderTest {

    private static final String TEXT = "{\"sku\":\"a\",\"n\":1.50,\"shop\":7}";

    /** A document of the user's own class. */
    public record Article(String sku, int shop) {}

    static Stream<Object> documents() throws Exception {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("sku", "a");
        map.put("shop", 7);
        return Stream.of(
                map,
                BulkTexts.JSON.valueToTree(map),
                new Article("a", 7),
                "{\"sku\":\"a\",\"shop\":7}",
                utf8("{\"sku\":\"a\",\"shop\":7}"),
                new RawJson(utf8("{\"sku\":\"a\",\"shop\":7}")));
    }

    @ParameterizedTest
    @MethodSource("documents")
    void aDocumentOfAnyFormMakesTheSameOperation(Object document) throws Exception {
        BulkOperation operation = reader(Map.of("index", "books", "idField", "sku", "routingField", "shop"))
                .read(document);

        assertThat(lines(operation))
                .isEqualTo(
                        "{\"index\":{\"_index\":\"books\",\"_id\":\"a\",\"routing\":\"7\"}}\n{\"sku\":\"a\",\"shop\":7}\n");
        assertThat(operation.id()).isEqualTo("a");
        assertThat(operation.key()).isNotNull();
        assertThat(operation.bytes()).isEqualTo(operation.toBytes().length);
        assertThat(operation.body()).isEqualTo(document instanceof RawJson raw ? raw.text() : document);
    }

    @ParameterizedTest
    @MethodSource("documents")
    void anUpdateWrapsItAndADeleteTakesItsIdAlone(Object document) throws Exception {
        assertThat(lines(reader(Map.of("action", "update", "idField", "sku")).read(document)))
                .isEqualTo("{\"update\":{\"_id\":\"a\"}}\n{\"doc\":{\"sku\":\"a\",\"shop\":7}}\n");
        assertThat(lines(reader(Map.of("action", "delete", "idField", "sku")).read(document)))
                .isEqualTo("{\"delete\":{\"_id\":\"a\"}}\n");
    }

    @Test
    void withoutOptionsADocumentIsIndexedUnnamed() throws Exception {
        BulkOperation operation = reader(Map.of()).read(TEXT);

        assertThat(lines(operation)).isEqualTo("{\"index\":{}}\n" + TEXT + "\n");
        assertThat(operation.key()).isNull();
        assertThat(operation.safeToResend()).isFalse();
    }

    @Test
    void aTextOfSeveralLinesIsPutIntoOneWithItsNumbersAsTheyAre() throws Exception {
        BulkOperation operation = reader(Map.of()).read("{\n  \"n\": 1.50,\r\n  \"big\": 12345678901234567890.10\n}\n");

        assertThat(lines(operation)).isEqualTo("{\"index\":{}}\n{\"n\":1.50,\"big\":12345678901234567890.10}\n");
    }

    @Test
    void aMapperThatIndentsDoesNoHarm() throws Exception {
        ObjectMapper indenting = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        DocumentReader reader = new DocumentReader(options(Map.of()), indenting, BulkTexts.KEYS);

        assertThat(lines(reader.read(Map.of("a", Map.of("b", 1))))).isEqualTo("{\"index\":{}}\n{\"a\":{\"b\":1}}\n");
        assertThat(lines(reader.read(Map.of("action", "create", "doc", Map.of("b", 1)))))
                .isEqualTo("{\"create\":{}}\n{\"b\":1}\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"action\":\"index\",\"_index\":\"b\",\"_id\":\"1\",\"routing\":\"r\",\"doc\":{\"a\":1.0}} -> {\"index\":{\"_index\":\"b\",\"_id\":\"1\",\"routing\":\"r\"}} {\"a\":1.0}",
                "{\"action\":\"create\",\"_id\":5,\"doc\":{}} -> {\"create\":{\"_id\":5}} {}",
                "{\"action\":\"delete\",\"_id\":\"1\",\"version\":3,\"version_type\":\"external\"} -> {\"delete\":{\"_id\":\"1\",\"version\":3,\"version_type\":\"external\"}}",
                "{\"action\":\"update\",\"_id\":\"1\",\"retry_on_conflict\":3,\"doc\":{\"a\":1},\"doc_as_upsert\":true,\"_source\":false} -> {\"update\":{\"_id\":\"1\",\"retry_on_conflict\":3}} {\"doc\":{\"a\":1},\"doc_as_upsert\":true,\"_source\":false}",
                "{\"action\":\"update\",\"_id\":\"1\",\"script\":\"x\",\"upsert\":{}} -> {\"update\":{\"_id\":\"1\"}} {\"script\":\"x\",\"upsert\":{}}",
                "{\"action\":\"archive\",\"doc\":1} -> {\"index\":{}} {\"action\":\"archive\",\"doc\":1}"
            })
    void anOperationMayBeWrittenAsAMapOrAText(String example) throws Exception {
        String text = example.substring(0, example.indexOf(" -> "));
        String expected = example.substring(example.indexOf(" -> ") + 4).replace("} {", "}\n{") + "\n";
        ObjectNode tree = (ObjectNode) BulkTexts.JSON.readTree(text);

        for (Object form : List.of(text, new RawJson(utf8(text)), tree)) {
            BulkOperation operation = reader(Map.of()).read(form);
            assertThat(lines(operation)).isEqualTo(expected);
            assertThat(operation.body()).isEqualTo(form instanceof RawJson ? text : form);
        }
        Map<?, ?> map = BulkTexts.JSON.convertValue(tree, LinkedHashMap.class);
        assertThat(lines(reader(Map.of()).read(map))).isEqualTo(expected);
    }

    @Test
    void withAnActionGivenEverythingIsADocument() throws Exception {
        String text = "{\"action\":\"delete\",\"_id\":\"1\"}";

        assertThat(lines(reader(Map.of("action", "index")).read(text))).isEqualTo("{\"index\":{}}\n" + text + "\n");
        assertThat(lines(reader(Map.of("action", "index")).read(Map.of("action", "delete"))))
                .isEqualTo("{\"index\":{}}\n{\"action\":\"delete\"}\n");
    }

    @Test
    void documentsWithoutAnIdAreGivenOneOnRequest() throws Exception {
        DocumentReader reader = reader(Map.of("generateIds", "true", "action", "create", "idField", "sku"));

        assertThat(reader.read("{\"sku\":\"a\"}").id()).isEqualTo("a");
        assertThat(reader.read("{}").id()).hasSize(22);
        assertThat(reader.read("{}").safeToResend()).isTrue();
        BulkOperation operation =
                reader(Map.of("generateIds", "true")).read(Map.of("action", "index", "doc", Map.of()));
        assertThat(lines(operation)).isEqualTo("{\"index\":{\"_id\":\"" + operation.id() + "\"}}\n{}\n");
    }

    static Stream<Object> noItems() {
        return Stream.of(
                "",
                "garbage",
                "[1]",
                "7",
                "{\"a\":",
                "{\n\"a\":\n",
                7,
                "a text",
                List.of(1),
                new RawJson(utf8("null")),
                Map.of("action", "index"),
                Map.of("action", "index", "doc", "text"),
                Map.of("action", "update", "_id", "1"),
                Map.of("a", new Object()));
    }

    @ParameterizedTest
    @MethodSource("noItems")
    void whatCanNeverBeSentIsRefused(Object element) {
        assertThatThrownBy(() -> reader(Map.of()).read(element))
                .isInstanceOf(InvalidItemException.class)
                .hasMessageNotContaining("garbage");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"sku\":null}", "{\"sku\":{\"a\":1}}", "{\"sku\":[1]}"})
    void anUpdateNeedsASingleValueForItsId(String document) throws Exception {
        DocumentReader reader = reader(Map.of("action", "update", "idField", "sku"));

        for (Object form : List.of(
                document, BulkTexts.JSON.readTree(document), BulkTexts.JSON.readValue(document, LinkedHashMap.class))) {
            assertThatThrownBy(() -> reader.read(form))
                    .isInstanceOf(InvalidItemException.class)
                    .hasMessageContaining("sku");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"action=upsert", "generateIds=yes", "filterPath=1", "action=update", "action=delete"})
    void badOptionsAreNamed(String option) {
        String[] nameAndValue = option.split("=");

        assertThatThrownBy(() -> options(Map.of(nameAndValue[0], nameAndValue[1])))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bulkApi." + option);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id\":\"7\",\"a\":1},\"script\":{\"source\":\"ctx.op='delete'\"}",
                "{\"id\":\"7\"}{\"b\":2}",
                "{\"id\":\"7\"}\n{\"b\":2}",
                "{\"id\":\"7\"} xyz",
                "{\"id\":\"7\"}}",
                "{\"id\":\"7\"",
                "{\"id\":\"7}",
                "{\"id\":\"}\\\"\"",
                ""
            })
    void nothingBehindADocumentComesIntoTheRequest(String text) {
        for (Map<String, String> options : List.of(
                Map.<String, String>of(),
                Map.of("action", "index"),
                Map.of("action", "create", "idField", "id"),
                Map.of("action", "update", "idField", "id"))) {
            for (Object element : List.of(text, text.getBytes(StandardCharsets.UTF_8))) {
                assertThatThrownBy(() -> reader(options).read(element))
                        .as("%s %s", options, text)
                        .isInstanceOf(InvalidItemException.class);
            }
        }
    }

    /** What an operation of a text has for its body makes the same operation again as an element of a list. */
    @Test
    void anElementMayBeTheTextOfOneOperation() throws Exception {
        Random random = new Random(1);
        for (int round = 0; round < 500; round++) {
            BulkOperation operation = (BulkOperation)
                    BulkTexts.operations(BulkTexts.made(random).text("\n")).get(0);
            String text = (String) operation.body();
            for (Object form : List.of(text, text.stripTrailing(), utf8(text))) {
                BulkOperation again = reader(Map.of()).read(form);
                assertThat(lines(again))
                        .isEqualTo(form.equals(text.stripTrailing()) ? text.stripTrailing() + "\n" : text);
                assertThat(again.line()).isEqualTo(operation.line());
                assertThat(again.key()).isEqualTo(operation.key());
                assertThat(again.safeToResend()).isEqualTo(operation.safeToResend());
                assertThat(again.body()).isEqualTo(form);
            }
        }
    }

    @Test
    void anOperationAsTextIsGivenAnIdToo() throws Exception {
        BulkOperation operation = reader(Map.of("generateIds", "true")).read("{\"index\":{}}\n{\"a\":1}\n");

        assertThat(operation.id()).hasSize(22);
        assertThat(lines(operation)).isEqualTo("{\"index\":{\"_id\":\"" + operation.id() + "\"}}\n{\"a\":1}\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"index\":{}}",
                "{\"index\":{}}\n[]",
                "{\"index\":{}}\n{\n\"a\":1}",
                "{\"index\":{}}\n{}\n{\"index\":{}}\n{}\n",
                "{\"delete\":{\"_id\":\"1\"}}\n{\"delete\":{\"_id\":\"2\"}}\n"
            })
    void anElementThatIsMoreOrLessThanOneOperationIsRefused(String text) {
        assertThatThrownBy(() -> reader(Map.of()).read(text))
                .isInstanceOf(InvalidItemException.class)
                .hasMessageContaining("behind its action line");
    }

    @Test
    void anActionLineIsNoDocumentUnlessTheUserSaysSo() throws Exception {
        Map<String, Object> line = Map.of("delete", Map.of("_id", "1"));
        String text = "{\"delete\":{\"_id\":\"1\"}}";

        for (Object form : List.of(line, BulkTexts.JSON.valueToTree(line), new RawJson(utf8(text)))) {
            assertThatThrownBy(() -> reader(Map.of()).read(form))
                    .isInstanceOf(InvalidItemException.class)
                    .hasMessageContaining("set bulkApi.action");
            assertThat(lines(reader(Map.of("action", "index")).read(form))).isEqualTo("{\"index\":{}}\n" + text + "\n");
        }
        assertThat(lines(reader(Map.of()).read(Map.of("delete", Map.of("title", "x")))))
                .isEqualTo("{\"index\":{}}\n{\"delete\":{\"title\":\"x\"}}\n");
    }

    @Test
    void anOperationAsJsonKeepsItsNumbersAndItsLength() throws Exception {
        String numbers = "{\"a\":0.12345678901234567890123,\"b\":1.50,\"c\":12345678901234567.89,\"d\":1E+400}";
        String length = "{\"a\":\"" + "x".repeat(25_000_000) + "\"}";
        for (String document : List.of(numbers, length)) {
            String operation = "{\"action\":\"index\",\"doc\":" + document + "}";

            assertThat(lines(reader(Map.of()).read(operation)).equals("{\"index\":{}}\n" + document + "\n"))
                    .isTrue();
        }
    }

    @Test
    void aTextThatUtf8CannotHoldIsRefused() {
        DocumentReader reader = reader(Map.of("action", "index"));

        assertThatThrownBy(() -> reader.read("{\"name\":\"\uD83D\"}"))
                .isInstanceOf(InvalidItemException.class)
                .hasMessageContaining("half a surrogate pair at character 9");
    }

    private static DocumentReader reader(Map<String, String> options) {
        return new DocumentReader(options(options), BulkTexts.JSON, BulkTexts.KEYS);
    }

    private static BulkApiOptions options(Map<String, String> options) {
        return new BulkApiOptions(options);
    }

    private static String lines(BulkOperation operation) {
        return new String(operation.toBytes(), java.nio.charset.StandardCharsets.UTF_8);
    }
}
