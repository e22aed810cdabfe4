/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Verdict;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Results whose bytes come again and again are not parsed each time: what is said of each item must not show it. */
class RepeatedResultsTest {

    private record Kind(String json, Verdict.Kind verdict) {}

    /** Of lengths that make the edges of what is read fall everywhere, and some the beginning of others. */
    private static final List<Kind> KINDS = List.of(
            new Kind("{\"index\":{\"status\":201}}", Verdict.Kind.LANDED),
            new Kind("{\"index\":{\"status\":200}}", Verdict.Kind.LANDED),
            new Kind("{ \"index\" : { \"status\" : 201 } }", Verdict.Kind.LANDED),
            new Kind("{\"index\":{\"result\":\"\u00fc,{\\\"index\\\":{}}\",\"status\":201}}", Verdict.Kind.LANDED),
            new Kind("{\"index\":{\"status\":201,\"failure_store\":\"used\"}}", Verdict.Kind.TERMINAL),
            new Kind(
                    "{\"index\":{\"status\":429,\"error\":{\"type\":\"es_rejected_execution_exception\"}}}",
                    Verdict.Kind.RESIDUE),
            new Kind(
                    "{\"index\":{\"error\":{\"type\":\"document_parsing_exception\",\"reason\":\"" + "no ".repeat(150)
                            + "\",\"caused_by\":{\"type\":\"x\"}},\"status\":400}}",
                    Verdict.Kind.TERMINAL));

    private static final List<String> SEPARATORS = List.of(",", ",", ", ", " ,\n");
    private static final List<Charset> CHARSETS =
            List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_8, StandardCharsets.UTF_16BE);

    private final Random random = new Random(17);

    @Test
    void everyItemGetsTheVerdictOfItsOwnResult() {
        for (int run = 0; run < 400; run++) {
            List<Kind> results = results(1 + random.nextInt(2500));

            assertThat(verdicts(results.size(), bytes(results)))
                    .isEqualTo(results.stream().map(Kind::verdict).toList());
        }
    }

    @Test
    void anAnswerThatIsCutOffOrHasTooManyResultsSaysNothingOfAny() {
        for (int run = 0; run < 400; run++) {
            List<Kind> results = results(1 + random.nextInt(2500));
            byte[] whole = bytes(results);
            byte[] cut = new byte[random.nextInt(whole.length)];
            System.arraycopy(whole, 0, cut, 0, cut.length);

            assertThat(verdicts(results.size(), cut)).containsOnly(Verdict.Kind.UNKNOWN);
            assertThat(verdicts(results.size() - 1, whole)).doesNotContain(Verdict.Kind.LANDED);
            assertThat(verdicts(results.size() + 1, whole)).containsOnly(Verdict.Kind.UNKNOWN);
        }
    }

    @Test
    void oneWrongByteAmongEqualResultsIsSeen() {
        for (int run = 0; run < 400; run++) {
            List<Kind> results = new ArrayList<>();
            for (int count = 2 + random.nextInt(2500); count > 0; count--) {
                results.add(KINDS.get(0));
            }
            byte[] bytes = text(results, ",").getBytes(StandardCharsets.UTF_8);
            int item = random.nextInt(results.size());
            int each = KINDS.get(0).json().length() + 1;
            int digit = bytes.length
                    - 2
                    - (results.size() - item) * each
                    + 1
                    + KINDS.get(0).json().indexOf("201");
            bytes[digit] = '4';
            results.set(item, new Kind(null, Verdict.Kind.TERMINAL));

            assertThat(verdicts(results.size(), bytes))
                    .isEqualTo(results.stream().map(Kind::verdict).toList());
        }
    }

    /** What leads to the first result leads from nowhere: met again, it is no result. */
    @Test
    void aHeadThatComesAgainMakesAllUnknown() {
        String result = KINDS.get(0).json();
        for (String head : List.of("{\"items\":[", "{\"errors\":false,\"items\":[", "[")) {
            for (int again = 1; again < 4; again++) {
                byte[] answer = ("{\"items\":[" + result + (head + result).repeat(again) + "]}")
                        .getBytes(StandardCharsets.UTF_8);

                assertThat(verdicts(again + 1, answer)).containsOnly(Verdict.Kind.UNKNOWN);
            }
        }
        byte[] withoutComma = ("{\"items\":[" + result + result + "]}").getBytes(StandardCharsets.UTF_8);
        assertThat(verdicts(2, withoutComma)).containsOnly(Verdict.Kind.UNKNOWN);
    }

    /** Runs of the same, as answers have them. */
    private List<Kind> results(int count) {
        List<Kind> results = new ArrayList<>(count);
        while (results.size() < count) {
            Kind kind = KINDS.get(random.nextInt(KINDS.size()));
            for (int again = random.nextInt(random.nextInt(3) == 0 ? 600 : 6); again >= 0; again--) {
                if (results.size() < count) {
                    results.add(kind);
                }
            }
        }
        return results;
    }

    private byte[] bytes(List<Kind> results) {
        String text = text(results, SEPARATORS.get(random.nextInt(SEPARATORS.size())));
        byte[] bytes = text.getBytes(CHARSETS.get(random.nextInt(CHARSETS.size())));
        return random.nextInt(4) > 0 || bytes[0] == 0 ? bytes : ("\ufeff" + text).getBytes(StandardCharsets.UTF_8);
    }

    private static String text(List<Kind> results, String separator) {
        return results.stream()
                .map(Kind::json)
                .collect(Collectors.joining(separator, "{\"errors\":true,\"items\":[", "]}"));
    }

    private List<Verdict.Kind> verdicts(int operations, byte[] answer) {
        List<BulkItem> items = BulkTexts.operations("{\"index\":{}}\n{}\n".repeat(operations));
        Reply reply = BulkAnswer.read(items, new Dribbling(answer), 200, 0);
        return ((Reply.Verdicts) reply).verdicts().stream().map(Verdict::kind).toList();
    }

    /** Gives now much, now little. */
    private final class Dribbling extends InputStream {

        private final InputStream in;

        Dribbling(byte[] bytes) {
            in = new ByteArrayInputStream(bytes);
        }

        @Override
        public int read() {
            throw new AssertionError("single bytes are dear");
        }

        @Override
        public int read(byte[] into, int from, int most) throws IOException {
            return in.read(into, from, Math.min(most, 1 + random.nextInt(random.nextBoolean() ? 20 : 20_000)));
        }
    }
}
