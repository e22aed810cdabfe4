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
import io.github.batchresidue.bulkapi.http.Connections;
import io.github.batchresidue.bulkapi.http.HttpAnswer;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.camel.Exchange;
import org.apache.camel.Message;

/** {@code _bulk} over an HTTP delegate. */
final class ElasticsearchApi implements BulkApi {

    static final String CONTENT_TYPE = "application/x-ndjson";

    /** {@code http.max_content_length}, which is 100 MB unless the server says otherwise. */
    private static final Limits LIMITS = new Limits(Limits.NONE, 100L * 1024 * 1024, 0);

    /** Of the answer, what tells the verdict on each item; every item keeps at least its status. */
    private static final String FILTER_PATH = "filter_path=errors,items.*.status,items.*.error,items.*.failure_store";

    /** Errors of a refused request by which it is certain that no part of it was executed. */
    private static final Set<String> VALIDATED_BEFORE =
            Set.of("action_request_validation_exception", "illegal_argument_exception");

    private final DocumentReader documents;
    private final boolean isGeneratingIds;
    private final boolean isTextOfDocuments;
    private final HttpTarget target;

    ElasticsearchApi(BulkApiContext context) {
        BulkApiOptions options = new BulkApiOptions(context);
        this.isGeneratingIds = options.isGeneratingIds();
        this.isTextOfDocuments = options.action() != null;
        this.documents = new DocumentReader(options, context.objectMapper());
        this.target = HttpTarget.of(context.delegate(), options.isFilteringPath() ? FILTER_PATH : null);
    }

    @Override
    public Limits limits() {
        return LIMITS;
    }

    @Override
    public BulkItem item(Object element) throws InvalidItemException {
        return element instanceof BulkOperation operation ? operation : documents.read(element);
    }

    /** With {@code bulkApi.action} a text holds documents and no action lines. */
    @Override
    public Iterator<?> wholeRequest(Object body) {
        if (isTextOfDocuments || !(body instanceof InputStream text)) {
            return null;
        }
        try {
            return TextPeek.isBulkRequest(text) ? new OperationReader(text, isGeneratingIds) : null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void write(List<BulkItem> items, Exchange exchange) {
        Message message = exchange.getMessage();
        message.setHeader(Exchange.CONTENT_TYPE, CONTENT_TYPE);
        target.address(message);
        message.setBody(target.body(items, message));
    }

    @Override
    public Reply read(List<BulkItem> items, Exchange exchange) {
        HttpAnswer answer = HttpAnswer.of(exchange);
        if (answer.isSuccess()) {
            return BulkAnswer.read(items, answer.body(), answer.status(), answer.retryAfterMillis());
        }
        if (answer.status() == 0) {
            Exception cause = answer.cause();
            return new Reply.TransportFailed(
                    cause,
                    new Failure(0, cause.getClass().getSimpleName(), cause.getMessage()),
                    Connections.isNeverSent(cause),
                    0);
        }
        return classify(answer, BulkAnswer.failure(answer.body(), answer.status()));
    }

    private static Reply classify(HttpAnswer answer, Failure failure) {
        int status = answer.status();
        long hint = answer.retryAfterMillis();
        if (status == 429 || status == 503 && BulkErrors.isNothingDone(failure)) {
            return new Reply.Throttled(failure, hint);
        }
        if (status == 413) {
            return new Reply.TooLarge(failure);
        }
        if (status == 400) {
            // Since Elasticsearch 9 a body is executed while it arrives: a bad line refuses it when a part has been
            // done.
            boolean isNothingLanded = failure.code() != null && VALIDATED_BEFORE.contains(failure.code());
            return new Reply.Rejected(failure, isNothingLanded);
        }
        if (status >= 500 || status == 408) {
            return new Reply.TransportFailed(answer.exception(), failure, false, hint);
        }
        return new Reply.Refused(answer.exception(), failure);
    }
}
