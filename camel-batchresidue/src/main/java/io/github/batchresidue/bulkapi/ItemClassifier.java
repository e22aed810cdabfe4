/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi;

import io.github.batchresidue.engine.Item;
import io.github.batchresidue.engine.Verdict;

/** Has the last word on one item's verdict. Used by many threads at once. */
@FunctionalInterface
public interface ItemClassifier {

    /**
     * The verdict that counts.
     *
     * @param item its content is the {@link BulkItem}
     * @param verdict what the bulk API and the error rules made of the reply
     */
    Verdict classify(Item item, Verdict verdict);
}
