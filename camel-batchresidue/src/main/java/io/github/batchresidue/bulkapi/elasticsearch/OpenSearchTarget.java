/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import com.fasterxml.jackson.databind.util.RawValue;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.engine.Failure;
import java.util.Iterator;
import java.util.List;
import org.apache.camel.Endpoint;
import org.apache.camel.component.opensearch.OpensearchEndpoint;
import org.opensearch.client.Response;
import org.opensearch.client.ResponseException;
import org.opensearch.client.json.NdJsonpSerializable;
import org.opensearch.client.opensearch._types.ErrorCause;
import org.opensearch.client.opensearch._types.OpenSearchException;
import org.opensearch.client.opensearch.core.BulkRequest;
import org.opensearch.client.opensearch.core.bulk.BulkOperation.Kind;
import org.opensearch.client.opensearch.core.bulk.BulkOperationVariant;
import org.opensearch.client.opensearch.core.bulk.BulkResponseItem;
import org.opensearch.client.util.MissingRequiredPropertyException;

/** The component {@code camel-opensearch}. */
final class OpenSearchTarget extends ClientTarget {

    OpenSearchTarget(Endpoint delegate) {
        super(((OpensearchEndpoint) delegate).getConfiguration().getIndexName());
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

        /** The client writes it with Jackson, which does not look into a raw value. */
        @Override
        public Iterator<?> _serializables() {
            return List.of(new RawValue(new RawLines(lines(operation)))).iterator();
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
                false);
    }

    @Override
    Answer answerIn(Throwable exception) {
        if (exception instanceof OpenSearchException e) {
            return new Answer(failure(e.status(), e.error()), null);
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

    @Override
    boolean isIncomplete(Throwable exception) {
        return exception instanceof MissingRequiredPropertyException;
    }
}
