/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ObjectFormTest {

    @Test
    void oneObjectIsToldFromWhatIsMoreOrLessWhateverItsStringsHold() {
        Random random = new Random(5);
        for (int run = 0; run < 20_000; run++) {
            String object = object(random, 0);

            assertThat(form(object)).as(object).isEqualTo(ObjectForm.LINE);
            assertThat(form(" \r\n" + object + "\t ")).isEqualTo(ObjectForm.LINES);
            assertThat(form(object + object)).isEqualTo(ObjectForm.NONE);
            assertThat(form(object + "}")).isEqualTo(ObjectForm.NONE);
            assertThat(form(object + ",\"a\":1")).isEqualTo(ObjectForm.NONE);
            assertThat(form(inLines(object))).isEqualTo(object.indexOf(':') < 0 ? ObjectForm.LINE : ObjectForm.LINES);
            int cut = random.nextInt(object.length());
            assertThat(form(object.substring(0, cut))).isEqualTo(ObjectForm.NONE);
        }
    }

    /** Texts that are mostly no JSON, told as a reader of single characters tells them. */
    @Test
    void anyTextIsToldAsCharacterByCharacter() {
        Random random = new Random(11);
        String alphabet = "{{}}[]\"\"\\\n\r aaaaaaaaaaaa";
        for (int run = 0; run < 200_000; run++) {
            StringBuilder text = new StringBuilder("{");
            for (int length = random.nextInt(60); length > 0; length--) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            text.append("}");

            assertThat(form(text.toString())).as(text.toString()).isEqualTo(formOf(text.toString()));
        }
    }

    private static ObjectForm formOf(String text) {
        String noStrings = text.replaceAll("(?s)\"(\\\\.|[^\"\\\\])*\"", "s");
        int depth = 0;
        for (int i = 0; i < noStrings.length(); i++) {
            char c = noStrings.charAt(i);
            if (c == '"') {
                return ObjectForm.NONE; // A string without an end.
            }
            depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
            if (depth == 0 && !noStrings.substring(i + 1).isBlank()) {
                return ObjectForm.NONE;
            }
            if (depth == 0) {
                return text.contains("\n") || text.contains("\r") ? ObjectForm.LINES : ObjectForm.LINE;
            }
        }
        return ObjectForm.NONE;
    }

    private static ObjectForm form(String text) {
        return ObjectForm.of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** With a line end behind each name. */
    private static String inLines(String object) {
        return object.replace("\":", "\":\n");
    }

    private static String object(Random random, int depth) {
        StringBuilder text = new StringBuilder("{");
        for (int members = random.nextInt(4); members > 0; members--) {
            text.append(text.length() == 1 ? "" : ",")
                    .append(string(random))
                    .append(":")
                    .append(
                            switch (random.nextInt(depth > 3 ? 2 : 4)) {
                                case 0 -> string(random);
                                case 1 -> "-1.5e3";
                                case 2 -> "[" + object(random, depth + 1) + ",null]";
                                default -> object(random, depth + 1);
                            });
        }
        return text.append("}").toString();
    }

    private static String string(Random random) {
        String[] parts = {"a", "{", "}", "[", "]", "\\\"", "\\\\", "\u00fc", ",", " ", "long enough for eight"};
        StringBuilder text = new StringBuilder("\"");
        for (int length = random.nextInt(9); length > 0; length--) {
            text.append(parts[random.nextInt(parts.length)]);
        }
        return text.append('"').toString();
    }
}
