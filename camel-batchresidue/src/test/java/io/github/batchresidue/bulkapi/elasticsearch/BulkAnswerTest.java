/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import static io.github.batchresidue.bulkapi.elasticsearch.BulkTexts.operations;
import static io.github.batchresidue.bulkapi.elasticsearch.BulkTexts.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Verdict;
import io.github.batchresidue.engine.Verdict.Kind;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BulkAnswerTest {

    private static final String REQUEST =
            "{\"index\":{\"_id\":\"1\"}}\n{}\n{\"create\":{\"_id\":\"2\"}}\n{}\n{\"delete\":{\"_id\":\"3\"}}\n";
    private static final String GOOD =
            "{\"took\":1,\"errors\":false,\"items\":[{\"index\":{\"_id\":\"1\",\"status\":201}},"
                    + "{\"create\":{\"_id\":\"2\",\"status\":201}},{\"delete\":{\"_id\":\"3\",\"status\":404}}]}";

    static Stream<Fixture> fixtures() throws Exception {
        try (InputStream in = BulkAnswerTest.class.getResourceAsStream("fixtures.json")) {
            List<Fixture> fixtures = new ArrayList<>();
            BulkTexts.JSON.readTree(in).forEach(json -> fixtures.add(new Fixture(json)));
            return fixtures.stream();
        }
    }

    private record Fixture(JsonNode json) {

        List<BulkItem> items() {
            return operations(json.get("requestBody").textValue());
        }

        Reply reply() {
            int status = json.get("status").intValue();
            InputStream body =
                    json.has("replyBody") ? stream(json.get("replyBody").textValue()) : null;
            return status == 200
                    ? BulkAnswer.read(items(), body, status, 0)
                    : BulkErrors.reply(BulkAnswer.failure(body, status), new IllegalStateException(), 0);
        }

        List<String> verdicts() {
            List<String> verdicts = new ArrayList<>();
            json.get("verdicts").forEach(verdict -> verdicts.add(verdict.textValue()));
            return verdicts;
        }

        boolean isAfterUnknown() {
            return json.get("attempt").intValue() > 1;
        }

        @Override
        public String toString() {
            return json.get("name").textValue();
        }
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void theServiceSaysOfItsItemsWhatTheFixtureSays(Fixture fixture) {
        Reply reply = fixture.reply();

        if (reply instanceof Reply.Verdicts verdicts) {
            assertThat(verdicts.verdicts())
                    .extracting(verdict -> word(verdict, fixture.isAfterUnknown()))
                    .isEqualTo(fixture.verdicts());
        } else {
            assertThat(requestClass(reply))
                    .isEqualTo(fixture.json().get("requestClass").textValue());
        }
    }

    private static String word(Verdict verdict, boolean isAfterUnknown) {
        return switch (verdict.kind()) {
            case LANDED -> "landed";
            case ALREADY -> isAfterUnknown ? "already" : "terminal";
            case TERMINAL, TOO_LARGE -> "terminal";
            case RESIDUE, NOT_REACHED -> "retry";
            case VICTIM -> "victim";
            case UNKNOWN -> "unknown";
        };
    }

    private static String requestClass(Reply reply) {
        if (reply instanceof Reply.Throttled) {
            return "retry";
        } else if (reply instanceof Reply.TooLarge) {
            return "split";
        } else if (reply instanceof Reply.Rejected rejected) {
            return rejected.nothingLanded() ? "terminal" : "unknown";
        }
        return reply.getClass().getSimpleName();
    }

    @Test
    void aGoodAnswerIsRead() {
        assertThat(kinds(GOOD)).containsOnly(Kind.LANDED);
        assertThat(kinds(" " + GOOD + "\n")).containsOnly(Kind.LANDED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "null",
                "{}",
                "[]",
                "<html>gateway</html>",
                "{\"errors\":false}",
                "{\"errors\":false,\"items\":null}",
                "{\"errors\":false,\"items\":{}}",
                "{\"errors\":false,\"items\":[]}",
                "{\"items\":[null,null,null]}",
                "{\"items\":[{},{},{}]}",
                "{\"items\":[1,2,3]}"
            })
    void whatIsNoBulkAnswerMakesEveryItemUnknown(String body) {
        assertThat(kinds(body)).hasSize(3).containsOnly(Kind.UNKNOWN);
    }

    @Test
    void anAnswerCutOffAnywhereMakesEveryItemUnknown() {
        for (int length = 0; length < GOOD.length(); length++) {
            assertThat(kinds(GOOD.substring(0, length))).hasSize(3).containsOnly(Kind.UNKNOWN);
        }
    }

    @Test
    void moreAfterTheAnswerMakesEveryItemUnknown() {
        assertThat(kinds(GOOD + "{}")).hasSize(3).containsOnly(Kind.UNKNOWN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // One short, one too many, two swapped, another operation, another document, two keys, nothing inside.
                "{\"index\":{\"status\":201}},{\"create\":{\"status\":201}}",
                "{\"index\":{\"status\":201}},{\"create\":{\"status\":201}},{\"delete\":{\"status\":200}},{\"index\":{\"status\":201}}",
                "{\"create\":{\"status\":201}},{\"index\":{\"status\":201}},{\"delete\":{\"status\":200}}",
                "{\"index\":{\"status\":201}},{\"create\":{\"status\":201}},{\"update\":{\"status\":200}}",
                "{\"index\":{\"_id\":\"9\",\"status\":201}},{\"create\":{\"status\":201}},{\"delete\":{\"status\":200}}",
                "{\"index\":{\"status\":201},\"create\":{\"status\":201}},{\"create\":{\"status\":201}},{\"delete\":{\"status\":200}}",
                "{\"index\":{\"status\":201}},{\"create\":null},{\"delete\":{\"status\":200}}",
                "{\"index\":{\"status\":429,\"status\":201}},{\"create\":{\"status\":201}},{\"delete\":{\"status\":200}}"
            })
    void aResultThatDoesNotFitItsOperationMakesEveryItemUnknown(String results) {
        assertThat(kinds("{\"errors\":false,\"items\":[" + results + "]}"))
                .hasSize(3)
                .containsOnly(Kind.UNKNOWN);
    }

    @Test
    void anErrorThatIsNullIsNone() {
        assertThat(
                        kinds(
                                "{\"items\":[{\"index\":{\"error\":null,\"status\":201}},"
                                        + "{\"create\":{\"status\":201,\"error\":null}},{\"delete\":{\"error\":null,\"status\":429}}]}"))
                .containsExactly(Kind.LANDED, Kind.LANDED, Kind.RESIDUE);
    }

    @Test
    void aResultWithoutAStatusIsUnknownAndNoSuccess() {
        assertThat(
                        kinds(
                                "{\"items\":[{\"index\":{\"result\":\"created\"}},{\"create\":{\"status\":201}},{\"delete\":{}}]}"))
                .containsExactly(Kind.UNKNOWN, Kind.LANDED, Kind.UNKNOWN);
    }

    @Test
    void membersComeInAnyOrderAndStrangersArePassedOver() {
        String answer =
                "{\"items\":[{\"index\":{\"error\":{\"caused_by\":{\"type\":\"x\",\"reason\":\"y\"},\"reason\":\"full\","
                        + "\"type\":\"es_rejected_execution_exception\",\"items\":[1]},\"get\":{\"status\":1},\"status\":429}},"
                        + "{\"create\":{\"status\":201,\"failure_store\":\"not_enabled\"}},{\"delete\":{\"error\":\"text\",\"status\":500}}],"
                        + "\"items\":7,\"errors\":false}";
        List<Verdict> verdicts = verdicts(answer);

        assertThat(verdicts).extracting(Verdict::kind).containsExactly(Kind.RESIDUE, Kind.LANDED, Kind.UNKNOWN);
        assertThat(verdicts.get(0).failure()).isEqualTo(new Failure(429, "es_rejected_execution_exception", "full"));
        assertThat(verdicts.get(2).failure()).isEqualTo(new Failure(500, null, "text"));
    }

    @Test
    void aNameOfOursIsComparedWithItsEscapesRead() {
        List<BulkItem> items = operations("{\"index\":{\"_id\":\"\\u00e4\\\"\"}}\n{}\n{\"index\":{\"_id\":7}}\n{}\n");
        Reply reply = BulkAnswer.read(
                items,
                stream(
                        "{\"items\":[{\"index\":{\"_id\":\"ä\\\"\",\"status\":201}},{\"index\":{\"_id\":\"7\",\"status\":201}}]}"),
                200,
                5);

        assertThat(((Reply.Verdicts) reply).verdicts())
                .extracting(Verdict::kind)
                .containsOnly(Kind.LANDED);
        assertThat(((Reply.Verdicts) reply).hintMillis()).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<html/>", "{}", "{\"error\":", "[1]", "{\"status\":400}"})
    void anErrorThatCannotBeReadHasItsStatus(String body) {
        assertThat(BulkAnswer.failure(stream(body), 400)).isEqualTo(new Failure(400, null, null));
    }

    private static List<Kind> kinds(String answer) {
        return verdicts(answer).stream().map(Verdict::kind).toList();
    }

    private static List<Verdict> verdicts(String answer) {
        return ((Reply.Verdicts) BulkAnswer.read(operations(REQUEST), stream(answer), 200, 0)).verdicts();
    }

    private static InputStream stream(String text) {
        return new ByteArrayInputStream(utf8(text));
    }
}
