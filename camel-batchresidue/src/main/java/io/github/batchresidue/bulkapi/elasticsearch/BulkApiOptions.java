/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import io.github.batchresidue.bulkapi.BulkApiContext;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** The options {@code bulkApi.*} of this API. */
record BulkApiOptions(
        Action action,
        String index,
        String idField,
        String routingField,
        boolean isGeneratingIds,
        boolean isFilteringPath) {

    BulkApiOptions(BulkApiContext context) {
        this(context.options());
    }

    BulkApiOptions(Map<String, String> options) {
        this(
                action(options.get(ElasticsearchProvider.ACTION)),
                options.get(ElasticsearchProvider.INDEX),
                options.get(ElasticsearchProvider.ID_FIELD),
                options.get(ElasticsearchProvider.ROUTING_FIELD),
                flag(options, ElasticsearchProvider.GENERATE_IDS, false),
                flag(options, ElasticsearchProvider.FILTER_PATH, true));
        boolean isNamed = action == Action.UPDATE || action == Action.DELETE;
        if (isNamed && idField == null) {
            throw new IllegalArgumentException("bulkApi.action=" + action.word()
                    + " needs bulkApi.idField, the field that holds the document's id");
        }
    }

    private static Action action(String word) {
        Action action = word == null ? null : Action.of(word);
        if (word != null && action == null) {
            throw new IllegalArgumentException("bulkApi.action=" + word + ": expected one of "
                    + Arrays.stream(Action.values()).map(Action::word).collect(Collectors.joining(", ")));
        }
        return action;
    }

    private static boolean flag(Map<String, String> options, String name, boolean otherwise) {
        String value = options.get(name);
        if (value == null) {
            return otherwise;
        }
        if (!value.equals("true") && !value.equals("false")) {
            throw new IllegalArgumentException("bulkApi." + name + "=" + value + ": expected true or false");
        }
        return value.equals("true");
    }
}
