/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;

/** What is wrong with JSON in words that are fit for ledgers and logs: Jackson's own messages quote the text. */
public final class JsonProblem {

    private JsonProblem() {}

    /**
     * Jackson's failure without what it quotes: its kind, where in the text it was, or of which class there is no JSON.
     *
     * @param failure one of Jackson's, or one that was caused by it; of any other the name of its class is all that is told
     */
    public static String of(Throwable failure) {
        JsonProcessingException problem = in(failure);
        if (problem == null) {
            return failure.getClass().getSimpleName();
        }
        String kind = problem.getClass().getSimpleName();
        JsonLocation at = problem.getLocation();
        if (at != null && at.getLineNr() > 0) {
            return kind + " at line " + at.getLineNr() + ", column " + at.getColumnNr();
        }
        return problem instanceof InvalidDefinitionException definition && definition.getType() != null
                ? kind + " of " + definition.getType().getRawClass().getName()
                : kind;
    }

    /** Whether the failure, or what caused it, quotes JSON. */
    public static boolean isQuotedBy(Throwable failure) {
        return in(failure) != null;
    }

    private static JsonProcessingException in(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof JsonProcessingException json) {
                return json;
            }
        }
        return null;
    }
}
