/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

class UnprocessedItemsTest {

    private static final Map<String, AttributeValue> NO_ATTRIBUTES = Map.of();

    private final OperationReader reader = new OperationReader(SimulatedDelegate.MAPPER, OperationReader.Plain.NOTHING);

    /** Any part of a request, echoed in any order and spelling, is found; of equal items as many as there are echoes. */
    @Test
    void whateverIsEchoedIsResidueAndTheRestLanded() {
        for (long seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            List<BulkItem> items = new ArrayList<>();
            for (int i = 1 + random.nextInt(25); i > 0; i--) {
                Operation earlier = items.isEmpty() ? null : (Operation) items.get(random.nextInt(items.size()));
                items.add(
                        earlier == null || random.nextInt(3) > 0
                                ? operation(
                                        "table" + random.nextInt(3),
                                        random.nextBoolean(),
                                        RandomItems.attributes(random, 2))
                                : operation(
                                        "table" + random.nextInt(3),
                                        earlier.request().putRequest() != null,
                                        RandomItems.respelled(Operation.attributes(earlier.request()), random)));
            }
            List<Operation> echoed = new ArrayList<>();
            items.stream().filter(item -> random.nextBoolean()).forEach(item -> echoed.add((Operation) item));
            Collections.shuffle(echoed, random);

            UnprocessedItems unprocessed = new UnprocessedItems(items, 200);
            echoed.forEach(operation -> unprocessed.add(
                    operation.table(),
                    request(
                            operation.request().putRequest() != null,
                            RandomItems.respelled(Operation.attributes(operation.request()), random)),
                    reader));
            List<Verdict> verdicts = ((Reply.Verdicts) unprocessed.reply()).verdicts();

            Map<Object, Integer> expected = new HashMap<>();
            echoed.forEach(operation -> expected.merge(identity(operation), 1, Integer::sum));
            Map<Object, Integer> found = new HashMap<>();
            Set<Verdict.Kind> kinds = new HashSet<>();
            for (int i = 0; i < items.size(); i++) {
                kinds.add(verdicts.get(i).kind());
                if (verdicts.get(i).kind() == Verdict.Kind.RESIDUE) {
                    found.merge(identity((Operation) items.get(i)), 1, Integer::sum);
                }
            }
            assertThat(found).as("seed %d", seed).isEqualTo(expected);
            assertThat(kinds).as("seed %d", seed).isSubsetOf(Verdict.Kind.RESIDUE, Verdict.Kind.LANDED);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"N\":\"1\"} | {\"N\":\"1.0\"} | true",
                "{\"N\":\"100\"} | {\"N\":\"1E2\"} | true",
                "{\"N\":\"0\"} | {\"N\":\"-0.00\"} | true",
                "{\"N\":\"1\"} | {\"S\":\"1\"} | false",
                "{\"N\":\"12345678901234567890123456789012345678\"} | {\"N\":\"12345678901234567890123456789012345679\"} | false",
                "{\"S\":\"1\"} | {\"S\":\"1.0\"} | false",
                "{\"SS\":[\"a\",\"b\"]} | {\"SS\":[\"b\",\"a\"]} | true",
                "{\"SS\":[\"1\"]} | {\"NS\":[\"1\"]} | false",
                "{\"NS\":[\"1\",\"2\"]} | {\"NS\":[\"2.0\",\"1E0\"]} | true",
                "{\"BS\":[\"AQ==\",\"Ag==\"]} | {\"BS\":[\"Ag==\",\"AQ==\"]} | true",
                "{\"L\":[{\"N\":\"1\"},{\"N\":\"2\"}]} | {\"L\":[{\"N\":\"2\"},{\"N\":\"1\"}]} | false",
                "{\"L\":[{\"N\":\"1\"}]} | {\"L\":[{\"N\":\"1.0\"}]} | true",
                "{\"M\":{\"a\":{\"N\":\"1\"},\"b\":{\"NULL\":true}}} | {\"M\":{\"b\":{\"NULL\":true},\"a\":{\"N\":\"1.0\"}}} | true",
                "{\"M\":{\"a\":{\"N\":\"1\"}}} | {\"M\":{\"b\":{\"N\":\"1\"}}} | false",
                "{\"BOOL\":true} | {\"BOOL\":false} | false",
                "{\"L\":[]} | {\"M\":{}} | false",
                "{\"B\":\"AQ==\"} | {\"S\":\"AQ==\"} | false"
            })
    void valuesAreEqualAsDynamoDbSeesThem(String one, String other, boolean equal) throws Exception {
        assertThat(Canonical.of(put(one)).equals(Canonical.of(put(other)))).isEqualTo(equal);
    }

    @Test
    void whatTheSdkDoesNotKnowEqualsNothing() {
        AttributeValue unknown = AttributeValue.builder().build();

        assertThat(Canonical.of(unknown)).isNotEqualTo(Canonical.of(unknown));
    }

    @Test
    void aPutIsNotADelete() {
        assertThat(verdicts(List.of(operation("t", true, NO_ATTRIBUTES)), "t", request(false, NO_ATTRIBUTES)))
                .containsExactly(Verdict.Kind.UNKNOWN);
    }

    @Test
    void theTableCounts() {
        List<BulkItem> items = List.of(operation("t", true, NO_ATTRIBUTES), operation("u", true, NO_ATTRIBUTES));

        assertThat(verdicts(items, "u", request(true, NO_ATTRIBUTES)))
                .containsExactly(Verdict.Kind.LANDED, Verdict.Kind.RESIDUE);
        assertThat(verdicts(items, "v", request(true, NO_ATTRIBUTES)))
                .containsExactly(Verdict.Kind.UNKNOWN, Verdict.Kind.UNKNOWN);
    }

    @Test
    void aSecondEchoOfOneItemIsIgnored() {
        List<BulkItem> items = List.of(operation("t", true, NO_ATTRIBUTES), operation("t", false, NO_ATTRIBUTES));

        assertThat(verdicts(items, "t", request(true, NO_ATTRIBUTES), request(true, NO_ATTRIBUTES)))
                .containsExactly(Verdict.Kind.RESIDUE, Verdict.Kind.LANDED);
    }

    @Test
    void aStrangerLeavesTheNamedResidue() {
        List<BulkItem> items = List.of(operation("t", true, NO_ATTRIBUTES), operation("t", false, NO_ATTRIBUTES));

        for (Object stranger : List.of(
                request(true, Map.of("x", AttributeValue.fromS("y"))),
                WriteRequest.builder().build(),
                Map.of("pk", "plain"))) {
            assertThat(verdicts(items, "t", stranger, request(false, NO_ATTRIBUTES)))
                    .containsExactly(Verdict.Kind.UNKNOWN, Verdict.Kind.RESIDUE);
        }
    }

    private List<Verdict.Kind> verdicts(List<BulkItem> items, String table, Object... echoes) {
        UnprocessedItems unprocessed = new UnprocessedItems(items, 200);
        for (Object echo : echoes) {
            unprocessed.add(table, echo, reader);
        }
        return ((Reply.Verdicts) unprocessed.reply())
                .verdicts().stream().map(Verdict::kind).toList();
    }

    private static Object identity(Operation operation) {
        return List.of(operation.table(), Canonical.of(operation.request()));
    }

    private WriteRequest put(String value) throws Exception {
        return reader.read("{\"PutRequest\":{\"Item\":{\"a\":" + value + "}}}");
    }

    private static Operation operation(String table, boolean isPut, Map<String, AttributeValue> attributes) {
        return Operation.of(table, request(isPut, attributes), null, attributes, null, null);
    }

    private static WriteRequest request(boolean isPut, Map<String, AttributeValue> attributes) {
        Map<String, AttributeValue> ordered = new LinkedHashMap<>(attributes);
        return isPut
                ? WriteRequest.builder().putRequest(put -> put.item(ordered)).build()
                : WriteRequest.builder()
                        .deleteRequest(delete -> delete.key(ordered))
                        .build();
    }
}
