/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.engine.*;
import java.util.Iterator;
import org.apache.camel.Exchange;

final class ItemSource implements Source, AutoCloseable {
    private final Iterator<?> it;
    private final BulkApi api;

    ItemSource(Iterator<?> it, BulkApi api) {
        this.it = it;
        this.api = api;
    }

    static ItemSource of(Object body, Exchange exchange, BulkApi api) {
        return new ItemSource(((Iterable<?>) body).iterator(), api);
    }

    @Override
    public Content next() throws Exception {
        return it.hasNext() ? api.item(it.next()) : null;
    }

    @Override
    public boolean exhausted() {
        return !it.hasNext();
    }

    boolean isInMemory() {
        return true;
    }

    boolean isReadOnce() {
        return false;
    }

    @Override
    public void close() {}
}
