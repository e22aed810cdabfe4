/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;

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
}
