/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.http;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.http.base.HttpOperationFailedException;

/**
 * What an HTTP delegate answered, whether it came as a message or as an exception.
 *
 * @param status the HTTP status; 200 if the delegate answered without one, 0 if there was no answer
 * @param headers names know no case
 * @param body null if there is none
 * @param cause the exception; null if the delegate threw none
 */
public record HttpAnswer(int status, Map<String, Object> headers, InputStream body, Exception cause) {

    private static final String FAILED = "org.apache.camel.http.base.HttpOperationFailedException";

    /** Reads the outcome of a call; the body has not been read yet. */
    public static HttpAnswer of(Exchange exchange) {
        Exception exception = exchange.getException();
        if (exception == null) {
            Message message = exchange.getMessage();
            return new HttpAnswer(
                    message.getHeader(Exchange.HTTP_RESPONSE_CODE, 200, Integer.class),
                    message.getHeaders(),
                    message.getBody(InputStream.class),
                    null);
        }
        for (Throwable cause = exception; cause != null; cause = cause.getCause()) {
            if (cause.getClass().getName().equals(FAILED)) {
                return HttpFailure.answer(cause, exception);
            }
        }
        return new HttpAnswer(0, Map.of(), null, exception);
    }

    /** Whether the status is one of success. */
    public boolean isSuccess() {
        return status >= 200 && status < 300;
    }

    /** How long the service asks to wait, in milliseconds; 0 if it does not ask. */
    public long retryAfterMillis() {
        Object header = headers.get("Retry-After");
        return header == null ? 0 : RetryAfter.millis(header.toString());
    }

    /** The exception that came, or one that stands for the status. */
    public Exception exception() {
        return cause != null ? cause : new HttpStatusException(status);
    }

    /** Apart, because the class it names is there only with an HTTP component. */
    private static final class HttpFailure {

        static HttpAnswer answer(Throwable found, Exception exception) {
            HttpOperationFailedException failed = (HttpOperationFailedException) found;
            Map<String, Object> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            if (failed.getResponseHeaders() != null) {
                headers.putAll(failed.getResponseHeaders());
            }
            String body = failed.getResponseBody();
            return new HttpAnswer(
                    failed.getStatusCode(),
                    headers,
                    body == null ? null : new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)),
                    exception);
        }
    }
}
