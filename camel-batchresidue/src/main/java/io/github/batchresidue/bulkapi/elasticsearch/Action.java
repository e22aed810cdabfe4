/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What an operation does, by the word that the action line has for it. */
enum Action {
    INDEX("index", true),
    CREATE("create", true),
    UPDATE("update", true),
    DELETE("delete", false);

    /** All of them; what the language gives for it is a copy each time. */
    static final List<Action> ALL = List.of(values());

    /** The words of all of them. */
    static final Set<String> WORDS = ALL.stream().map(Action::word).collect(Collectors.toUnmodifiableSet());

    private final String word;
    private final boolean hasSource;

    Action(String word, boolean hasSource) {
        this.word = word;
        this.hasSource = hasSource;
    }

    /** Its word on the wire. */
    String word() {
        return word;
    }

    /** Whether a second line with the source follows the action line. */
    boolean hasSource() {
        return hasSource;
    }

    /** What it is with the metadata {@code op_type}. */
    Action withOpType(String opType) {
        return this == INDEX && CREATE.word.equals(opType) ? CREATE : this;
    }

    /** The action of this word; null if there is none. */
    static Action of(String word) {
        for (Action action : ALL) {
            if (action.word.equals(word)) {
                return action;
            }
        }
        return null;
    }
}
