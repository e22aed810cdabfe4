/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Verdict;
import io.github.batchresidue.engine.Verdict.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.camel.Message;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchResultsTest {

    /** For its type converters. */
    private static final DefaultCamelContext CONTEXT = new DefaultCamelContext();

    private static final Map<String, Kind> ERRORS = Map.of("Busy", Kind.RESIDUE);

    @BeforeAll
    static void start() {
        CONTEXT.start();
    }

    @AfterAll
    static void stop() {
        CONTEXT.stop();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"Successful\":[{\"Id\":\"1\"},{\"Id\":\"0\"}]} | LANDED LANDED UNKNOWN",
                "{\"Failed\":[{\"Id\":\"2\",\"SenderFault\":true,\"Code\":\"Bad\"}]} | UNKNOWN UNKNOWN TERMINAL",
                "{\"Failed\":[{\"Id\":\"2\",\"SenderFault\":true,\"Code\":\"Busy\"}]} | UNKNOWN UNKNOWN RESIDUE",
                "{\"Failed\":[{\"Id\":\"2\",\"SenderFault\":\"true\"},{\"Id\":\"0\"}]} | RESIDUE UNKNOWN TERMINAL",
                "{\"Successful\":[{\"Id\":\"0\"},{\"Id\":\"0\"}]} | LANDED UNKNOWN UNKNOWN",
                "{\"Successful\":[{\"Id\":\"0\"}],\"Failed\":[{\"Id\":\"0\",\"SenderFault\":false}]} | UNKNOWN UNKNOWN UNKNOWN",
                "{\"Failed\":[{\"Id\":\"0\",\"SenderFault\":false},{\"Id\":\"0\",\"SenderFault\":true}]} | UNKNOWN UNKNOWN UNKNOWN",
                "{\"Successful\":[{\"Id\":\"3\"},{\"Id\":\"-1\"},{\"Id\":\"01\"},{\"Id\":\"x\"},{},7,null]} | UNKNOWN UNKNOWN UNKNOWN",
                "{\"Successful\":[{\"Id\":1}]} | UNKNOWN LANDED UNKNOWN",
                "{\"Successful\":[null,{\"Id\":\"0\"}],\"Failed\":[null]} | LANDED UNKNOWN UNKNOWN",
                "{\"Successful\":[{\"Id\":\"0\",\"MessageId\":\"\"},{\"Id\":\"1\",\"MessageId\":\"m\"}]} | UNKNOWN LANDED UNKNOWN",
                "{\"Successful\":[{\"Id\":\"0\",\"MessageId\":{}},{\"Id\":\"1\",\"MessageId\":[]}]} | UNKNOWN UNKNOWN UNKNOWN",
                "{\"Successful\":[{\"Id\":\"0\",\"MD5OfMessageBody\":\"other\"},{\"Id\":\"1\",\"MD5OfMessageBody\":\"its\"}]} | UNKNOWN LANDED UNKNOWN",
                "{\"Successful\":7,\"Failed\":{}} | UNKNOWN UNKNOWN UNKNOWN",
                "{} | UNKNOWN UNKNOWN UNKNOWN",
                "<html> | UNKNOWN UNKNOWN UNKNOWN"
            })
    void entriesAreNamedByTheirIds(String answer, String kinds) {
        assertThat(read(3, answer))
                .isEqualTo(Arrays.stream(kinds.split(" ")).map(Kind::valueOf).toList());
    }

    @Test
    void anEntryNamedThreeTimesIsNoCertaintyAgain() {
        assertThat(
                        read(
                                1,
                                "{\"Successful\":[{\"Id\":\"0\"}],\"Failed\":[{\"Id\":\"0\"},{\"Id\":\"0\",\"SenderFault\":true}]}"))
                .containsExactly(Kind.UNKNOWN);
        assertThat(
                        read(
                                1,
                                "{\"Successful\":[],\"Failed\":[{\"Id\":\"0\"},{\"Id\":\"0\",\"SenderFault\":true},{\"Id\":\"0\"}]}"))
                .containsExactly(Kind.UNKNOWN);
    }

    /** Whatever an answer says in whatever order, only what it names once as accepted has landed. */
    @Test
    void nothingLandsThatIsNotSaidToHaveLanded() {
        for (long seed = 0; seed < 1000; seed++) {
            Random random = new Random(seed);
            int items = 1 + random.nextInt(10);
            List<Map<String, Object>> successful = new ArrayList<>();
            List<Map<String, Object>> failed = new ArrayList<>();
            boolean[] accepted = new boolean[items];
            boolean[] refused = new boolean[items];
            for (int i = random.nextInt(20); i > 0; i--) {
                int id = random.nextInt(items + 2);
                if (random.nextBoolean()) {
                    successful.add(Map.of("Id", Integer.toString(id)));
                    mark(accepted, id);
                } else {
                    failed.add(Map.of("Id", Integer.toString(id), "SenderFault", random.nextBoolean()));
                    mark(refused, id);
                }
            }

            List<Kind> kinds = read(items, Map.of("Successful", successful, "Failed", failed));

            for (int i = 0; i < items; i++) {
                assertThat(kinds.get(i) == Kind.LANDED)
                        .as("seed %d, item %d", seed, i)
                        .isEqualTo(accepted[i] && !refused[i]);
                boolean isRefused = kinds.get(i) == Kind.TERMINAL || kinds.get(i) == Kind.RESIDUE;
                assertThat(isRefused && (accepted[i] || !refused[i]))
                        .as("seed %d, item %d", seed, i)
                        .isFalse();
            }
        }
    }

    private static void mark(boolean[] marks, int id) {
        if (id < marks.length) {
            marks[id] = true;
        }
    }

    private static List<Kind> read(int items, Object body) {
        Message message = new DefaultExchange(CONTEXT).getMessage();
        message.setBody(body);
        Reply reply =
                BatchResults.read(items, message, ERRORS, (position, md5) -> !"other".equals(md5), new ObjectMapper());
        return ((Reply.Verdicts) reply).verdicts().stream().map(Verdict::kind).toList();
    }
}
