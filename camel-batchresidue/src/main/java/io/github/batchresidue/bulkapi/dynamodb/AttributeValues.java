/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.JsonProblem;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Makes attribute values of plain values, typed as the SDK's {@code EnhancedDocument} does, and of DynamoDB JSON. A
 * number keeps the digits it is written with.
 */
final class AttributeValues {

    /** Reads one value, of which the parser stands at the first token, up to its last token. */
    @FunctionalInterface
    private interface Reader<T> {
        T read(JsonParser parser) throws IOException, InvalidItemException;
    }

    private final ObjectMapper mapper;

    AttributeValues(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    // ---- Plain Java

    /** The attributes of a plain map. */
    Map<String, AttributeValue> ofPlainMap(Map<?, ?> map) throws InvalidItemException {
        Map<String, AttributeValue> attributes = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            attributes.put(String.valueOf(entry.getKey()), ofPlain(entry.getValue()));
        }
        return attributes;
    }

    private AttributeValue ofPlain(Object value) throws InvalidItemException {
        if (value == null) {
            return AttributeValue.fromNul(true);
        }
        if (value instanceof AttributeValue typed) {
            return typed;
        }
        if (value instanceof CharSequence || value instanceof Character) {
            return AttributeValue.fromS(value.toString());
        }
        if (value instanceof Number) {
            return AttributeValue.fromN(number(value.toString()));
        }
        if (value instanceof Boolean flag) {
            return AttributeValue.fromBool(flag);
        }
        if (isBinary(value)) {
            return AttributeValue.fromB(binary(value));
        }
        if (value instanceof Map<?, ?> map) {
            return AttributeValue.fromM(ofPlainMap(map));
        }
        if (value instanceof Set<?> set) {
            return ofSet(set);
        }
        if (value instanceof Collection<?> collection) {
            return ofList(collection);
        }
        if (value instanceof Object[] array) {
            return ofList(Arrays.asList(array));
        }
        try (JsonParser parser = tokens(value)) {
            parser.nextToken();
            return readPlain(parser);
        } catch (IOException e) {
            throw notJson(e);
        }
    }

    private AttributeValue ofList(Collection<?> elements) throws InvalidItemException {
        List<AttributeValue> list = new ArrayList<>(elements.size());
        for (Object element : elements) {
            list.add(ofPlain(element));
        }
        return AttributeValue.fromL(list);
    }

    private static AttributeValue ofSet(Set<?> set) throws InvalidItemException {
        if (!set.isEmpty() && set.stream().allMatch(CharSequence.class::isInstance)) {
            return AttributeValue.fromSs(set.stream().map(Object::toString).toList());
        }
        if (!set.isEmpty() && set.stream().allMatch(Number.class::isInstance)) {
            List<String> numbers = new ArrayList<>(set.size());
            for (Object member : set) {
                numbers.add(number(member.toString()));
            }
            return AttributeValue.fromNs(numbers);
        }
        if (!set.isEmpty() && set.stream().allMatch(AttributeValues::isBinary)) {
            return AttributeValue.fromBs(
                    set.stream().map(AttributeValues::binary).toList());
        }
        throw new InvalidItemException(
                "a set must hold strings only, numbers only or binaries only, and not be empty: use a list instead");
    }

    private static boolean isBinary(Object value) {
        return value instanceof byte[] || value instanceof ByteBuffer || value instanceof SdkBytes;
    }

    private static SdkBytes binary(Object value) {
        if (value instanceof byte[] array) {
            return SdkBytes.fromByteArray(array);
        }
        return value instanceof ByteBuffer buffer ? SdkBytes.fromByteBuffer(buffer) : (SdkBytes) value;
    }

    /**
     * The attributes as plain values: {@link #ofPlainMap} makes the same attributes of them.
     *
     * @throws RuntimeException if one has no value, or none of its type
     */
    static Map<String, Object> toPlainMap(Map<String, AttributeValue> attributes) {
        Map<String, Object> map = new LinkedHashMap<>();
        attributes.forEach((name, value) -> map.put(name, toPlain(value)));
        return Collections.unmodifiableMap(map);
    }

    private static Object toPlain(AttributeValue value) {
        return switch (value.type()) {
            case S -> value.s();
            case N -> new BigDecimal(value.n());
            case B -> value.b().asByteArray();
            case BOOL -> value.bool();
            case M -> toPlainMap(value.m());
            case L -> value.l().stream().map(AttributeValues::toPlain).toList();
            case SS -> toPlainSet(value.ss(), text -> text);
            case NS -> toPlainSet(value.ns(), BigDecimal::new);
            case BS -> toPlainSet(value.bs(), SdkBytes::asByteArray);
            case NUL -> null;
            default -> throw new IllegalArgumentException("an attribute of an unknown type");
        };
    }

    private static <T> Set<Object> toPlainSet(List<T> members, Function<T, Object> plain) {
        Set<Object> set = new LinkedHashSet<>();
        members.forEach(member -> set.add(plain.apply(member)));
        return Collections.unmodifiableSet(set);
    }

    // ---- JSON

    /** The tokens of what Jackson makes of a value; numbers stay what they are. */
    JsonParser tokens(Object value) throws IOException {
        if (value instanceof JsonNode node) {
            return node.traverse(mapper);
        }
        TokenBuffer buffer = new TokenBuffer(mapper, false);
        mapper.writeValue(buffer, value);
        return buffer.asParser();
    }

    /** The attributes of a plain JSON object, whose first token the parser stands at. */
    Map<String, AttributeValue> readPlainObject(JsonParser parser) throws IOException, InvalidItemException {
        return readObject(parser, this::readPlain);
    }

    private AttributeValue readPlain(JsonParser parser) throws IOException, InvalidItemException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> AttributeValue.fromM(readPlainObject(parser));
            case START_ARRAY -> AttributeValue.fromL(readArray(parser, this::readPlain));
            case VALUE_STRING -> AttributeValue.fromS(parser.getText());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> AttributeValue.fromN(number(parser.getText()));
            case VALUE_TRUE, VALUE_FALSE -> AttributeValue.fromBool(parser.getBooleanValue());
            case VALUE_NULL -> AttributeValue.fromNul(true);
            case VALUE_EMBEDDED_OBJECT -> ofPlain(parser.getEmbeddedObject());
            default -> throw new InvalidItemException("unexpected " + parser.currentToken() + " in JSON");
        };
    }

    /** The attributes of an object in DynamoDB JSON, whose first token the parser stands at. */
    static Map<String, AttributeValue> readTypedObject(JsonParser parser) throws IOException, InvalidItemException {
        return readObject(parser, AttributeValues::readTyped);
    }

    private static AttributeValue readTyped(JsonParser parser) throws IOException, InvalidItemException {
        require(parser.currentToken() == JsonToken.START_OBJECT && parser.nextToken() == JsonToken.FIELD_NAME);
        String type = parser.currentName();
        parser.nextToken();
        AttributeValue value =
                switch (type) {
                    case "S" -> AttributeValue.fromS(string(parser));
                    case "N" -> AttributeValue.fromN(string(parser));
                    case "B" -> AttributeValue.fromB(SdkBytes.fromByteArray(parser.getBinaryValue()));
                    case "BOOL" -> AttributeValue.fromBool(parser.getBooleanValue());
                    case "NULL" -> AttributeValue.fromNul(parser.getBooleanValue());
                    case "SS" -> AttributeValue.fromSs(readArray(parser, AttributeValues::string));
                    case "NS" -> AttributeValue.fromNs(readArray(parser, AttributeValues::string));
                    case "BS" ->
                        AttributeValue.fromBs(
                                readArray(parser, member -> SdkBytes.fromByteArray(member.getBinaryValue())));
                    case "M" -> AttributeValue.fromM(readTypedObject(parser));
                    case "L" -> AttributeValue.fromL(readArray(parser, AttributeValues::readTyped));
                    default -> throw new InvalidItemException("DynamoDB JSON has no type " + type);
                };
        require(parser.nextToken() == JsonToken.END_OBJECT);
        return value;
    }

    private static String string(JsonParser parser) throws IOException, InvalidItemException {
        require(parser.currentToken() == JsonToken.VALUE_STRING);
        return parser.getText();
    }

    private static Map<String, AttributeValue> readObject(JsonParser parser, Reader<AttributeValue> reader)
            throws IOException, InvalidItemException {
        require(parser.currentToken() == JsonToken.START_OBJECT);
        Map<String, AttributeValue> attributes = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            attributes.put(name, reader.read(parser));
        }
        return attributes;
    }

    private static <T> List<T> readArray(JsonParser parser, Reader<T> reader) throws IOException, InvalidItemException {
        require(parser.currentToken() == JsonToken.START_ARRAY);
        List<T> elements = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            elements.add(reader.read(parser));
        }
        return elements;
    }

    private static void require(boolean holds) throws InvalidItemException {
        if (!holds) {
            throw new InvalidItemException("expected DynamoDB JSON such as {\"pk\":{\"S\":\"a\"}}");
        }
    }

    private static String number(String text) throws InvalidItemException {
        try {
            new BigDecimal(text);
            return text;
        } catch (NumberFormatException e) {
            throw new InvalidItemException("a number must be finite and decimal");
        }
    }

    static InvalidItemException notJson(IOException e) {
        return new InvalidItemException("cannot be read as JSON: " + JsonProblem.of(e));
    }
}
