/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.http.RetryAfter;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reply;
import jakarta.json.JsonException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.camel.Exchange;
import org.apache.camel.Message;

/**
 * A component that goes through the service's own Java client: it takes a request of that client, which is made anew each
 * time, and gives the list of its results. The lines of an operation are put into it as the bytes they are.
 */
abstract class ClientTarget implements BulkTarget {

    /** Headers of both components; that they have no prefix makes a left-over one more likely. */
    private static final String OPERATION = "operation";

    private static final String INDEX_NAME = "indexName";

    static final String RETRY_AFTER = "Retry-After";

    private final String defaultIndex;

    ClientTarget(String defaultIndex) {
        this.defaultIndex = defaultIndex;
    }

    @Override
    public final String defaultIndex() {
        return defaultIndex;
    }

    @Override
    public final void write(List<BulkItem> items, Message message) {
        message.setHeader(OPERATION, "Bulk");
        message.setBody(request(items, message.getHeader(INDEX_NAME, defaultIndex, String.class)));
    }

    /** @param index where operations go that name none; may be null */
    abstract Object request(List<BulkItem> items, String index);

    /** The lines of an operation without the last newline, which the client adds. */
    static byte[] lines(BulkItem item) {
        byte[] lines = ((BulkOperation) item).toBytes();
        return Arrays.copyOf(lines, lines.length - 1);
    }

    @Override
    public final Reply read(List<BulkItem> items, Exchange exchange) {
        Exception exception = exchange.getException();
        if (exception != null) {
            return failed(items, exception);
        }
        try {
            Results results = new Results(items);
            if (!(exchange.getMessage().getBody() instanceof List<?> list)) {
                throw new IOException("it is no list of results");
            }
            for (Object result : list) {
                results.add(result(result));
            }
            return results.reply(0);
        } catch (IOException | ClassCastException e) {
            return Results.unreadable(items, 200, e);
        }
    }

    /**
     * Reads one result.
     *
     * @throws ClassCastException if it is none
     */
    abstract Result result(Object result);

    private Reply failed(List<BulkItem> items, Exception exception) {
        for (Throwable cause = exception; cause != null; cause = cause.getCause()) {
            Answer answer = answerIn(cause);
            if (answer != null && (answer.failure.status() < 200 || answer.failure.status() >= 300)) {
                return BulkErrors.reply(answer.failure, exception, answer.hintMillis);
            }
            if (answer != null
                    || cause instanceof JsonException
                    // An empty body, to the parser of the OpenSearch client.
                    || cause instanceof NoSuchElementException
                    || isIncomplete(cause)) {
                return Results.unreadable(items, 200, cause);
            }
        }
        return BulkErrors.noAnswer(exception);
    }

    /** What the service answered, in an exception of the client. */
    record Answer(Failure failure, long hintMillis) {

        /** @param retryAfter the header {@link #RETRY_AFTER}; null if there is none */
        Answer(Failure failure, String retryAfter) {
            this(failure, retryAfter == null ? 0 : RetryAfter.millis(retryAfter));
        }
    }

    /** What the service answered; null if the exception is of another kind. */
    abstract Answer answerIn(Throwable exception);

    /** Whether the exception says that a member is missing in JSON that was read. */
    abstract boolean isIncomplete(Throwable exception);

    /** A body that may fail to open. */
    interface Body {
        InputStream open() throws IOException;
    }

    static Failure failure(int status, Body body) {
        try {
            return BulkAnswer.failure(body.open(), status);
        } catch (IOException e) {
            return new Failure(status, null, null);
        }
    }
}
