/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random texts, read in random pieces, against what Jackson makes of them. A failure names its seed. */
class JsonElementsFuzzTest {

    private static final ObjectMapper MAPPER =
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    static LongStream seeds() {
        return LongStream.range(0, 300);
    }

    /** Fewer, for each text is truncated at each of its bytes. */
    static LongStream fewSeeds() {
        return LongStream.range(0, 40);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void cutsAnArrayAsJacksonReadsIt(long seed) throws IOException {
        Random random = new Random(seed);
        List<String> values = values(random, random.nextInt(20));
        String text = array(values, random);

        assertThat(read(text, random)).containsExactlyElementsOf(good(values));
        assertThat(values).map(MAPPER::readTree).containsExactlyElementsOf(MAPPER.readTree(text));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void cutsLinesAsTheyStand(long seed) {
        Random random = new Random(seed);
        List<String> values = values(random, random.nextInt(20));

        assertThat(read(lines(values, random), random)).containsExactlyElementsOf(good(values));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void cutsObjectsAsJacksonPrintsThem(long seed) throws IOException {
        Random random = new Random(seed);
        List<String> values = new ArrayList<>();
        for (int i = random.nextInt(8); i >= 0; i--) {
            values.add(MAPPER.readTree(object(random, 0)).toPrettyString());
        }
        String separator = random.nextBoolean() ? "\n" : " ";

        assertThat(read(String.join(separator, values), random)).containsExactlyElementsOf(good(values));
    }

    @ParameterizedTest
    @MethodSource("fewSeeds")
    void handsOutWhatIsCompleteOfATruncatedArray(long seed) {
        Random random = new Random(seed);
        List<String> values = values(random, 1 + random.nextInt(4));
        byte[] text = array(values, random).stripTrailing().getBytes(StandardCharsets.UTF_8);
        int start = text[0] == '[' ? 1 : new String(text, StandardCharsets.UTF_8).indexOf('[') + 1;

        for (int length = start; length < text.length; length++) {
            List<String> read = new ArrayList<>();
            byte[] truncated = Arrays.copyOf(text, length);

            assertThat(catchThrowable(() -> read(truncated, random, read)))
                    .as("of %d bytes", length)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("broken JSON array: the text ends");
            assertThat(good(values).subList(0, read.size())).isEqualTo(read);
        }
    }

    @ParameterizedTest
    @MethodSource("fewSeeds")
    void losesNothingBeforeTheEndOfTruncatedLines(long seed) {
        Random random = new Random(seed);
        List<String> values = values(random, 1 + random.nextInt(4));
        String text = String.join("\n", values);
        int lastLine = text.length() - values.get(values.size() - 1).length();

        for (int length = lastLine; length < text.length(); length++) {
            String last = text.substring(lastLine, length).stripTrailing();
            if (!last.isEmpty() && Character.isHighSurrogate(last.charAt(last.length() - 1))) {
                continue;
            }
            List<String> expected = good(values.subList(0, values.size() - 1));
            if (!last.isEmpty()) {
                expected.add((isJson(last) ? "good " : "broken ") + last);
            }

            assertThat(read(text.substring(0, length), random))
                    .as("of %d characters", length)
                    .containsExactlyElementsOf(expected);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void losesOnlyTheBrokenLines(long seed) {
        Random random = new Random(seed);
        List<String> lines = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            String line = object(random, 0);
            boolean afterBroken = i > 0 && expected.get(i - 1).startsWith("broken");
            if (random.nextInt(3) == 0 && !afterBroken) { // Two broken lines in a row may be one good value.
                line = damage(line, random);
            }
            lines.add(line);
            expected.add((isJson(line) ? "good " : "broken ") + line);
        }

        assertThat(read(lines(lines, random), random)).containsExactlyElementsOf(expected);
    }

    /** A line that lacks its end, or one of its brackets, or has something in it or after it. */
    private static String damage(String line, Random random) {
        int at = line.offsetByCodePoints(0, 1 + random.nextInt(line.codePointCount(0, line.length()) - 1));
        return switch (random.nextInt(4)) {
            case 0 -> line.substring(0, at).strip();
            case 1 -> line.substring(0, line.length() - 1).strip();
            case 2 -> line.substring(0, at) + "}" + line.substring(at);
            default -> line + ",";
        };
    }

    private static boolean isJson(String text) {
        try {
            MAPPER.readTree(text);
            return true;
        } catch (JsonProcessingException e) {
            return false;
        }
    }

    // ---- Reading

    private static List<String> good(List<String> values) {
        return new ArrayList<>(values.stream().map(value -> "good " + value).toList());
    }

    private static List<String> read(String text, Random random) {
        List<String> elements = new ArrayList<>();
        read(text.getBytes(StandardCharsets.UTF_8), random, elements);
        return elements;
    }

    private static void read(byte[] text, Random random, List<String> elements) {
        new JsonElements(inPieces(text, random))
                .forEachRemaining(element -> elements.add((element.problem() == null ? "good " : "broken ")
                        + element.json().text()));
    }

    private static InputStream inPieces(byte[] text, Random random) {
        int most = 1 << random.nextInt(17);
        return new ByteArrayInputStream(text) {
            @Override
            public synchronized int read(byte[] target, int offset, int length) {
                return super.read(target, offset, Math.min(length, 1 + random.nextInt(most)));
            }
        };
    }

    // ---- Writing

    private static String array(List<String> values, Random random) {
        StringBuilder text = new StringBuilder(blanks(random)).append('[').append(blanks(random));
        for (int i = 0; i < values.size(); i++) {
            text.append(i == 0 ? "" : "," + blanks(random))
                    .append(values.get(i))
                    .append(blanks(random));
        }
        return text.append(']').append(blanks(random)).toString();
    }

    private static String lines(List<String> lines, Random random) {
        StringBuilder text = new StringBuilder();
        for (String line : lines) {
            text.append(spaces(random)).append(line).append(spaces(random));
            text.append(random.nextBoolean() ? "\n" : "\r\n").append(random.nextInt(5) == 0 ? " \n" : "");
        }
        return random.nextBoolean() ? text.toString() : text.toString().stripTrailing();
    }

    private static List<String> values(Random random, int count) {
        // No array: the first one would make the text an array.
        return IntStream.range(0, count)
                .mapToObj(i -> random.nextInt(4) == 0 ? scalar(random) : object(random, 0))
                .toList();
    }

    private static String value(Random random, int depth) {
        return switch (depth > 5 ? 0 : random.nextInt(4)) {
            case 1 -> object(random, depth + 1);
            case 2 -> list(random, depth + 1);
            default -> scalar(random);
        };
    }

    private static String object(Random random, int depth) {
        return IntStream.range(0, random.nextInt(5))
                .mapToObj(i -> string(random, "m" + i) + spaces(random) + ":" + spaces(random) + value(random, depth))
                .collect(Collectors.joining(
                        spaces(random) + "," + spaces(random), "{" + spaces(random), spaces(random) + "}"));
    }

    private static String list(Random random, int depth) {
        return IntStream.range(0, random.nextInt(5))
                .mapToObj(i -> value(random, depth))
                .collect(Collectors.joining("," + spaces(random), "[" + spaces(random), "]"));
    }

    private static String scalar(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> "true";
            case 1 -> "null";
            case 2 -> Long.toString(random.nextLong());
            case 3 -> Double.toString(random.nextGaussian() * 1e9);
            default -> string(random, "");
        };
    }

    private static String string(Random random, String prefix) {
        String[] parts = {
            "a",
            "Zürich",
            "漢字",
            "😀",
            "\\\"",
            "\\\\",
            "\\n",
            "\\u00e9",
            "\\ud83d\\ude00",
            "\\/",
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            " ",
            "'",
            "long text without anything special in it"
        };
        StringBuilder text = new StringBuilder("\"").append(prefix);
        for (int i = random.nextInt(6); i > 0; i--) {
            text.append(parts[random.nextInt(parts.length)]);
        }
        return text.append('"').toString();
    }

    private static String blanks(Random random) {
        return random.nextInt(3) > 0 ? "" : random.nextBoolean() ? "\n" : spaces(random) + "\r\n\t";
    }

    private static String spaces(Random random) {
        return random.nextInt(3) > 0 ? "" : random.nextBoolean() ? " " : " \t  ";
    }
}
