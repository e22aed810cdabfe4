/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * What attribute values and operations are apart from how they are written: two are the same to DynamoDB exactly if
 * their canonical forms are {@code equal}. The order of attributes and of set members and the spelling of numbers make
 * no difference; the order of lists does.
 */
final class Canonical {

    private record Typed(AttributeValue.Type type, Object value) {}

    private Canonical() {}

    static Object of(WriteRequest request) {
        // A put and a delete of equal attributes differ, hence the flag.
        return List.of(request.putRequest() != null, of(Operation.attributes(request)));
    }

    static Map<String, Object> of(Map<String, AttributeValue> attributes) {
        Map<String, Object> canonical = new HashMap<>();
        attributes.forEach((name, value) -> canonical.put(name, of(value)));
        return canonical;
    }

    static Object of(AttributeValue value) {
        return new Typed(value.type(), content(value));
    }

    private static Object content(AttributeValue value) {
        return switch (value.type()) {
            case S -> value.s();
            case N -> number(value.n());
            case B -> value.b();
            case SS -> new HashSet<>(value.ss());
            case NS -> {
                Set<Object> numbers = new HashSet<>();
                value.ns().forEach(member -> numbers.add(number(member)));
                yield numbers;
            }
            case BS -> new HashSet<>(value.bs());
            case M -> of(value.m());
            case L -> {
                List<Object> elements = new ArrayList<>();
                value.l().forEach(element -> elements.add(of(element)));
                yield elements;
            }
            case BOOL -> value.bool();
            case NUL -> value.nul();
            default -> new Object(); // Of a type nobody knows yet: equal to nothing.
        };
    }

    private static Object number(String text) {
        try {
            return new BigDecimal(text).stripTrailingZeros();
        } catch (NumberFormatException | ArithmeticException e) {
            return text;
        }
    }
}
