/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GatheringOutputStreamTest {

    @Test
    void allBytesArriveInOrderAndInLargeWrites() throws IOException {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            ByteArrayOutputStream expected = new ByteArrayOutputStream();
            Recorder recorder = new Recorder();
            try (OutputStream out = new GatheringOutputStream(recorder)) {
                for (int i = 0; i < 300; i++) {
                    byte[] bytes = new byte[random.nextInt(random.nextInt(20) == 0 ? 200_000 : 300)];
                    random.nextBytes(bytes);
                    int from = bytes.length / 3;
                    out.write(bytes, from, bytes.length - from);
                    out.write(i);
                    expected.write(bytes, from, bytes.length - from);
                    expected.write(i);
                }
            }
            assertThat(recorder.bytes.toByteArray()).as("seed %d", seed).isEqualTo(expected.toByteArray());
            assertThat(recorder.writes).as("seed %d", seed).hasSizeLessThan(80);
        }
    }

    @Test
    void streamsThatAreOpenAtOnceShareNoBuffer() throws IOException {
        Recorder first = new Recorder();
        Recorder second = new Recorder();
        GatheringOutputStream closedTwice = new GatheringOutputStream(new Recorder());
        closedTwice.close();
        try (OutputStream a = new GatheringOutputStream(first)) {
            closedTwice.close();
            try (OutputStream b = new GatheringOutputStream(second)) {
                a.write(new byte[] {1, 2});
                b.write(new byte[] {3, 4});
            }
        }
        assertThat(first.bytes.toByteArray()).containsExactly(1, 2);
        assertThat(second.bytes.toByteArray()).containsExactly(3, 4);
    }

    private static final class Recorder extends OutputStream {

        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final List<Integer> writes = new ArrayList<>();

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int length) {
            bytes.write(from, offset, length);
            writes.add(length);
        }
    }
}
