/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import static io.github.batchresidue.bulkapi.elasticsearch.BulkTexts.made;
import static io.github.batchresidue.bulkapi.elasticsearch.BulkTexts.operations;
import static io.github.batchresidue.bulkapi.elasticsearch.BulkTexts.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.bulkapi.BulkItem;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BulkBodyTest {

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void allOperationsOfATextMakeTheText(long seed) throws Exception {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 3000; i++) {
            text.append(
                    made(random).text(random.nextInt(20) == 0 ? "\r\n" : "\n").stripLeading());
        }
        String open = text.toString().stripTrailing();

        HttpBulkBody body = new HttpBulkBody(operations(open));

        byte[] expected = utf8(open + "\n");
        assertThat(body.getContentLength()).isEqualTo(expected.length);
        assertThat(written(body)).isEqualTo(expected);
        assertThat(body.getContent().readAllBytes()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aPartOfThemIsWrittenInTheSameBytes(long seed) throws Exception {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 2000; i++) {
            text.append(made(random).text("\n").stripLeading());
        }
        List<BulkItem> residue = new ArrayList<>();
        StringBuilder expected = new StringBuilder();
        long bytes = 0;
        for (BulkItem item : operations(text.toString())) {
            if (random.nextInt(3) == 0) {
                residue.add(item);
                expected.append(item.body());
                bytes += item.bytes();
            }
        }

        BulkBody body = new BulkBody(residue);

        assertThat(body.length()).isEqualTo(bytes);
        assertThat(written(body)).isEqualTo(utf8(expected.toString()));
        assertThat(readInPieces(body, random)).isEqualTo(utf8(expected.toString()));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void operationsSetApartFromTheirTextAreWrittenInTheSameBytes(long seed) throws Exception {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 2000; i++) {
            text.append(made(random).text("\n").stripLeading());
        }
        String open = text.toString().stripTrailing();
        List<BulkItem> operations = operations(open);

        for (BulkItem operation : operations) {
            if (random.nextInt(3) == 0) {
                operation.detach();
                operation.detach();
                assertThat(((BulkOperation) operation).source().bytes().length)
                        .isLessThanOrEqualTo((int) (2 * operation.bytes() + 1));
            }
        }

        assertThat(written(new BulkBody(operations))).isEqualTo(utf8(open + "\n"));
        assertThat(new BulkBody(operations).readAllBytes()).isEqualTo(utf8(open + "\n"));
    }

    private static byte[] written(BulkBody body) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        body.writeTo(out);
        return out.toByteArray();
    }

    private static byte[] readInPieces(BulkBody body, Random random) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] piece = new byte[100];
        while (true) {
            assertThat(body.position()).isEqualTo(out.size());
            assertThat(body.available()).isEqualTo((int) (body.length() - out.size()));
            if (random.nextInt(5) == 0) {
                int one = body.read();
                if (one < 0) {
                    return out.toByteArray();
                }
                out.write(one);
            } else {
                int read = body.read(piece, 0, random.nextInt(piece.length + 1));
                if (read < 0) {
                    return out.toByteArray();
                }
                out.write(piece, 0, read);
            }
        }
    }

    @Test
    void aBodyCanBeReadAgainAndCopied() throws Exception {
        String text = "{\"delete\":{\"_id\":\"1\"}}\n{\"delete\":{\"_id\":\"2\"}}\n";
        BulkBody body = new BulkBody(operations(text));

        assertThat(body.readNBytes(5)).hasSize(5);
        assertThat(body.copy(null)).isNotSameAs(body);
        assertThat(((InputStream) body.copy(null)).readAllBytes()).isEqualTo(utf8(text));
        body.reset();
        assertThat(body.readAllBytes()).isEqualTo(utf8(text));
        assertThat(body.inMemory()).isTrue();
    }
}
