/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.readings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The example, and the page that shows it. */
class SendReadingsTest {

    private static final Path PAGES =
            Path.of("").toAbsolutePath().resolve("../../src-docs").normalize();
    private static final Pattern INCLUDE = Pattern.compile("(?m)^include::(\\S+)\\[tag=(\\w+)]$");

    @Test
    void everyReadingIsStoredOnceOrIsADeadLetter() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (ReadingsServer server = new ReadingsServer();
                SendReadings example =
                        new SendReadings(server, new PrintStream(printed, true, StandardCharsets.UTF_8))) {
            assertThat(example.send()).isEmpty();

            assertThat(server.stored()).hasSize(490);
            assertThat(printed.toString(StandardCharsets.UTF_8))
                    .contains("500 items, 490 landed, 10 terminal, 0 given up, 0 pending")
                    .contains("r-50: unknown meter")
                    .contains("OK: every reading");
        }
    }

    @Test
    void thePageIncludesCodeThatIsThere() throws Exception {
        List<MatchResult> includes = INCLUDE.matcher(Files.readString(PAGES.resolve("your-own-bulk-api.adoc")))
                .results()
                .toList();

        assertThat(includes).hasSizeGreaterThan(4).allSatisfy(include -> assertThat(
                        Files.readString(PAGES.resolve(include.group(1))))
                .contains("// tag::" + include.group(2) + "[]", "// end::" + include.group(2) + "[]"));
    }

    @Test
    void theApiIsAPageOfCode() throws Exception {
        assertThat(Files.readAllLines(Path.of("src/main/java/io/github/batchresidue/readings/ReadingsApi.java")))
                .hasSizeLessThan(150);
    }
}
