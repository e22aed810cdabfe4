/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import io.github.batchresidue.bulkapi.InvalidItemException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
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
     * @param members texts, numbers, lists, maps, objects of the SDK's; bytes or their base64
     * @throws InvalidItemException naming the member that is unknown or of a wrong type
     */
    public static <B extends SdkPojo & SdkBuilder<B, ?>> B fill(B builder, Map<?, ?> members)
            throws InvalidItemException {
        setAll(builder, members);
        return builder;
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
            return SdkBytes.fromByteArrayUnsafe(Base64.getDecoder().decode(text(name, given)));
        } catch (IllegalArgumentException e) {
            throw wrong(name, "text in base64");
        }
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
