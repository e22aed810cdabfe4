/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

/**
 * What the service said of an item that did not land.
 *
 * @param status HTTP status of the item or, if it has none of its own, of the whole reply; 0 if there is none
 * @param code the service's error code; null if there is none
 * @param message the service's message; null if there is none
 */
public record Failure(int status, String code, String message) {

    /** A failure of which nothing is known. */
    public static final Failure NONE = new Failure(0, null, null);

    /** Of an exception where an answer was due: the simple name of its class as the code, and its message. */
    public static Failure of(Throwable thrown) {
        return new Failure(0, thrown.getClass().getSimpleName(), messageOf(thrown));
    }

    private static String messageOf(Throwable thrown) {
        try {
            return thrown.getMessage();
        } catch (Throwable e) {
            return null; // Who asks has caught it so as not to fail.
        }
    }
}
