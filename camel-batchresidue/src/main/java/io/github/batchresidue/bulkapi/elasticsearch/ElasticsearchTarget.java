/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import co.elastic.clients.elasticsearch._types.ElasticsearchException;
import co.elastic.clients.elasticsearch._types.ErrorCause;
import co.elastic.clients.elasticsearch.core.BulkRequest;
import co.elastic.clients.elasticsearch.core.bulk.BulkOperation.Kind;
import co.elastic.clients.elasticsearch.core.bulk.BulkOperationVariant;
import co.elastic.clients.elasticsearch.core.bulk.BulkResponseItem;
import co.elastic.clients.elasticsearch.core.bulk.FailureStoreStatus;
import co.elastic.clients.json.NdJsonpSerializable;
import co.elastic.clients.transport.TransportException;
import co.elastic.clients.transport.http.TransportHttpClient;
import co.elastic.clients.util.BinaryData;
import co.elastic.clients.util.MissingRequiredPropertyException;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.engine.Failure;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.apache.camel.Endpoint;
import org.apache.camel.component.es.ElasticsearchEndpoint;
import org.elasticsearch.client.Response;
import org.elasticsearch.client.ResponseException;

/** The component {@code camel-elasticsearch}. */
final class ElasticsearchTarget extends ClientTarget {

    ElasticsearchTarget(Endpoint delegate) {
        super(((ElasticsearchEndpoint) delegate).getConfiguration().getIndexName());
    }

    @Override
    Object request(List<BulkItem> items, String index) {
        BulkRequest.Builder request = new BulkRequest.Builder().index(index);
        for (BulkItem item : items) {
            request.operations(new Lines((BulkOperation) item)._toBulkOperation());
        }
        return request;
    }

    /** An operation that the client writes as it is. */
    private record Lines(BulkOperation operation) implements BulkOperationVariant, NdJsonpSerializable {

        @Override
        public Kind _bulkOperationKind() {
            return switch (operation.action()) {
                case INDEX -> Kind.Index;
                case CREATE -> Kind.Create;
                case UPDATE -> Kind.Update;
                case DELETE -> Kind.Delete;
            };
        }

        @Override
        public Iterator<?> _serializables() {
            return List.of(BinaryData.of(lines(operation), HttpTarget.CONTENT_TYPE))
                    .iterator();
        }
    }

    @Override
    Result result(Object result) {
        BulkResponseItem item = (BulkResponseItem) result;
        return new Result(
                item.operationType().jsonValue(),
                item.id(),
                item.status(),
                item.error() == null ? null : failure(item.status(), item.error()),
                item.failureStore() == FailureStoreStatus.Used);
    }

    @Override
    Answer answerIn(Throwable exception) {
        if (exception instanceof ElasticsearchException e) {
            return new Answer(failure(e.status(), e.error()), retryAfter(e.httpResponse()));
        }
        if (exception instanceof TransportException e && e.response() != null) {
            BinaryData body = bodyOf(e.response());
            return new Answer(
                    failure(e.statusCode(), () -> body == null ? null : body.asInputStream()),
                    retryAfter(e.response()));
        }
        if (exception instanceof ResponseException e) {
            Response response = e.getResponse();
            return new Answer(
                    failure(
                            response.getStatusLine().getStatusCode(),
                            () -> response.getEntity() == null
                                    ? null
                                    : response.getEntity().getContent()),
                    response.getHeader(RETRY_AFTER));
        }
        return null;
    }

    private static Failure failure(int status, ErrorCause error) {
        return new Failure(status, error.type(), error.reason());
    }

    private static BinaryData bodyOf(TransportHttpClient.Response response) {
        try {
            return response.body();
        } catch (IOException e) {
            return null;
        }
    }

    private static String retryAfter(TransportHttpClient.Response response) {
        return response == null ? null : response.header(RETRY_AFTER);
    }

    @Override
    boolean isIncomplete(Throwable exception) {
        return exception instanceof MissingRequiredPropertyException;
    }
}
