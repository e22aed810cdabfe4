/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkApiContext;
import io.github.batchresidue.bulkapi.BulkApiProvider;
import io.github.batchresidue.bulkapi.ItemKey;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.camel.Endpoint;

/** Makes the {@link WordApi} by the name {@code words}, and of delegates named {@code direct:wordtable}. */
public class WordApiProvider implements BulkApiProvider {

    /** What the last endpoint of each delegate was made with. */
    static final Map<String, BulkApiContext> MADE = new ConcurrentHashMap<>();

    @Override
    public List<String> names() {
        return List.of("words", "terms");
    }

    @Override
    public Set<String> optionNames() {
        return Set.of("language", "dialect");
    }

    @Override
    public List<String> coordinates() {
        return List.of();
    }

    @Override
    public boolean isSpokenBy(Endpoint delegate) {
        return delegate.getEndpointUri().equals("direct://wordtable");
    }

    @Override
    public BulkApi create(BulkApiContext context) {
        MADE.put(context.delegate().getEndpointBaseUri(), context);
        return new WordApi().key(keyOf(context.itemKey()));
    }

    /** A word's fields are its letters: {@code first} and {@code last}. */
    private static Function<String, Object> keyOf(ItemKey itemKey) {
        return switch (itemKey.source()) {
            case API -> word -> word;
            case NONE -> word -> null;
            case FIELDS ->
                word -> itemKey.paths().stream()
                        .map(path -> path.get(0).equals("first") ? word.charAt(0) : word.charAt(word.length() - 1))
                        .toList();
            case FUNCTION -> word -> itemKey.function().apply(word);
        };
    }
}
