/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi;

import io.github.batchresidue.engine.Content;

/** One item, ready to be written into requests any number of times. Immutable. */
public interface BulkItem extends Content {

    /**
     * The operation by which error rules such as {@code create:409} name it, one of {@link BulkApi#operations()}; null if
     * the API has only one.
     */
    default String operation() {
        return null;
    }

    /** What the service's user would call it (a document id, a record id); null if it has no such name. */
    default String id() {
        return null;
    }
}
