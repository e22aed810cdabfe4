/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import io.github.batchresidue.bulkapi.aws.Texts;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.Map;
import java.util.function.ToLongFunction;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** How large operations are: in a request, and as DynamoDB counts an item against its limit. */
final class Sizes {

    /** {@code {"RequestItems":{}}} */
    static final int ENVELOPE = 19;

    private Sizes() {}

    // ---- On the wire

    /**
     * Bytes of an operation in the JSON of a request, with the comma. The name of its table is counted with each
     * operation, so that a request is never larger than the sum.
     */
    static long wireBytes(String table, WriteRequest request) {
        // {"PutRequest":{"Item":}} or {"DeleteRequest":{"Key":}}, then "":[] for the table and two commas
        int frame = request.putRequest() != null ? 24 : 26;
        return frame + wireMap(Operation.attributes(request)) + jsonText(table) + 5;
    }

    /** Bytes of a key in the JSON of a request, with the comma and the name of its table. */
    static long wireBytes(String table, Map<String, AttributeValue> key) {
        return wireMap(key) + jsonText(table) + 15; // "":{"Keys":[]} for the table, and two commas
    }

    private static long wireMap(Map<String, AttributeValue> attributes) {
        long bytes = 2 + commas(attributes.size());
        for (Map.Entry<String, AttributeValue> attribute : attributes.entrySet()) {
            bytes += jsonText(attribute.getKey()) + 1 + wireValue(attribute.getValue());
        }
        return bytes;
    }

    private static long wireValue(AttributeValue value) {
        // {"S":…}: six bytes with a type of one letter
        return switch (value.type()) {
            case S -> 6 + jsonText(value.s());
            case N -> 6 + jsonText(value.n());
            case B -> 6 + base64(value.b());
            case M -> 6 + wireMap(value.m());
            case L -> 6 + wireArray(value.l(), Sizes::wireValue);
            case SS -> 7 + wireArray(value.ss(), Sizes::jsonText);
            case NS -> 7 + wireArray(value.ns(), Sizes::jsonText);
            case BS -> 7 + wireArray(value.bs(), Sizes::base64);
            case BOOL, NUL -> 14; // {"BOOL":false}
            default -> 2;
        };
    }

    private static <T> long wireArray(Collection<T> elements, ToLongFunction<T> bytes) {
        return 2 + commas(elements.size()) + sum(elements, bytes);
    }

    private static int commas(int elements) {
        return Math.max(0, elements - 1);
    }

    private static long base64(SdkBytes bytes) {
        return 2 + (bytes.asByteArrayUnsafe().length + 2) / 3 * 4L;
    }

    /** A JSON string in UTF-8, quoted and escaped as the SDK does it, surrogates included. */
    private static long jsonText(String text) {
        long bytes = 2 + Texts.utf8(text);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\' || c == '\b' || c == '\t' || c == '\n' || c == '\f' || c == '\r') {
                bytes += 1;
            } else if (c < ' ') {
                bytes += 5;
            } else if (Character.isSurrogate(c)) {
                bytes += 4;
            }
        }
        return bytes;
    }

    // ---- Stored

    /**
     * Bytes of names and values as the developer guide counts them. A number is counted a byte short: the guide calls
     * its own count an approximation, and an item must not be refused that the service would take.
     */
    static long storedBytes(Map<String, AttributeValue> attributes) {
        long bytes = 0;
        for (Map.Entry<String, AttributeValue> attribute : attributes.entrySet()) {
            bytes += Texts.utf8(attribute.getKey()) + storedValue(attribute.getValue());
        }
        return bytes;
    }

    private static long storedValue(AttributeValue value) {
        return switch (value.type()) {
            case S -> Texts.utf8(value.s());
            case N -> storedNumber(value.n());
            case B -> value.b().asByteArrayUnsafe().length;
            case SS -> sum(value.ss(), Texts::utf8);
            case NS -> sum(value.ns(), Sizes::storedNumber);
            case BS -> sum(value.bs(), bytes -> bytes.asByteArrayUnsafe().length);
            case M -> 3 + value.m().size() + storedBytes(value.m());
            case L -> 3 + value.l().size() + sum(value.l(), Sizes::storedValue);
            case BOOL, NUL -> 1;
            default -> 0;
        };
    }

    /** A byte for two significant digits. */
    private static long storedNumber(String number) {
        try {
            return (new BigDecimal(number).stripTrailingZeros().precision() + 1) / 2;
        } catch (NumberFormatException | ArithmeticException e) {
            return 0; // The service will say so.
        }
    }

    private static <T> long sum(Collection<T> elements, ToLongFunction<T> bytes) {
        long sum = 0;
        for (T element : elements) {
            sum += bytes.applyAsLong(element);
        }
        return sum;
    }
}
