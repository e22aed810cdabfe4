/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkApiContext;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.Limits;
import io.github.batchresidue.engine.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.camel.Exchange;

/** {@code _bulk}: what an item is, what a request may hold; the rest is the {@link BulkTarget}'s. */
final class ElasticsearchApi implements BulkApi {

    /** {@code http.max_content_length}, which is 100 MB unless the server says otherwise. */
    private static final Limits LIMITS = new Limits(Limits.NONE, 100L * 1024 * 1024, 0);

    private final BulkApiOptions options;
    private final BulkTarget target;
    private final OperationKeys keys;
    private final DocumentReader documents;

    ElasticsearchApi(BulkApiContext context) {
        this.options = new BulkApiOptions(context);
        this.target = BulkTarget.of(context.delegate(), options.isFilteringPath());
        this.keys = new OperationKeys(context.itemKey(), target.defaultIndex());
        this.documents = new DocumentReader(options, context.objectMapper(), keys);
    }

    @Override
    public Limits limits() {
        return LIMITS;
    }

    @Override
    public Set<String> operations() {
        return Action.WORDS;
    }

    @Override
    public BulkItem item(Object element) throws InvalidItemException {
        return element instanceof BulkOperation operation ? operation : documents.read(element);
    }

    /** With {@code bulkApi.action} a text holds documents and no action lines. */
    @Override
    public Iterator<?> wholeRequest(Object body) {
        if (options.action() != null || !(body instanceof InputStream text)) {
            return null;
        }
        try {
            return TextPeek.isBulkRequest(text) ? new OperationReader(text, keys, options.isGeneratingIds()) : null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void write(List<BulkItem> items, Exchange exchange) {
        target.write(items, exchange.getMessage());
    }

    @Override
    public Reply read(List<BulkItem> items, Exchange exchange) {
        return target.read(items, exchange);
    }
}
