/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.RawJson;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

class OperationReaderTest {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String DIGITS = "12345678901234567890123456789012345678";

    private final OperationReader reader = new OperationReader(MAPPER, OperationReader.Plain.ITEM);

    public record Order(String pk, BigDecimal price, double weight, byte[] seal, List<Integer> lines, Colour colour) {}

    public enum Colour {
        RED
    }

    @Test
    void plainValuesAreTypedAsTheDocumentTypeDoes() throws Exception {
        Map<String, Object> item = new LinkedHashMap<>();
        item.put("s", "text");
        item.put("c", 'c');
        item.put("i", 1);
        item.put("d", new BigDecimal(DIGITS + ".10"));
        item.put("big", new BigInteger(DIGITS));
        item.put("b", true);
        item.put("nul", null);
        item.put("bytes", new byte[] {1, 2});
        item.put("buffer", ByteBuffer.wrap(new byte[] {3}));
        item.put("sdk", SdkBytes.fromUtf8String("x"));
        item.put("l", Arrays.asList("a", null, 2));
        item.put("array", new Object[] {"a", 1});
        item.put("ints", new int[] {1, 2});
        item.put("m", Map.of("deep", Map.of("er", 1.5)));
        item.put("ss", new TreeSet<>(Set.of("a", "b")));
        item.put("ns", new TreeSet<>(Set.of(1, 2)));
        item.put("bs", Set.of(SdkBytes.fromUtf8String("y")));
        item.put("typed", AttributeValue.fromSs(List.of("z")));
        item.put("uuid", new UUID(0, 1));
        item.put("enum", Colour.RED);

        Map<String, AttributeValue> attributes = itemOf(item);

        assertThat(attributes)
                .containsEntry("s", AttributeValue.fromS("text"))
                .containsEntry("c", AttributeValue.fromS("c"))
                .containsEntry("i", AttributeValue.fromN("1"))
                .containsEntry("d", AttributeValue.fromN(DIGITS + ".10"))
                .containsEntry("big", AttributeValue.fromN(DIGITS))
                .containsEntry("b", AttributeValue.fromBool(true))
                .containsEntry("nul", AttributeValue.fromNul(true))
                .containsEntry("bytes", AttributeValue.fromB(SdkBytes.fromByteArray(new byte[] {1, 2})))
                .containsEntry("buffer", AttributeValue.fromB(SdkBytes.fromByteArray(new byte[] {3})))
                .containsEntry("sdk", AttributeValue.fromB(SdkBytes.fromUtf8String("x")))
                .containsEntry(
                        "l",
                        AttributeValue.fromL(List.of(
                                AttributeValue.fromS("a"), AttributeValue.fromNul(true), AttributeValue.fromN("2"))))
                .containsEntry(
                        "array", AttributeValue.fromL(List.of(AttributeValue.fromS("a"), AttributeValue.fromN("1"))))
                .containsEntry(
                        "ints", AttributeValue.fromL(List.of(AttributeValue.fromN("1"), AttributeValue.fromN("2"))))
                .containsEntry(
                        "m",
                        AttributeValue.fromM(
                                Map.of("deep", AttributeValue.fromM(Map.of("er", AttributeValue.fromN("1.5"))))))
                .containsEntry("ss", AttributeValue.fromSs(List.of("a", "b")))
                .containsEntry("ns", AttributeValue.fromNs(List.of("1", "2")))
                .containsEntry("bs", AttributeValue.fromBs(List.of(SdkBytes.fromUtf8String("y"))))
                .containsEntry("typed", AttributeValue.fromSs(List.of("z")))
                .containsEntry("uuid", AttributeValue.fromS("00000000-0000-0000-0000-000000000001"))
                .containsEntry("enum", AttributeValue.fromS("RED"))
                .hasSize(item.size());
    }

    @Test
    void aPojoIsReadByJackson() throws Exception {
        assertThat(itemOf(new Order("o", new BigDecimal(DIGITS + ".5"), 2.5, new byte[] {9}, List.of(1), Colour.RED)))
                .containsEntry("pk", AttributeValue.fromS("o"))
                .containsEntry("price", AttributeValue.fromN(DIGITS + ".5"))
                .containsEntry("weight", AttributeValue.fromN("2.5"))
                .containsEntry("seal", AttributeValue.fromB(SdkBytes.fromByteArray(new byte[] {9})))
                .containsEntry("lines", AttributeValue.fromL(List.of(AttributeValue.fromN("1"))))
                .containsEntry("colour", AttributeValue.fromS("RED"))
                .hasSize(6);
    }

    @Test
    void numbersInJsonKeepTheirDigits() throws Exception {
        String json = "{\"pk\":\"a\",\"n\":" + DIGITS + ".10,\"e\":1e400,\"z\":-0.0}";

        for (Object element : asText(json)) {
            assertThat(itemOf(element))
                    .containsEntry("n", AttributeValue.fromN(DIGITS + ".10"))
                    .containsEntry("e", AttributeValue.fromN("1e400"))
                    .containsEntry("z", AttributeValue.fromN("-0.0"));
        }
    }

    static Stream<Object> putsOfA() throws Exception {
        String typed =
                "{\"PutRequest\":{\"Item\":{\"pk\":{\"S\":\"a\"},\"n\":{\"N\":\"1.0\"},\"b\":{\"B\":\"AQI=\"}}}}";
        Map<String, AttributeValue> attributes = Map.of(
                "pk", AttributeValue.fromS("a"),
                "n", AttributeValue.fromN("1.0"),
                "b", AttributeValue.fromB(SdkBytes.fromByteArray(new byte[] {1, 2})));
        return Stream.of(
                WriteRequest.builder().putRequest(put -> put.item(attributes)).build(),
                attributes,
                Map.of("pk", "a", "n", new BigDecimal("1.0"), "b", new byte[] {1, 2}),
                typed,
                typed.getBytes(StandardCharsets.UTF_8),
                new RawJson((" " + typed + "\n").getBytes(StandardCharsets.UTF_8)),
                new StringBuilder(typed),
                MAPPER.readTree(typed),
                MAPPER.readValue(typed, Map.class),
                Map.of("PutRequest", Map.of("Item", attributes)),
                Map.of(
                        "PutRequest",
                        Map.of(
                                "Item",
                                Map.of(
                                        "pk", Map.of("S", "a"),
                                        "n", Map.of("N", "1.0"),
                                        "b", Map.of("B", new byte[] {1, 2})))));
    }

    @ParameterizedTest
    @MethodSource("putsOfA")
    void theSameItemInEveryForm(Object element) throws Exception {
        assertThat(reader.read(element))
                .isEqualTo(WriteRequest.builder()
                        .putRequest(put -> put.item(Map.of(
                                "pk", AttributeValue.fromS("a"),
                                "n", AttributeValue.fromN("1.0"),
                                "b", AttributeValue.fromB(SdkBytes.fromByteArray(new byte[] {1, 2})))))
                        .build());
    }

    @Test
    void aDeleteIsReadInEveryForm() throws Exception {
        String json = "{\"DeleteRequest\":{\"Key\":{\"pk\":{\"S\":\"a\"}}}}";
        WriteRequest delete = WriteRequest.builder()
                .deleteRequest(request -> request.key(Map.of("pk", AttributeValue.fromS("a"))))
                .build();

        assertThat(reader.read(delete)).isEqualTo(delete);
        for (Object element : asText(json)) {
            assertThat(reader.read(element)).isEqualTo(delete);
        }
        assertThat(reader.read(MAPPER.readValue(json, Map.class))).isEqualTo(delete);
        assertThat(new OperationReader(MAPPER, OperationReader.Plain.KEY).read(Map.of("pk", "a")))
                .isEqualTo(delete);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"PutRequest\":\"x\"}",
                "{\"PutRequest\":{\"Key\":{}}}",
                "{\"PutRequest\":{\"Item\":{},\"more\":1}}",
                "{\"PutRequest\":{\"Item\":{}},\"pk\":\"a\"}",
                "{\"DeleteRequest\":{\"Item\":{}}}",
                "{\"PutRequest\":{\"Item\":[]}}"
            })
    void whatOnlyLooksLikeAnOperationIsARecord(String json) throws Exception {
        for (Object element : asText(json)) {
            assertThat(itemOf(element)).containsKey(json.contains("Delete") ? "DeleteRequest" : "PutRequest");
        }
        assertThat(itemOf(MAPPER.readValue(json, Map.class)))
                .containsKey(json.contains("Delete") ? "DeleteRequest" : "PutRequest");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "7",
                "null",
                "[]",
                "\"text\"",
                "{\"pk\":\"a\"",
                "{\"pk\":\"a\"} {}",
                "{\"PutRequest\":{\"Item\":{\"pk\":\"a\"}}}",
                "{\"PutRequest\":{\"Item\":{\"pk\":{\"X\":\"a\"}}}}",
                "{\"PutRequest\":{\"Item\":{\"pk\":{\"S\":1}}}}",
                "{\"PutRequest\":{\"Item\":{\"pk\":{\"S\":\"a\",\"N\":\"1\"}}}}",
                "{\"PutRequest\":{\"Item\":{\"pk\":{}}}}",
                "{\"PutRequest\":{\"Item\":{\"b\":{\"B\":\"not*base64\"}}}}"
            })
    void whatCannotBeAnItemIsRefused(String json) {
        for (Object element : List.of(json, json.getBytes(StandardCharsets.UTF_8))) {
            assertThatThrownBy(() -> reader.read(element))
                    .isInstanceOf(InvalidItemException.class)
                    .message()
                    .doesNotContain("not*base64");
        }
    }

    static Stream<Object> noItems() {
        return Stream.of(
                7,
                List.of(),
                WriteRequest.builder().build(),
                Map.of("n", Double.NaN),
                Map.of("s", Set.of()),
                Map.of("s", Set.of("a", 1)),
                Map.of("s", Collections.singleton(null)),
                Map.of("PutRequest", Map.of("Item", Map.of("pk", "a"))));
    }

    @ParameterizedTest
    @MethodSource("noItems")
    void whatIsNoItemIsRefused(Object element) {
        assertThatThrownBy(() -> reader.read(element)).isInstanceOf(InvalidItemException.class);
    }

    @Test
    void nothingIsNoItem() {
        assertThatThrownBy(() -> reader.read(null)).isInstanceOf(InvalidItemException.class);
    }

    @Test
    void otherObjectsOfTheSdkAreNoItems() {
        for (Object foreign : List.of(
                PutItemRequest.builder().build(),
                BatchWriteItemRequest.builder().build())) {
            assertThatThrownBy(() -> reader.read(foreign))
                    .isInstanceOf(InvalidItemException.class)
                    .hasMessageContaining("only a WriteRequest is one");
        }
    }

    @Test
    void aWholeRequestHoldsNoPlainRecords() {
        OperationReader strict = new OperationReader(MAPPER, OperationReader.Plain.NOTHING);

        assertThatThrownBy(() -> strict.read(Map.of("PutRequst", Map.of("Item", Map.of()))))
                .isInstanceOf(InvalidItemException.class)
                .hasMessageContaining("PutRequest");
    }

    private static List<Object> asText(String json) {
        return List.of(json, json.getBytes(StandardCharsets.UTF_8), new RawJson(json.getBytes(StandardCharsets.UTF_8)));
    }

    private Map<String, AttributeValue> itemOf(Object element) throws InvalidItemException {
        return reader.read(element).putRequest().item();
    }
}
