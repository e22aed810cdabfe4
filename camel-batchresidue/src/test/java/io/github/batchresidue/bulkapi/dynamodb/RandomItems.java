/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Random attribute values of every type, the same for the same seed. */
final class RandomItems {

    private static final String[] TEXTS = {
        "", "a", "B", "\u00e4", "\u20ac", "\ud83d\ude80", "\"", "\\", "\n", "\u0001", "/", "\u007f"
    };

    private RandomItems() {}

    static Map<String, AttributeValue> attributes(Random random, int depth) {
        Map<String, AttributeValue> attributes = new LinkedHashMap<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            attributes.put(text(random) + i, value(random, depth));
        }
        return attributes;
    }

    static AttributeValue value(Random random, int depth) {
        int members = 1 + random.nextInt(3);
        return switch (random.nextInt(depth > 0 ? 10 : 8)) {
            case 0 -> AttributeValue.fromS(text(random));
            case 1 -> AttributeValue.fromN(number(random));
            case 2 -> AttributeValue.fromB(bytes(random, random.nextInt(6)));
            case 3 -> AttributeValue.fromBool(random.nextBoolean());
            case 4 -> AttributeValue.fromNul(true);
            case 5 ->
                AttributeValue.fromSs(IntStream.range(0, members)
                        .mapToObj(i -> text(random) + i)
                        .toList());
            case 6 ->
                AttributeValue.fromNs(IntStream.range(0, members)
                        .mapToObj(i -> i + "." + (1 + random.nextInt(9)))
                        .toList());
            case 7 ->
                AttributeValue.fromBs(IntStream.range(0, members)
                        .mapToObj(i -> bytes(random, i + 1))
                        .toList());
            case 8 -> AttributeValue.fromM(attributes(random, depth - 1));
            default ->
                AttributeValue.fromL(IntStream.range(0, random.nextInt(4))
                        .mapToObj(i -> value(random, depth - 1))
                        .toList());
        };
    }

    /** The same value, written in another way. */
    static AttributeValue respelled(AttributeValue value, Random random) {
        return switch (value.type()) {
            case N -> AttributeValue.fromN(respelledNumber(value.n(), random));
            case SS -> AttributeValue.fromSs(shuffled(value.ss(), random));
            case NS ->
                AttributeValue.fromNs(shuffled(
                        value.ns().stream().map(n -> respelledNumber(n, random)).toList(), random));
            case BS -> AttributeValue.fromBs(shuffled(value.bs(), random));
            case M -> AttributeValue.fromM(respelled(value.m(), random));
            case L ->
                AttributeValue.fromL(value.l().stream()
                        .map(element -> respelled(element, random))
                        .toList());
            default -> value;
        };
    }

    static Map<String, AttributeValue> respelled(Map<String, AttributeValue> attributes, Random random) {
        Map<String, AttributeValue> respelled = new LinkedHashMap<>();
        shuffled(attributes.keySet().stream().toList(), random)
                .forEach(name -> respelled.put(name, respelled(attributes.get(name), random)));
        return respelled;
    }

    /** An item in DynamoDB JSON with this attribute and random others. */
    static String json(Random random, String name, String value) {
        List<String> members = new ArrayList<>(List.of(
                "\"" + name + "\":" + value,
                "\"n\":{\"N\":\"" + random.nextInt(100) + ".50\"}",
                "\"tags\":{\"SS\":[\"x\",\"y\",\"z" + random.nextInt() + "\"]}",
                "\"sizes\":{\"NS\":[\"1.0\",\"2E1\"]}",
                "\"more\":{\"M\":{\"b\":{\"BOOL\":true},\"l\":{\"L\":[{\"N\":\"1\"},{\"NULL\":true}]}}}"));
        return "{" + String.join(",", shuffled(members, random)) + "}";
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append(TEXTS[random.nextInt(TEXTS.length)]);
        }
        return text.toString();
    }

    private static String number(Random random) {
        return new BigDecimal(random.nextInt(2000) - 1000)
                .movePointLeft(random.nextInt(8))
                .toString();
    }

    private static SdkBytes bytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return SdkBytes.fromByteArray(bytes);
    }

    private static String respelledNumber(String number, Random random) {
        BigDecimal value = new BigDecimal(number);
        return switch (random.nextInt(4)) {
            case 0 -> value.stripTrailingZeros().toPlainString();
            case 1 -> value.setScale(value.scale() + 3).toPlainString();
            case 2 -> value.unscaledValue() + "E" + -value.scale();
            default -> value.stripTrailingZeros().toString();
        };
    }

    private static <T> List<T> shuffled(List<T> list, Random random) {
        List<T> shuffled = new ArrayList<>(list);
        Collections.shuffle(shuffled, random);
        return shuffled;
    }
}
