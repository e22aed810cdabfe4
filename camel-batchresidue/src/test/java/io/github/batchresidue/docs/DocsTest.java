/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keeps the documents in step with the code. */
class DocsTest {

    private static final Path MODULE = Path.of("").toAbsolutePath();
    private static final Path README = MODULE.resolveSibling("README.md");
    private static final Path COMPONENT_PAGE = MODULE.resolve("src/main/docs/batchresidue-component.adoc");
    private static final Path WATCHING_PAGE = MODULE.resolveSibling("src-docs/watching-it.adoc");
    private static final Path SNIPPETS = MODULE.resolve("src/test");
    private static final Pattern REGION = Pattern.compile("// tag::\\w+\\[]\n(.*?)\n *// end::", Pattern.DOTALL);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "resources/docs/orders.yaml",
                "resources/docs/orders.xml",
                "java/io/github/batchresidue/docs/OrdersRoute.java",
                "java/io/github/batchresidue/docs/OneAttemptClient.java"
            })
    void theReadmeShowsTestedCode(String snippet) throws IOException {
        assertThatPageShows(README, snippet);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "resources/docs/orders.yaml",
                "resources/docs/orders.xml",
                "java/io/github/batchresidue/docs/OrdersRoute.java",
                "java/io/github/batchresidue/docs/DeadLettersRoute.java",
                "java/io/github/batchresidue/docs/LedgerRoute.java"
            })
    void theComponentPageShowsTestedCode(String snippet) throws IOException {
        assertThatPageShows(COMPONENT_PAGE, snippet);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java/io/github/batchresidue/docs/OrdersRoute.java",
                "java/io/github/batchresidue/docs/OrdersEndpointDslRoute.java",
                "resources/docs/orders.xml",
                "resources/docs/orders.yaml",
                "resources/docs/kamelet-orders.yaml",
                "java/io/github/batchresidue/docs/PatientOrdersRoute.java",
                "resources/docs/patient-orders.xml",
                "resources/docs/patient-orders.yaml",
                "resources/docs/component-defaults.properties"
            })
    void theGuideToTheDslsShowsTestedCode(String snippet) throws IOException {
        assertThatPageShows(MODULE.resolveSibling("src-docs/in-every-dsl.adoc"), snippet);
    }

    @Test
    void theSpringBootExampleHasTheDefaultsOfTheGuide() throws IOException {
        assertThatPageShows(
                MODULE.resolveSibling("examples/spring-boot/src/main/resources/application.properties"),
                "resources/docs/component-defaults.properties");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "resources/docs/watching.properties",
                "java/io/github/batchresidue/docs/RetryListener.java",
                "java/io/github/batchresidue/docs/WaitingNow.java",
                "java/io/github/batchresidue/docs/WatchingBeans.java"
            })
    void thePageOnWatchingShowsTestedCode(String snippet) throws IOException {
        assertThatPageShows(WATCHING_PAGE, snippet);
    }

    static Stream<Map.Entry<String, JsonNode>> options() throws IOException {
        return metadata().get("properties").properties().stream()
                .filter(option -> option.getValue().get("kind").asText().equals("parameter"))
                .filter(option -> !option.getKey().equals("lazyStartProducer"));
    }

    @ParameterizedTest
    @MethodSource("options")
    void theTablesHaveEveryOptionWithItsDefault(Map.Entry<String, JsonNode> option) throws IOException {
        JsonNode details = option.getValue();
        String name =
                details.path("multiValue").asBoolean() ? details.get("prefix").asText() + "*" : option.getKey();
        String value = details.path("defaultValue").asText("");
        String defaultCell = value.isEmpty() ? "" : "`" + value + "`";

        assertThat(Files.readString(README)).containsPattern(row(name, defaultCell));
        assertThat(Files.readString(COMPONENT_PAGE))
                .containsPattern(row(name, defaultCell))
                .contains(details.get("description").asText().replaceAll(" This is a multi-value option.*", ""));
    }

    private static String row(String name, String defaultCell) {
        return "\\| ?`" + Pattern.quote(name) + "` ?\\| ?" + Pattern.quote(defaultCell) + " ?\\|";
    }

    @Test
    void theComponentPageHasEveryHeader() throws IOException {
        String page = Files.readString(COMPONENT_PAGE);

        metadata().get("headers").properties().forEach(header -> assertThat(page)
                .contains("`" + header.getKey() + "`")
                .contains(header.getValue().get("description").asText()));
    }

    @Test
    void theReadmeNamesTheCommandThatIsTested() throws IOException {
        assertThat(Files.readString(README)).contains("\nmvn -B -ntp verify\n");
        assertThat(Files.readString(MODULE.resolveSibling(".ci/run"))).contains("\nmvn -B -ntp verify\n");
    }

    private static JsonNode metadata() throws IOException {
        return new ObjectMapper()
                .readTree(MODULE.resolve(
                                "src/generated/resources/META-INF/io/github/batchresidue/camel/batchresidue.json")
                        .toFile());
    }

    private static String snippet(String file) throws IOException {
        String text = Files.readString(SNIPPETS.resolve(file));
        Matcher region = REGION.matcher(text);
        return region.find() ? region.group(1) : text;
    }

    /** Java may be laid out for the page; in the other languages the layout is part of the text. */
    static void assertThatPageShows(Path page, String snippet) throws IOException {
        if (snippet.endsWith(".java")) {
            assertThat(withoutSpace(Files.readString(page))).contains(withoutSpace(snippet(snippet)));
        } else {
            assertThat(Files.readString(page)).contains(snippet(snippet).strip());
        }
    }

    private static String withoutSpace(String text) {
        return text.replaceAll("\\s", "");
    }
}
