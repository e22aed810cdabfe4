/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi;

/** An element of {@link BulkApi#wholeRequest} that is more than the caller's own object. */
public interface RequestElement {

    /** What the caller put there: what is given back if the element can never be sent. */
    Object original();
}
