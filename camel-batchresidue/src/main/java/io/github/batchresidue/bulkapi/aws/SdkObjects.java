/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import io.github.batchresidue.bulkapi.InvalidItemException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.SdkField;
import software.amazon.awssdk.core.SdkPojo;
import software.amazon.awssdk.core.protocol.MarshallingType;
import software.amazon.awssdk.core.traits.ListTrait;
import software.amazon.awssdk.core.traits.MapTrait;
import software.amazon.awssdk.utils.builder.SdkBuilder;

/** Makes objects of the SDK of maps that name their members as the service does, in JSON or in Java. */
public final class SdkObjects {

    private SdkObjects() {}

    /**
     * Fills a builder.
     *
     * @param members texts, numbers, lists, maps, objects of the SDK's; bytes or their base64; times, or as seconds since
     *     1970 or text
     * @throws InvalidItemException naming the member that is unknown or of a wrong type
     */
    public static <B extends SdkPojo & SdkBuilder<B, ?>> B fill(B builder, Map<?, ?> members)
            throws InvalidItemException {
        setAll(builder, members);
        return builder;
    }

    /**
     * What is to be said of an object of the SDK's that is no item.
     *
     * @param entryType what the SDK has for an item
     */
    public static InvalidItemException foreign(Object given, Class<?> entryType) {
        return new InvalidItemException(
                "a " + given.getClass().getSimpleName() + " of the SDK is no item: of its objects only a "
                        + entryType.getSimpleName() + " is one, and a whole request if it is the body itself");
    }

    private static void setAll(SdkPojo object, Map<?, ?> members) throws InvalidItemException {
        Map<String, SdkField<?>> fields = object.sdkFieldNameToField();
        for (Map.Entry<?, ?> member : members.entrySet()) {
            String name = String.valueOf(member.getKey());
            SdkField<?> field = fields.get(name);
            if (field == null) {
                throw new InvalidItemException("it has a member " + name + ", expected some of "
                        + String.join(", ", new TreeSet<>(fields.keySet())));
            }
            if (member.getValue() != null) {
                field.set(object, value(name, field, member.getValue()));
            }
        }
    }

    private static Object value(String name, SdkField<?> field, Object given) throws InvalidItemException {
        MarshallingType<?> type = field.marshallingType();
        if (type == MarshallingType.STRING) {
            return text(name, given);
        } else if (type == MarshallingType.INTEGER) {
            return integer(name, given);
        } else if (type == MarshallingType.SDK_BYTES) {
            return bytes(name, given);
        } else if (type == MarshallingType.BOOLEAN && given instanceof Boolean) {
            return given;
        } else if (type == MarshallingType.INSTANT) {
            return instant(name, given);
        } else if (type == MarshallingType.MAP && given instanceof Map<?, ?> map) {
            SdkField<?> values = field.getRequiredTrait(MapTrait.class).valueFieldInfo();
            Map<String, Object> read = new LinkedHashMap<>();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                read.put(
                        String.valueOf(entry.getKey()),
                        value(name + "/" + entry.getKey(), values, orEmpty(entry.getValue())));
            }
            return read;
        } else if (type == MarshallingType.LIST && given instanceof Collection<?> list) {
            SdkField<?> elements = field.getRequiredTrait(ListTrait.class).memberFieldInfo();
            List<Object> read = new ArrayList<>();
            for (Object element : list) {
                read.add(value(name, elements, orEmpty(element)));
            }
            return read;
        } else if (type == MarshallingType.SDK_POJO) {
            return object(name, field, given);
        }
        throw wrong(name, type.getTargetClass().getSimpleName());
    }

    /** A null in a list or a map is of no type, and refused as such. */
    private static Object orEmpty(Object value) {
        return value == null ? Void.class : value;
    }

    private static String text(String name, Object given) throws InvalidItemException {
        if (given instanceof CharSequence
                || given instanceof Number
                || given instanceof Boolean
                || given instanceof Enum) {
            return given.toString();
        }
        throw wrong(name, "text");
    }

    private static Integer integer(String name, Object given) throws InvalidItemException {
        try {
            return Integer.valueOf(text(name, given));
        } catch (NumberFormatException e) {
            throw wrong(name, "whole number");
        }
    }

    private static SdkBytes bytes(String name, Object given) throws InvalidItemException {
        if (given instanceof SdkBytes bytes) {
            return bytes;
        } else if (given instanceof byte[] bytes) {
            return SdkBytes.fromByteArray(bytes);
        } else if (given instanceof ByteBuffer buffer) {
            return SdkBytes.fromByteBuffer(buffer);
        }
        try {
            if (given instanceof CharSequence base64) {
                return SdkBytes.fromByteArrayUnsafe(Base64.getDecoder().decode(base64.toString()));
            }
        } catch (IllegalArgumentException e) {
            // As said below.
        }
        throw wrong(name, "text in base64");
    }

    /**
     * A time that the SDK can write.
     *
     * @param name of the member that it is given for
     * @throws InvalidItemException if it is none, or one that does not fit into milliseconds since 1970
     */
    public static Instant instant(String name, Object given) throws InvalidItemException {
        try {
            Instant instant = instantOf(given);
            if (instant != null) {
                return Instant.ofEpochMilli(instant.toEpochMilli()); // What the SDK writes has no more.
            }
        } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
            // As said below.
        }
        throw wrong(
                name,
                "time: expected an Instant or another time with its offset, a Date, seconds since 1970 or a text"
                        + " such as 2026-01-31T12:00:00Z");
    }

    private static Instant instantOf(Object given) {
        if (given instanceof TemporalAccessor time) {
            return Instant.from(time);
        } else if (given instanceof Date time) {
            return Instant.ofEpochMilli(time.getTime());
        } else if (given instanceof Number seconds) {
            BigDecimal millis = new BigDecimal(seconds.toString()).movePointRight(3);
            return Instant.ofEpochMilli(millis.setScale(0, RoundingMode.DOWN).longValueExact());
        }
        return given instanceof CharSequence text ? ZonedDateTime.parse(text).toInstant() : null;
    }

    private static Object object(String name, SdkField<?> field, Object given) throws InvalidItemException {
        SdkPojo builder = field.constructor().get();
        Object empty = ((SdkBuilder<?, ?>) builder).build();
        if (given.getClass() == empty.getClass()) {
            return given;
        }
        if (!(given instanceof Map<?, ?> members)) {
            throw wrong(name, "map");
        }
        setAll(builder, members);
        return ((SdkBuilder<?, ?>) builder).build();
    }

    private static InvalidItemException wrong(String name, String expected) {
        return new InvalidItemException("its " + name + " is no " + expected);
    }
}
