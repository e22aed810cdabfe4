/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * The option {@code itemKey}: what makes two items the same record. Immutable.
 *
 * @param source where keys come from
 * @param paths for {@link Source#FIELDS}: of each field the member names that lead to it from the root of the record
 * @param function for {@link Source#FUNCTION}: makes a key of an item's body; null for none
 */
public record ItemKey(Source source, List<List<String>> paths, Function<Object, Object> function) {

    /** Where keys come from. */
    public enum Source {
        /** The bulk API knows best. */
        API,
        /** Items have no key. */
        NONE,
        /** Fields of the record, as an ordered tuple; an item that lacks one has no key. */
        FIELDS,
        /** A function of the user's. */
        FUNCTION
    }

    /** As the bulk API sees it. */
    public static final ItemKey FROM_API = new ItemKey(Source.API, List.of(), null);

    /** Off. */
    public static final ItemKey NONE = new ItemKey(Source.NONE, List.of(), null);

    public static ItemKey of(Function<Object, Object> function) {
        return new ItemKey(Source.FUNCTION, List.of(), function);
    }

    /**
     * Reads the option's text: {@code none}, or names and JSON pointers separated by commas.
     *
     * @throws IllegalArgumentException if a name is empty
     */
    public static ItemKey parse(String text) {
        if (text == null) {
            return FROM_API;
        }
        if (text.equals("none")) {
            return NONE;
        }
        List<List<String>> paths = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            String name = part.trim();
            if (name.isEmpty() || name.equals("/")) {
                throw new IllegalArgumentException(
                        "itemKey=" + text + ": expected names or JSON pointers separated by commas, or none");
            }
            paths.add(name.startsWith("/") ? pointer(name) : List.of(name));
        }
        return new ItemKey(Source.FIELDS, List.copyOf(paths), null);
    }

    /**
     * The values at the paths, good as a key: numbers are equal however they are written.
     *
     * @param record where the paths begin
     * @return null if one of the values is missing or null
     */
    public List<Object> valuesIn(JsonNode record) {
        List<Object> values = new ArrayList<>(paths.size());
        for (List<String> path : paths) {
            JsonNode value = record;
            for (String member : path) {
                value = value.path(member);
            }
            if (value.isMissingNode() || value.isNull()) {
                return null;
            }
            values.add(value.isNumber() ? value.decimalValue().stripTrailingZeros() : value);
        }
        return values;
    }

    private static List<String> pointer(String pointer) {
        return Arrays.stream(pointer.substring(1).split("/", -1))
                .map(member -> member.replace("~1", "/").replace("~0", "~"))
                .toList();
    }
}
