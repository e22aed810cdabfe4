/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

/** Tells of an exception where it was thrown and what it is, without messages, which may quote an item. */
final class Place {

    private Place() {}

    static Throwable of(Throwable thrown) {
        Throwable place = new Throwable(thrown.getClass().getName() + ", without its message");
        place.setStackTrace(thrown.getStackTrace());
        return place;
    }
}
