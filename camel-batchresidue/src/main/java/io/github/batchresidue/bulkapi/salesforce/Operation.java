/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.salesforce;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** What is done with records. */
enum Operation {
    /** Not safe to send again: each time it inserts a record. */
    CREATE("create", "compositeCreateSObjectCollections", "POST", false),
    /** The record has its id. */
    UPDATE("update", "compositeUpdateSObjectCollections", "PATCH", true),
    /** The record has an external id. */
    UPSERT("upsert", "compositeUpsertSObjectCollections", "PATCH", true),
    /** The item is an id. */
    DELETE("delete", "compositeDeleteSObjectCollections", "DELETE", true);

    /** The words of all of them. */
    static final Set<String> WORDS =
            Arrays.stream(values()).map(Operation::word).collect(Collectors.toUnmodifiableSet());

    private final String word;
    private final String delegateOperation;
    private final String httpMethod;
    private final boolean isSafeToResend;

    Operation(String word, String delegateOperation, String httpMethod, boolean isSafeToResend) {
        this.word = word;
        this.delegateOperation = delegateOperation;
        this.httpMethod = httpMethod;
        this.isSafeToResend = isSafeToResend;
    }

    /** How options and error rules name it. */
    String word() {
        return word;
    }

    String httpMethod() {
        return httpMethod;
    }

    /** Whether doing it twice comes to the same as doing it once. */
    boolean isSafeToResend() {
        return isSafeToResend;
    }

    /**
     * The operation that an option names.
     *
     * @throws IllegalArgumentException if there is none of this word
     */
    static Operation ofWord(String word) {
        return Arrays.stream(values())
                .filter(operation -> operation.word.equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("bulkApi.operation=" + word + ": expected one of "
                        + Arrays.stream(values()).map(Operation::word).collect(Collectors.joining(", "))));
    }

    /**
     * The operation that a delegate performs.
     *
     * @throws IllegalArgumentException if it is none of sObject Collections
     */
    static Operation ofDelegate(String delegateOperation) {
        return Arrays.stream(values())
                .filter(operation -> operation.delegateOperation.equals(delegateOperation))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the delegate's operation " + delegateOperation
                        + " gives no result for each record; expected one of "
                        + Arrays.stream(values())
                                .map(operation -> operation.delegateOperation)
                                .collect(Collectors.joining(", "))));
    }
}
