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
    void newlinesAreFoundWhereverTheyStand() {
        Random random = new Random(3);
        for (int run = 0; run < 20_000; run++) {
            byte[] bytes = new byte[random.nextInt(40)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = random.nextInt(12) == 0 ? (byte) '\n' : (byte) random.nextInt(256);
            }
            int from = random.nextInt(bytes.length + 1);
            int to = from + random.nextInt(bytes.length - from + 1);
            int newline = -1;
            for (int i = to - 1; i >= from; i--) {
                newline = bytes[i] == '\n' ? i : newline;
            }

            assertThat(Bytes.newline(bytes, from, to)).isEqualTo(newline);
        }
    }

    @Test
    void noByteThatMattersPassesForPlainText() {
        Random random = new Random(7);
        for (int run = 0; run < 20_000; run++) {
            byte[] bytes = new byte[Long.BYTES];
            random.nextBytes(bytes);
            for (int quote = random.nextInt(4); quote > 0; quote--) {
                bytes[random.nextInt(bytes.length)] = '"';
            }
            int quotes = 0;
            boolean hasStructure = false;
            for (byte b : bytes) {
                quotes += b == '"' ? 1 : 0;
                hasStructure |= "{}[]\\\n\r".indexOf(b) >= 0;
            }
            long eight = Bytes.eightAt(bytes, 0);

            assertThat(Bytes.hasOddHighBits(Bytes.allButQuotes(eight))).isEqualTo(quotes % 2 == 1);
            if (hasStructure) {
                assertThat(Bytes.hasHighBits(Bytes.structure(eight)))
                        .as("%x", eight)
                        .isTrue();
            }
        }
    }

    @Test
    void plainTextIsTakenTogether() {
        String plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789,.:;!?'\"+-*/=()<>_^~@#$%&`  "
                + "\u00e4\u00f6\u00fc\u00df\u20ac\u4e16\u754c";
        byte[] bytes = plain.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i + Long.BYTES <= bytes.length; i++) {
            assertThat(Bytes.hasHighBits(Bytes.structure(Bytes.eightAt(bytes, i))))
                    .as("%d", i)
                    .isFalse();
        }
    }
}
