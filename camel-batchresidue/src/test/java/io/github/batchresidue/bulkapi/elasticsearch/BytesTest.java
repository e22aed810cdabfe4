/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BytesTest {

    @Test
    void lineEndsAreFoundWhereverTheyStand() {
        Random random = new Random(3);
        for (int run = 0; run < 20_000; run++) {
            byte[] bytes = new byte[random.nextInt(40)];
            for (int i = 0; i < bytes.length; i++) {
                int kind = random.nextInt(12);
                bytes[i] = kind == 0 ? (byte) '\n' : kind == 1 ? (byte) '\r' : (byte) random.nextInt(256);
            }
            int from = random.nextInt(bytes.length + 1);
            int to = from + random.nextInt(bytes.length - from + 1);
            int newline = -1;
            boolean hasLineEnd = false;
            for (int i = to - 1; i >= from; i--) {
                newline = bytes[i] == '\n' ? i : newline;
                hasLineEnd |= bytes[i] == '\n' || bytes[i] == '\r';
            }

            assertThat(Bytes.newline(bytes, from, to)).isEqualTo(newline);
            assertThat(Bytes.hasLineEnd(bytes, from, to)).isEqualTo(hasLineEnd);
        }
    }

    @Test
    void oneObjectIsToldFromWhatIsMoreOrLessWhateverItsStringsHold() {
        Random random = new Random(5);
        for (int run = 0; run < 20_000; run++) {
            String object = object(random, 0);

            assertThat(isOneObject(object)).as(object).isTrue();
            assertThat(isOneObject(" \r\n" + object + "\t ")).isTrue();
            assertThat(isOneObject(object + object)).isFalse();
            assertThat(isOneObject(object + "}")).isFalse();
            assertThat(isOneObject(object + ",\"a\":1")).isFalse();
            int cut = random.nextInt(object.length());
            assertThat(isOneObject(object.substring(0, cut))).isFalse();
        }
    }

    private static boolean isOneObject(String text) {
        return Bytes.isOneObject(text.getBytes(StandardCharsets.UTF_8));
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
