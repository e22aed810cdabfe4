/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchresidue.bulkapi.RawJson;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonElementsTest {

    @Test
    void cutsTheItemsOfAnArrayAtTheirOwnBytes() {
        assertThat(whole(" [ {\"a\" : 1} ,\n[2, [3]],\"x,]\\\"}\", -1.5e+3,true ,null,{}, [] ] \n"))
                .containsExactly("{\"a\" : 1}", "[2, [3]]", "\"x,]\\\"}\"", "-1.5e+3", "true", "null", "{}", "[]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n\n", " \r\n\t", "[]", " [ \n] \n"})
    void findsNothingInAnEmptyText(String text) {
        assertThat(whole(text)).isEmpty();
    }

    @Test
    void cutsLines() {
        assertThat(whole("\n{\"a\":1}\r\n  {\"b\": [1, 2]} \t\n\n\n42\n\"x\"\n{\"c\":\"\\n\"}"))
                .containsExactly("{\"a\":1}", "{\"b\": [1, 2]}", "42", "\"x\"", "{\"c\":\"\\n\"}");
    }

    @Test
    void cutsObjectsThatStandOverSeveralLinesOrOneAfterTheOther() {
        assertThat(whole("{\n  \"a\": [\n    1,\n    {}\n  ]\n}\n{\n  \"b\": 2\n} {\"c\":3}{\"d\":4}\r{\"e\":5}\n"))
                .containsExactly(
                        "{\n  \"a\": [\n    1,\n    {}\n  ]\n}",
                        "{\n  \"b\": 2\n}",
                        "{\"c\":3}",
                        "{\"d\":4}",
                        "{\"e\":5}");
    }

    @Test
    void readsNoFurtherThanALineNeeds() throws IOException {
        InputStream in = new InputStream() {
            private final ByteArrayInputStream first = bytes("{\"a\":1}\n{\"b\"");

            @Override
            public int read() throws IOException {
                throw new IOException("would wait");
            }

            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                return first.available() > 0 ? first.read(target, offset, length) : read();
            }
        };
        try (JsonElements elements = new JsonElements(in)) {
            assertThat(elements.next().json().text()).isEqualTo("{\"a\":1}");
            assertThatThrownBy(elements::hasNext).hasRootCauseMessage("would wait");
        }
    }

    @Test
    void growsWithItsLargestElement() {
        String large = "{\"a\":\"" + "x".repeat(1_000_000) + "\"}";
        assertThat(whole("[1," + large + ",2]")).containsExactly("1", large, "2");
        assertThat(whole("1\n" + large + "\n2")).containsExactly("1", large, "2");
        assertThat(whole(" ".repeat(200_000) + "1" + "\n".repeat(200_000) + "2"))
                .containsExactly("1", "2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[|0|the text ends before it|1",
                "[{\"a\":1}|1|the text ends before it|8",
                "[{\"a\":1},|1|the text ends before it|9",
                "[1,23|1|the text ends inside a value|5",
                "[1,]|1|expected a value|3",
                "[,1]|0|expected a value|1",
                "[1 2]|1|expected ',' or ']'|3",
                "[1}|1|expected ',' or ']'|2",
                "[1,{\"a\":1]|1|expected ',' or '}'|9",
                "[1,{\"a\":1|1|the text ends inside a value|9",
                "[{\"a\":1, {\"b\":2}, 3]|0|expected a member name|9",
                "[{\"a\" 1}]|0|expected ':'|6",
                "[{\"a\":}]|0|expected a value|6",
                "[{a:1}]|0|expected a member name|2",
                "[\"abc|0|the text ends inside a value|5",
                "[1] x|1|text after its end|4",
                "[1][2]|1|text after its end|3",
                "[1]]|1|text after its end|3"
            })
    void endsABrokenArrayWithTheByteAfterTheElementsBeforeIt(String text, int complete, String problem, int at)
            throws IOException {
        try (JsonElements elements = new JsonElements(bytes(text))) {
            for (int i = 0; i < complete; i++) {
                assertThat(elements.next().problem()).isNull();
            }
            String message = "broken JSON array: " + problem + ", at byte " + at;
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(elements::hasNext)
                        .isInstanceOf(UncheckedIOException.class)
                        .hasRootCauseMessage(message);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\":1|the text|no JSON: the line ends inside a value, at byte 14",
                "{\"a\":|value|no JSON: the line ends inside a value, at byte 13",
                "{|opener|no JSON: the line ends inside a value, at byte 9",
                "{\"a\":\"x|string|no JSON: the line ends inside a string, at byte 15",
                "{\"a\":{\"b\":1}|bracket|no JSON: the line ends inside a value, at byte 20",
                "{\"a\":[1,2|array|no JSON: the line ends inside a value, at byte 17",
                "{\"a\":1}}|too many|no JSON: text after the value, at byte 15",
                "{\"a\":1},|comma|no JSON: text after the value, at byte 15",
                "{\"a\":1} x|rest|no JSON: text after the value, at byte 16",
                "}|closer|no JSON: expected a value, at byte 8",
                "not json|words|no JSON: text after the value, at byte 12",
                "garbage|word|no JSON: neither a number nor true, false or null, at byte 8",
                "{\"a\":01}|number|no JSON: neither a number nor true, false or null, at byte 13",
                "{\"a\":\"\\x\"}|escape|no JSON: bad escape in a string, at byte 15",
                "{\"a\":\"\\u12g4\"}|hex|no JSON: bad escape in a string, at byte 18",
                "a,b,c|csv|no JSON: text after the value, at byte 9"
            })
    void losesOnlyTheBrokenLine(String broken, String why, String problem) {
        List<JsonElements.Element> elements = read("{\"i\":0}\n" + broken + "\n{\"i\":2}\n{\"i\":3}\n");

        assertThat(texts(elements)).as(why).containsExactly("{\"i\":0}", broken, "{\"i\":2}", "{\"i\":3}");
        assertThat(elements).extracting(JsonElements.Element::problem).containsExactly(null, problem, null, null);
    }

    @Test
    void namesABrokenLastLine() {
        List<JsonElements.Element> elements = read("{\"a\":1}\n{\"a\":[1,\r\n\n");

        assertThat(texts(elements)).containsExactly("{\"a\":1}", "{\"a\":[1,");
        assertThat(elements.get(1).problem()).isEqualTo("no JSON: the line ends inside a value, at byte 16");
    }

    @Test
    void takesNoPartOfABrokenObjectForAnItem() {
        List<JsonElements.Element> elements =
                read("{\n  \"list\": [\n    {\"x\":1}\n\n    {\"x\":2}\n  ]\n}\n{\n  \"b\": 2\n}");
        assertThat(texts(elements))
                .containsExactly("{\n  \"list\": [\n    {\"x\":1}\n\n    {\"x\":2}\n  ]\n}", "{\n  \"b\": 2\n}");
        assertThat(elements.get(0).problem()).isEqualTo("no JSON: expected ',' or ']', at byte 31");
        assertThat(elements.get(1).problem()).isNull();

        assertThat(texts(read("{\"z\":0}\n{\n  \"list\": [\n    {\"x\":1},\n    {\"x\":2}\n")))
                .containsExactly("{\"z\":0}", "{\n  \"list\": [\n    {\"x\":1},\n    {\"x\":2}");
    }

    @Test
    void passesOverATokenThatIsWrongInItself() {
        List<JsonElements.Element> elements = read("[{\"a\":NaN},{\"b\":\"\t\"},{\"c\":\"\\q\\u00\"},{\"d\":1}]");

        assertThat(texts(elements))
                .containsExactly("{\"a\":NaN}", "{\"b\":\"\t\"}", "{\"c\":\"\\q\\u00\"}", "{\"d\":1}");
        assertThat(elements)
                .extracting(JsonElements.Element::problem)
                .containsExactly(
                        "no JSON: neither a number nor true, false or null, at byte 6",
                        "no JSON: control character in a string, at byte 17",
                        "no JSON: bad escape in a string, at byte 28",
                        null);
    }

    @Test
    void followsNestingAsDeepAsJacksonDoes() {
        String deep = "[".repeat(JsonScanner.MAX_DEPTH) + "]".repeat(JsonScanner.MAX_DEPTH);
        assertThat(whole("[" + deep + "]")).containsExactly(deep);
        assertThatThrownBy(() -> read("[[" + deep + "]]"))
                .hasRootCauseMessage("broken JSON array: nested deeper than 1000, at byte 1001");
    }

    @Test
    void endsAsAnIteratorShould() throws IOException {
        try (JsonElements elements = new JsonElements(bytes("1"))) {
            elements.next();
            assertThat(elements.hasNext()).isFalse();
            assertThat(elements.hasNext()).isFalse();
            assertThatThrownBy(elements::next).isInstanceOf(NoSuchElementException.class);
        }
    }

    /** The texts of elements that all have to be good. */
    private static List<String> whole(String text) {
        List<JsonElements.Element> elements = read(text);
        assertThat(elements).allMatch(element -> element.problem() == null);
        return texts(elements);
    }

    private static List<JsonElements.Element> read(String text) {
        List<JsonElements.Element> elements = new ArrayList<>();
        new JsonElements(bytes(text)).forEachRemaining(elements::add);
        return elements;
    }

    private static List<String> texts(List<JsonElements.Element> elements) {
        return elements.stream()
                .map(JsonElements.Element::json)
                .map(RawJson::text)
                .toList();
    }

    private static ByteArrayInputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
}
