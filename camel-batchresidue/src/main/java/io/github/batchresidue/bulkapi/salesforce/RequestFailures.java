/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.salesforce;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.bulkapi.http.Connections;
import io.github.batchresidue.bulkapi.http.HttpAnswer;
import io.github.batchresidue.bulkapi.http.RetryAfter;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.camel.component.salesforce.api.SalesforceException;
import org.apache.camel.component.salesforce.api.dto.RestError;

/** Reads what the failure of a whole request says: an exception of the delegate, or an HTTP answer. */
final class RequestFailures {

    /** The delegate has no class for these; the words are those of its session. */
    private static final List<String> LOGIN = List.of("Login error", "Login request timeout", "Unexpected login error");

    private final ObjectMapper mapper;

    RequestFailures(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    /**
     * What a failure means.
     *
     * @param items how many records the request carried
     * @param retryAfter how long the answer asks to wait; null if it does not ask
     * @return null if it is none of the delegate's own kind
     */
    Reply ofDelegate(Exception thrown, int items, String retryAfter) {
        List<SalesforceException> chain = chain(thrown);
        if (chain.isEmpty()) {
            return null;
        }
        Failure failure = failure(chain);
        if (isOfLogin(chain)) {
            // Either nothing had been sent yet, or it was refused because the session had expired.
            return failure.status() >= 400 && failure.status() < 500
                    ? new Reply.Refused(thrown, failure)
                    : new Reply.TransportFailed(thrown, failure, true, 0);
        }
        if (failure.status() >= 200 && failure.status() < 300) {
            return Reply.unreadable(items, failure); // The answer began well and was cut off.
        }
        if (chain.stream().anyMatch(UnsentException.class::isInstance)) {
            return new Reply.TransportFailed(thrown, failure, true, 0);
        }
        return failure.status() == 0
                ? noAnswer(thrown, failure)
                : CollectionErrors.reply(failure, thrown, retryAfter == null ? 0 : RetryAfter.millis(retryAfter));
    }

    /** What an HTTP answer without success means, or that there is none. */
    Reply ofHttp(HttpAnswer answer) {
        if (answer.status() == 0) {
            Exception thrown = answer.exception();
            return noAnswer(thrown, Failure.of(thrown));
        }
        Failure failure = new Failure(answer.status(), null, null);
        if (answer.body() != null) {
            try (InputStream body = answer.body()) {
                failure = failure(answer.status(), mapper.readTree(body), null);
            } catch (IOException e) {
                // No JSON: the status has to do.
            }
        }
        return CollectionErrors.reply(failure, answer.exception(), answer.retryAfterMillis());
    }

    private static Reply noAnswer(Exception thrown, Failure failure) {
        return new Reply.TransportFailed(thrown, failure, Connections.isNeverSent(thrown), 0);
    }

    private static List<SalesforceException> chain(Throwable thrown) {
        List<SalesforceException> chain = new ArrayList<>();
        for (Throwable cause = thrown; cause != null && !chain.contains(cause); cause = cause.getCause()) {
            if (cause instanceof SalesforceException salesforce) {
                chain.add(salesforce);
            }
        }
        return chain;
    }

    private static boolean isOfLogin(List<SalesforceException> chain) {
        return chain.stream()
                .anyMatch(each ->
                        isOfLogin(each.getMessage()) || errors(each).anyMatch(error -> isOfLogin(error.getMessage())));
    }

    private static boolean isOfLogin(String message) {
        return message != null && LOGIN.stream().anyMatch(message::startsWith);
    }

    /** Without what is none: the delegate's producer keeps a {@code null} that stands among them. */
    private static Stream<RestError> errors(SalesforceException exception) {
        return exception.getErrors().stream().filter(Objects::nonNull);
    }

    /** The first error there is; of the raw operation it stands in the message. */
    private Failure failure(List<SalesforceException> chain) {
        for (SalesforceException each : chain) {
            Optional<RestError> error = errors(each).findFirst();
            if (error.isPresent()) {
                return new Failure(
                        each.getStatusCode(),
                        error.get().getErrorCode(),
                        error.get().getMessage());
            }
        }
        SalesforceException first = chain.get(0);
        try {
            return failure(first.getStatusCode(), mapper.readTree(first.getMessage()), first.getMessage());
        } catch (IOException | IllegalArgumentException e) {
            return new Failure(first.getStatusCode(), null, first.getMessage());
        }
    }

    /** Of {@code [{"errorCode":…,"message":…}]}, or what can be had. */
    private static Failure failure(int status, JsonNode errors, String otherwise) {
        JsonNode first = errors.path(0);
        return new Failure(
                status,
                first.path("errorCode").textValue(),
                first.path("message").asText(otherwise));
    }
}
