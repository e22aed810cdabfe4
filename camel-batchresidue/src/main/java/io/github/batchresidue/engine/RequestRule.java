/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.List;

/**
 * What a request may hold, where a number of items and of bytes cannot say it: at most ten kinds, for example. A pure
 * function, used by many threads at once. Of a request that it allows it has to allow every part, for requests are halved
 * and items are left out of them.
 */
@FunctionalInterface
public interface RequestRule {

    /** Any items go together. */
    RequestRule NONE = (request, next) -> true;

    /**
     * Whether the request may hold the next item too; else it ends before it.
     *
     * @param request what it holds so far, in its order; at least one
     */
    boolean allows(List<Content> request, Content next);
}
