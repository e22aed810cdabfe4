/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import io.github.batchresidue.bulkapi.BulkItem;
import java.io.InputStream;
import java.util.List;
import java.util.Set;
import org.apache.hc.core5.function.Supplier;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;

/** A body that the HTTP client of {@code camel-http} takes as it is: with its length, and without a copy. */
final class HttpBulkBody extends BulkBody implements HttpEntity {

    private final List<BulkItem> items;

    HttpBulkBody(List<BulkItem> items) {
        super(items);
        this.items = items;
    }

    @Override
    public boolean isRepeatable() {
        return true;
    }

    @Override
    public InputStream getContent() {
        return new BulkBody(items);
    }

    @Override
    public boolean isStreaming() {
        return false;
    }

    @Override
    public Supplier<List<? extends Header>> getTrailers() {
        return null;
    }

    @Override
    public long getContentLength() {
        return length();
    }

    @Override
    public String getContentType() {
        return HttpTarget.CONTENT_TYPE;
    }

    @Override
    public String getContentEncoding() {
        return null;
    }

    @Override
    public boolean isChunked() {
        return false;
    }

    @Override
    public Set<String> getTrailerNames() {
        return Set.of();
    }

    @Override
    public void close() {
        // There is nothing to let go of: the bytes belong to the items.
    }
}
