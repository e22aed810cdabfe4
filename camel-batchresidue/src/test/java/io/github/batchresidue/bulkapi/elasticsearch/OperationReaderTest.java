/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import static io.github.batchresidue.bulkapi.elasticsearch.BulkTexts.made;
import static io.github.batchresidue.bulkapi.elasticsearch.BulkTexts.operations;
import static io.github.batchresidue.bulkapi.elasticsearch.BulkTexts.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.elasticsearch.BulkTexts.Made;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OperationReaderTest {

    private static final String INDEX = "{\"index\":{\"_index\":\"books\",\"_id\":\"1\"}}\n";
    private static final String DOCUMENT = "{\"title\":\"a\"}\n";
    private static final String DELETE = "{\"delete\":{\"_index\":\"books\",\"_id\":\"4\"}}\n";

    @Test
    void operationsOfOneLineStandAmongThoseOfTwo() {
        List<BulkItem> operations = operations(DELETE + INDEX + DOCUMENT + DELETE + DELETE + INDEX + DOCUMENT);

        assertThat(operations)
                .extracting(BulkItem::operation)
                .containsExactly("delete", "index", "delete", "delete", "index");
        assertThat(operations).extracting(BulkItem::id).containsExactly("4", "1", "4", "4", "1");
        assertThat(operations.get(1).body()).isEqualTo(INDEX + DOCUMENT);
        assertThat(operations.get(2).body()).isEqualTo(DELETE);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void randomTextsInRandomPiecesAreCutAsAPlainSplitterDoes(long seed) throws Exception {
        Random random = new Random(seed);
        String lineEnd = random.nextBoolean() ? "\n" : "\r\n";
        List<Made> expected = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 2000; i++) {
            Made operation = made(random);
            expected.add(operation);
            text.append(operation.text(lineEnd));
            if (random.nextInt(50) == 0) {
                text.append(random.nextBoolean() ? "\n" : " \r\n\t\n");
            }
        }
        boolean isLastLineOpen = random.nextBoolean();
        if (isLastLineOpen) {
            text.setLength(text.toString().stripTrailing().length());
        }

        List<BulkItem> operations = operations(new Pieces(utf8(text.toString()), random));

        assertThat(operations).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            Made made = expected.get(i);
            BulkOperation operation = (BulkOperation) operations.get(i);
            assertThat(operation.action()).isEqualTo(made.action());
            assertThat(operation.line().index()).isEqualTo(made.index());
            assertThat(operation.id()).isEqualTo(made.id());
            assertThat(operation.bytes()).isEqualTo(operation.toBytes().length);
            boolean isLast = i == expected.size() - 1;
            String lines = made.text(lineEnd).stripLeading();
            assertThat(operation.body()).isEqualTo(isLast && isLastLineOpen ? lines.stripTrailing() + "\n" : lines);
        }
    }

    /** Gives a text a few bytes at a time, or many. */
    private static final class Pieces extends ByteArrayInputStream {

        private final Random random;

        Pieces(byte[] text, Random random) {
            super(text);
            this.random = random;
        }

        @Override
        public int read(byte[] into, int from, int most) {
            int some = random.nextInt(10) == 0 ? most : Math.min(most, 1 + random.nextInt(2000));
            return super.read(into, from, some);
        }
    }

    @Test
    void anOperationMayBeLongerThanAChunk() {
        String document = "{\"text\":\"" + "x".repeat(1_000_000) + "\"}\n";

        List<BulkItem> operations = operations(INDEX + document + INDEX + DOCUMENT);

        assertThat(operations).extracting(BulkItem::body).containsExactly(INDEX + document, INDEX + DOCUMENT);
    }

    @ParameterizedTest
    @CsvSource({
        "'{\"index\":{}}', the text, its source line is missing",
        "'{\"index\":{', the text, not valid JSON",
        "'{\"update\":{\"_id\":\"1\"}}\n{\"doc\":{\"a\":\"b', the text, ends within its source line",
        "'{\"update\":{\"_id\":\"1\"}}\n{\"doc\":{\"a\":1}', the text, ends within its source line",
        "'{\"index\":{}}\n\n{\"a\":1}\n', a blank line, its source line is missing",
        "'{\"index\":{}}\n[1]\n', an array, expected a JSON object",
        "'{\"index\":{}}\n{\"index\":{\"_id\":\"7\"}}\n{\"a\":1}\n', two actions, another action line follows",
        "'{\"index\":{}}\n{\"delete\":{\"_index\":\"b\",\"_id\":\"7\"}}\n', two actions, another action line follows",
        "'{\"insert\":{}}\n{}\n', a word, 'one of index, create, update, delete'",
        "'{\"index\":[]}\n{}\n', metadata, expected an object after the action",
        "'{\"index\":{\"_id\":tru}}\n{}\n', a value, not valid JSON",
        "'{\"index\":{\"_id\":01}}\n{}\n', a number, not valid JSON",
        "'{\"index\":{},\"x\":1}\n{}\n', more, expected nothing after the metadata",
        "'{\"index\":{}} x\n{}\n', more, not valid JSON",
        "'{\"title\":\"a document\"}\n', no action, 'one of index, create, update, delete'",
        "'garbage\n', no JSON, not valid JSON"
    })
    void whatIsNoOperationIsNamedByNumberAndOffset(String broken, String what, String problem) {
        String before = INDEX + DOCUMENT + DELETE + "\n";
        OperationReader reader =
                new OperationReader(new ByteArrayInputStream(utf8(before + broken)), BulkTexts.KEYS, false);
        reader.next();
        reader.next();

        for (int again = 0; again < 2; again++) {
            assertThatThrownBy(reader::next)
                    .as(what)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("operation 2 at byte " + before.length() + ": ")
                    .hasMessageContaining(problem)
                    .hasMessageNotContaining("garbage");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"index\":{\"name\":\"DAX\"}}",
                "{\"index\":{\"_id\":\"1\"},\"x\":1}",
                "{\"index\":\"_id\"}",
                "{\"delete\":[{}]}",
                "{}"
            })
    void aDocumentMayLookLikeAnActionFromAfar(String document) {
        assertThat(operations(INDEX + document + "\n")).hasSize(1);
    }

    @Test
    void theLastLineMayLackItsNewlineAndIsGivenOne() {
        List<BulkItem> operations = operations(INDEX + DOCUMENT + DELETE.stripTrailing());

        assertThat(operations.get(1).body()).isEqualTo(DELETE);
        assertThat(operations.get(1).bytes()).isEqualTo(DELETE.length());
    }

    @Test
    void aTextOfBlankLinesHasNoOperation() {
        OperationReader reader =
                new OperationReader(new ByteArrayInputStream(utf8("\n \r\n\t\n")), BulkTexts.KEYS, false);

        assertThat(reader.hasNext()).isFalse();
        assertThatThrownBy(reader::next).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void aFailingStreamIsAnErrorAndNoEnd() {
        InputStream failing = new InputStream() {
            private final InputStream start = new ByteArrayInputStream(utf8(INDEX + DOCUMENT + INDEX));

            @Override
            public int read() throws IOException {
                int next = start.read();
                if (next < 0) {
                    throw new IOException("the disk is gone");
                }
                return next;
            }
        };
        OperationReader reader = new OperationReader(failing, BulkTexts.KEYS, false);
        reader.next();

        assertThatThrownBy(reader::next)
                .hasMessageContaining("operation 1 at byte " + (INDEX + DOCUMENT).length() + ": the disk is gone");
    }

    @Test
    void operationsWithoutAnIdAreGivenOneAndKeepTheirSourceBytes() throws Exception {
        String text = "{\"index\":{}}\r\n{ \"n\" : 1.50 }\r\n"
                + "{\"create\":{\"_index\":\"b\",\"version\":12345678901234567890,\"_id\":\"\",\"routing\":\"ä\"}}\n{}\n"
                + "{\"index\":{\"_id\":null}}\n{}\n"
                + INDEX + DOCUMENT + DELETE
                + "{\"update\":{}}\n{\"doc\":{}}\n"
                + "{\"index\":{}}\n{}";
        List<BulkItem> operations = new ArrayList<>();
        new OperationReader(new ByteArrayInputStream(utf8(text)), BulkTexts.KEYS, true)
                .forEachRemaining(operations::add);

        Set<String> ids = new HashSet<>();
        for (int i : new int[] {0, 1, 2, 6}) {
            String[] lines = operations.get(i).body().toString().split("\n", -1);
            JsonNode metadata = BulkTexts.JSON.readTree(lines[0]).elements().next();
            assertThat(metadata.get("_id").textValue())
                    .hasSize(22)
                    .isEqualTo(operations.get(i).id());
            assertThat(lines[0]).containsOnlyOnce("_id");
            ids.add(operations.get(i).id());
            assertThat(operations.get(i).safeToResend()).isTrue();
            assertThat(operations.get(i).bytes())
                    .isEqualTo(utf8(operations.get(i).body().toString()).length);
        }
        assertThat(ids).hasSize(4);
        assertThat(operations.get(0).body().toString()).endsWith("\n{ \"n\" : 1.50 }\r\n");
        assertThat(operations.get(1).body().toString())
                .contains("\"version\":12345678901234567890")
                .contains("\"routing\":\"ä\"");
        assertThat(operations.get(3).body()).isEqualTo(INDEX + DOCUMENT);
        assertThat(operations.get(4).body()).isEqualTo(DELETE);
        assertThat(operations.get(5).id()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "'{\"index\":{\"_id\":\"1\"}}', {}, true",
        "'{\"index\":{}}', {}, false",
        "'{\"index\":{\"_id\":\"\"}}', {}, false",
        "'{\"create\":{\"_id\":7}}', {}, true",
        "'{\"delete\":{\"_id\":\"1\"}}', , true",
        "'{\"update\":{\"_id\":\"1\"}}', '{\"doc\":{\"script\":1}}', true",
        "'{\"update\":{\"_id\":\"1\"}}', '{\"script\":{\"source\":\"ctx._source.n++\"}}', false",
        "'{\"update\":{\"_id\":\"1\"}}', '{\"upsert\":{},\"script\":\"x\"}', false",
        "'{\"update\":{\"_id\":\"1\"}}', '{\"doc\" 1}', false",
        "'{\"update\":{\"_id\":\"1\"}}', '{\"doc\":{},\"doc_as_upsert\":true}', true",
        "'{\"update\":{\"_id\":\"1\"}}', '{\"doc\":{\"n\":2},\"upsert\":{\"n\":1}}', false",
        "'{\"index\":{\"_id\":\"1\",\"if_seq_no\":3,\"if_primary_term\":1}}', {}, false",
        "'{\"index\":{\"if_seq_no\":3,\"_id\":\"\\u0031\"}}', {}, false",
        "'{\"delete\":{\"_id\":\"1\",\"if_primary_term\":1}}', , false"
    })
    void sendingAgainIsSafeIfTheSecondTimeChangesNothing(String line, String source, boolean isSafe) {
        BulkItem operation =
                operations(line + "\n" + (source == null ? "" : source + "\n")).get(0);

        assertThat(operation.safeToResend()).isEqualTo(isSafe);
    }

    @Test
    void anIndexThatMayOnlyCreateIsACreate() {
        assertThat(operations("{\"index\":{\"_id\":\"1\",\"op_type\":\"create\"}}\n{}\n"
                        + "{\"index\":{\"op_type\":\"index\",\"_id\":\"\\u0031\"}}\n{}\n"
                        + "{\"index\":{\"op_type\":\"create\",\"_id\":\"\\u0031\"}}\n{}\n"))
                .extracting(BulkItem::operation)
                .containsExactly("create", "index", "create");
    }
}
