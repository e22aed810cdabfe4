/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.books;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.servers.opensearch.EmbeddedOpenSearch;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The example with a shorter file. */
class IndexBooksTest {

    @Test
    void everyBookIsInTheIndexOrAmongTheDeadLetters() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (EmbeddedOpenSearch server = new EmbeddedOpenSearch(Map.of());
                IndexBooks books = new IndexBooks(server, new PrintStream(printed, true, StandardCharsets.UTF_8))) {
            BooksFile file = BooksFile.write(IndexBooks.DIRECTORY.resolve("books.ndjson"), 10_000);

            assertThat(books.index(file)).isEmpty();

            assertThat(file.bad()).isEqualTo(4);
            assertThat(file.taken()).isEqualTo(3);
            assertThat(printed.toString(StandardCharsets.UTF_8))
                    .contains("10,000 items, 9,993 landed, 7 terminal, 0 given up, 0 pending")
                    .contains("mapper_parsing_exception", "version_conflict_engine_exception", "OK: every book");
        }
    }
}
