/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.salesforce;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.bulkapi.JsonProblem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.component.salesforce.SalesforceEndpoint;
import org.apache.camel.component.salesforce.SalesforceEndpointConfig;
import org.apache.camel.component.salesforce.SalesforceHttpClient;
import org.apache.camel.component.salesforce.api.NoSuchSObjectException;
import org.apache.camel.component.salesforce.api.SalesforceException;
import org.apache.camel.component.salesforce.api.dto.RestError;
import org.apache.camel.component.salesforce.internal.SalesforceSession;
import org.apache.camel.component.salesforce.internal.client.SalesforceSecurityHandler;
import org.apache.camel.support.AsyncProcessorSupport;
import org.eclipse.jetty.client.BufferingResponseListener;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.client.ContentResponse;
import org.eclipse.jetty.client.HttpResponseException;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.client.transport.HttpConversation;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;

/**
 * Performs a request with the HTTP client and the session of the delegate's component, in place of its producer: the
 * producer reads an answer on threads of the client, and what it throws there, at a body such as {@code null}, is lost
 * together with the exchange; and of an answer's headers it keeps none that asks for a wait. Answers are left unread here, as
 * bytes; a failure is the exception that the producer would have thrown. Safe for use by many threads.
 */
final class CollectionsSender extends AsyncProcessorSupport {

    private static final String APPLICATION_JSON = "application/json;charset=utf-8";

    /** The client's own handler of refused sessions asks this of a conversation, and leaves alone what is used up. */
    private static final String RENEWALS_USED = SalesforceSecurityHandler.class.getName() + ".retries";

    /** A password that has expired opens a session all the same, in which every request is refused. */
    private static final String EXPIRED_PASSWORD = "INVALID_OPERATION_WITH_EXPIRED_PASSWORD";

    private final SalesforceEndpoint delegate;
    private final Target target;
    private final ObjectMapper mapper;

    CollectionsSender(SalesforceEndpoint delegate, Target target, ObjectMapper mapper) {
        this.delegate = delegate;
        this.target = target;
        this.mapper = mapper;
    }

    @Override
    public boolean process(Exchange exchange, AsyncCallback callback) {
        Call call = new Call(exchange, callback);
        call.guarded(call::start);
        return false;
    }

    /** One request, sent again when the session that it was sent in had expired. */
    private final class Call {

        private final Exchange exchange;
        private final AsyncCallback callback;
        private final AtomicBoolean ended = new AtomicBoolean();
        private final SalesforceHttpClient client = client();
        private final SalesforceSession session = delegate.getComponent().getSession();

        // Touched by one thread after the other: each hands over to the next through the client.
        private byte[] content;
        private String token;
        private int renewals;

        Call(Exchange exchange, AsyncCallback callback) {
            this.exchange = exchange;
            this.callback = callback;
        }

        void start() throws SalesforceException {
            if (target.operation() != Operation.DELETE) {
                content = content(exchange.getMessage().getBody(List.class));
            }
            token = session.getAccessToken();
            if (token == null) {
                logIn(0);
            }
            send();
        }

        private void send() {
            request().send(new BufferingResponseListener(client.getMaxContentLength()) {
                @Override
                public void onComplete(Result result) {
                    byte[] body = getContent();
                    try {
                        client.getWorkerPool().execute(() -> guarded(() -> answered(result, body)));
                    } catch (RejectedExecutionException e) {
                        guarded(() -> answered(result, body)); // The component is being stopped.
                    }
                }
            });
        }

        private void answered(Result result, byte[] body) throws SalesforceException {
            int status = result.getResponse().getStatus();
            // Without a challenge to it the client makes a failure of a refused session, which it is none.
            if (result.isFailed() && status != HttpStatus.UNAUTHORIZED_401) {
                throw new SalesforceException(
                        "the request did not come through: "
                                + result.getFailure().getClass().getSimpleName(),
                        status,
                        result.getFailure());
            }
            if (HttpStatus.isSuccess(status)) {
                Message message = exchange.getMessage();
                message.setHeader(Exchange.HTTP_RESPONSE_CODE, status);
                message.setBody(body.length == 0 ? null : body);
                end();
                return;
            }
            List<RestError> errors = errors(body);
            boolean isExpired = errors.stream().anyMatch(error -> EXPIRED_PASSWORD.equals(error.getErrorCode()));
            if (status == HttpStatus.UNAUTHORIZED_401 && !isExpired && renewals < client.getMaxRetries()) {
                renewals++;
                logIn(client.getMaxRetries());
                send();
                return;
            }
            exchange.getMessage()
                    .setHeader(
                            SalesforceApi.RETRY_AFTER,
                            result.getResponse().getHeaders().get(HttpHeader.RETRY_AFTER));
            throw status == HttpStatus.NOT_FOUND_404 && !errors.isEmpty()
                    ? new NoSuchSObjectException(errors)
                    : new SalesforceException(
                            errors,
                            status,
                            "Salesforce answered " + status + " " + HttpStatus.getMessage(status)
                                    + (errors.isEmpty() ? "" : " " + errors),
                            new ByteArrayInputStream(body));
        }

        /** Renews the session unless another request has done so meanwhile. */
        private void logIn(int retries) throws SalesforceException {
            synchronized (session) {
                String current = session.getAccessToken();
                for (int failures = 0; current == null || current.equals(token); failures++) {
                    try {
                        current = logIn();
                        break;
                    } catch (SalesforceException e) {
                        if (failures >= retries) {
                            throw e;
                        }
                    }
                }
                token = current;
            }
        }

        private String logIn() throws SalesforceException {
            try {
                ContentResponse answer = session.getLoginRequest(conversation()).send();
                session.parseLoginResponse(answer, answer.getContentAsString());
                return Objects.requireNonNull(session.getAccessToken(), "access_token");
            } catch (ExecutionException e) {
                Throwable cause = e.getCause();
                int status = cause instanceof HttpResponseException answered
                        ? answered.getResponse().getStatus()
                        : 0;
                throw new SalesforceException("Unexpected login error: " + cause, status, cause);
            } catch (TimeoutException e) {
                throw new SalesforceException("Login request timeout: " + e.getMessage(), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new SalesforceException("Login error: interrupted", e);
            } catch (RuntimeException e) {
                throw new SalesforceException("Login error: its answer cannot be read", e);
            }
        }

        private Request request() {
            Request request = client.newHttpRequest(conversation(), URI.create(url()))
                    .method(target.operation().httpMethod())
                    .timeout(session.getTimeout(), TimeUnit.MILLISECONDS)
                    .headers(headers -> {
                        sforceHeaders(exchange.getMessage()).forEach(headers::put);
                        headers.put(HttpHeader.AUTHORIZATION, "Bearer " + token);
                        headers.put(HttpHeader.ACCEPT, APPLICATION_JSON);
                    });
            if (target.operation() == Operation.DELETE) {
                List<?> ids = exchange.getMessage().getBody(List.class);
                return request.param(
                                "ids",
                                String.join(
                                        ",", ids.stream().map(String::valueOf).toList()))
                        .param(SalesforceEndpointConfig.ALL_OR_NONE, "false");
            }
            return request.body(new BytesRequestContent(APPLICATION_JSON, content));
        }

        private HttpConversation conversation() {
            HttpConversation conversation = new HttpConversation();
            conversation.setAttribute(RENEWALS_USED, Integer.MAX_VALUE);
            return conversation;
        }

        private String url() {
            String collections = session.getInstanceUrl() + "/services/data/v"
                    + delegate.getConfiguration().getApiVersion() + "/composite/sobjects";
            return target.operation() == Operation.UPSERT
                    ? collections + "/" + target.sObjectName() + "/" + target.externalIdField()
                    : collections;
        }

        // ---- The end

        /** Runs a step; whatever it throws ends the call. */
        void guarded(Step step) {
            try {
                step.run();
            } catch (Exception | Error e) {
                exchange.setException(e);
                end();
            }
        }

        private void end() {
            if (ended.compareAndSet(false, true)) {
                callback.done(false);
            }
        }
    }

    /** A part of a call that may fail. */
    private interface Step {
        void run() throws SalesforceException;
    }

    private SalesforceHttpClient client() {
        SalesforceHttpClient own = delegate.getConfiguration().getHttpClient();
        return own != null ? own : delegate.getComponent().getHttpClient();
    }

    private byte[] content(List<?> records) throws SalesforceException {
        Map<String, Object> request = new LinkedHashMap<>();
        request.put(SalesforceEndpointConfig.ALL_OR_NONE, false);
        request.put("records", records);
        try {
            return target.mapper().writeValueAsBytes(request);
        } catch (JsonProcessingException e) {
            throw new SalesforceException("a record cannot be written as JSON: " + JsonProblem.of(e));
        }
    }

    /** Those that the service knows by their beginning; others are none of its business. */
    private static Map<String, List<String>> sforceHeaders(Message message) {
        Map<String, List<String>> found = new LinkedHashMap<>();
        message.getHeaders().forEach((name, value) -> {
            String lowerCase = name.toLowerCase(Locale.ROOT);
            if (value != null && (lowerCase.startsWith("sforce") || lowerCase.startsWith("x-sfdc"))) {
                Collection<?> values = value instanceof Collection<?> many
                        ? many
                        : value instanceof Object[] array ? Arrays.asList(array) : List.of(value);
                found.put(name, values.stream().map(String::valueOf).toList());
            }
        });
        return found;
    }

    /** What can be read of {@code [{"errorCode":…,"message":…,"fields":[…]}]}. */
    private List<RestError> errors(byte[] body) {
        List<RestError> errors = new ArrayList<>();
        try {
            for (JsonNode error : mapper.readTree(body)) {
                if (error.isObject()) {
                    List<String> fields = new ArrayList<>();
                    error.path("fields").forEach(field -> fields.add(field.asText()));
                    errors.add(new RestError(
                            error.path("errorCode").textValue(),
                            error.path("message").textValue(),
                            fields.isEmpty() ? null : fields));
                }
            }
        } catch (IOException e) {
            // No JSON: the status has to do.
        }
        return errors;
    }
}
