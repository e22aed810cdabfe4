/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.salesforce;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.JsonProblem;
import io.github.batchresidue.engine.Transport;
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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
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
import org.eclipse.jetty.client.Response;
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

    /** How the client's failure begins when an answer is longer than it may be. */
    private static final String TOO_LONG = "Buffering capacity";

    /** The session takes the id of the org from where it stands in the id of a login. */
    private static final String BEFORE_ORG_ID = "id/";

    private static final int ORG_ID_LENGTH = 18;

    private final SalesforceEndpoint delegate;
    private final Target target;
    private final ObjectMapper mapper;

    /** The last one that was given up; null if none was. */
    private volatile SalesforceException loginFailure;

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
        private SalesforceException earlierLoginFailure;

        /** Whether the request has a connection, from when on the service may see it. */
        private volatile boolean begun;

        Call(Exchange exchange, AsyncCallback callback) {
            this.exchange = exchange;
            this.callback = callback;
        }

        void start() throws SalesforceException {
            if (target.operation() != Operation.DELETE) {
                content = content(exchange.getMessage().getBody(List.class));
            }
            token = session.getAccessToken();
            earlierLoginFailure = loginFailure;
            // A login of another producer may have left a token alone.
            if (token == null || session.getInstanceUrl() == null) {
                // It blocks, which the caller's thread is not here for.
                workers().execute(() -> guarded(() -> logInAndSend(0)));
            } else {
                send();
            }
        }

        /** Until it goes out, the run may take the request back: a login can take longer than the run has time. */
        private void logInAndSend(int retries) throws SalesforceException {
            Transport.Answer answer = exchange.getProperty(BulkApi.ANSWER, Transport.Answer.class);
            if (answer != null) {
                answer.letWait();
            }
            logIn(retries);
            if (answer != null && !answer.begin()) {
                throw new UnsentException("nobody waits for it any more", null);
            }
            send();
        }

        private void send() {
            begun = false;
            earlierLoginFailure = loginFailure;
            request()
                    .onRequestBegin(request -> begun = true)
                    .send(new BufferingResponseListener(client.getMaxContentLength()) {
                        @Override
                        public void onComplete(Result result) {
                            guarded(() -> handOver(result, getContent()));
                        }
                    });
        }

        private void handOver(Result result, byte[] body) throws SalesforceException {
            try {
                workers().execute(() -> guarded(() -> answered(result, body)));
            } catch (RejectedExecutionException e) {
                answered(result, body); // The component is being stopped.
            }
        }

        /** A client of the user's own need not have a pool of workers. */
        private Executor workers() {
            return client.getWorkerPool() != null ? client.getWorkerPool() : client.getExecutor();
        }

        private void answered(Result result, byte[] buffered) throws SalesforceException {
            Response response = result.getResponse();
            int status = response.getStatus();
            // A refused session is no failure, which the client makes of one without a challenge, and keeps its body.
            if (result.isFailed() && status != HttpStatus.UNAUTHORIZED_401) {
                throw failure(status, result.getFailure());
            }
            byte[] body = buffered.length == 0 && response instanceof ContentResponse held && held.getContent() != null
                    ? held.getContent()
                    : buffered;
            exchange.getMessage()
                    .setHeader(SalesforceApi.RETRY_AFTER, response.getHeaders().get(HttpHeader.RETRY_AFTER));
            if (HttpStatus.isSuccess(status)) {
                Message message = exchange.getMessage();
                message.setHeader(Exchange.HTTP_RESPONSE_CODE, status);
                message.setBody(body.length == 0 ? null : body);
                end(null);
                return;
            }
            List<RestError> errors = errors(body);
            boolean isExpired = errors.stream().anyMatch(error -> EXPIRED_PASSWORD.equals(error.getErrorCode()));
            if (status == HttpStatus.UNAUTHORIZED_401 && !isExpired && renewals < client.getMaxRetries()) {
                renewals++;
                begun = false; // What has been refused has not landed.
                logInAndSend(client.getMaxRetries());
                return;
            }
            throw status == HttpStatus.NOT_FOUND_404 && !errors.isEmpty()
                    ? new NoSuchSObjectException(errors)
                    : new SalesforceException(
                            errors,
                            status,
                            "Salesforce answered " + status + " " + HttpStatus.getMessage(status)
                                    + (errors.isEmpty() ? "" : " " + errors),
                            new ByteArrayInputStream(body));
        }

        private SalesforceException failure(int status, Throwable cause) {
            String problem = cause.getClass().getSimpleName();
            if (!begun) {
                return new UnsentException(problem, cause);
            }
            if (String.valueOf(cause.getMessage()).startsWith(TOO_LONG)) {
                problem = "it is longer than httpMaxContentLength=" + client.getMaxContentLength()
                        + " of the salesforce component";
            } else if (cause instanceof TimeoutException && client.getIdleTimeout() < session.getTimeout()) {
                problem = "nothing came for httpClientIdleTimeout=" + client.getIdleTimeout()
                        + " milliseconds of the salesforce component";
            } else if (isNoHttp(cause)) {
                problem = "it is no HTTP";
            }
            return new SalesforceException("no answer can be read: " + problem, isNoHttp(cause) ? 0 : status, cause);
        }

        /** Renews the session unless another request has done so, or has failed to do so, since this one went out. */
        private void logIn(int retries) throws SalesforceException {
            synchronized (session) {
                String current = session.getAccessToken();
                if (current != null && !current.equals(token)) {
                    token = current;
                    return;
                }
                SalesforceException failure = loginFailure;
                if (failure != earlierLoginFailure) {
                    throw copy(failure);
                }
                for (int failures = 0; ; failures++) {
                    try {
                        token = logIn();
                        return;
                    } catch (SalesforceException e) {
                        // What is refused stays refused, and may lock the account.
                        if (failures >= retries || HttpStatus.isClientError(e.getStatusCode())) {
                            loginFailure = copy(e);
                            throw e;
                        }
                    }
                }
            }
        }

        private String logIn() throws SalesforceException {
            ContentResponse answer = loginAnswer();
            try {
                String text = answer.getContentAsString();
                if (answer.getStatus() == HttpStatus.OK_200) {
                    requireUsable(mapper.readTree(text));
                }
                session.parseLoginResponse(answer, text);
                return session.getAccessToken();
            } catch (SalesforceException | JsonProcessingException | RuntimeException e) {
                if (e instanceof SalesforceException refused && !JsonProblem.isQuotedBy(e)) {
                    throw refused;
                }
                // Without the cause, which may quote a token.
                throw new SalesforceException(
                        "Login error: its answer cannot be read: " + JsonProblem.of(e), answer.getStatus());
            }
        }

        private ContentResponse loginAnswer() throws SalesforceException {
            try {
                return session.getLoginRequest(conversation()).send();
            } catch (ExecutionException e) {
                Throwable cause = e.getCause();
                int status = 0;
                String problem = cause.getClass().getSimpleName();
                if (isNoHttp(cause)) {
                    problem = "the answer is no HTTP";
                } else if (cause instanceof HttpResponseException answered) {
                    status = answered.getResponse().getStatus();
                    problem = status + " " + HttpStatus.getMessage(status);
                }
                throw new SalesforceException("Unexpected login error: " + problem, status, cause);
            } catch (TimeoutException e) {
                throw new SalesforceException("Login request timeout", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new SalesforceException("Login error: interrupted", e);
            } catch (RuntimeException e) {
                throw new SalesforceException(
                        "Login error: it was not sent: " + e.getClass().getSimpleName(), e);
            }
        }

        private Request request() {
            Request request = client.newHttpRequest(conversation(), URI.create(url()))
                    .method(target.operation().httpMethod())
                    // Where a redirect leads nobody can tell whether the request had been performed before.
                    .followRedirects(false)
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
            } catch (Throwable e) {
                end(
                        begun || e instanceof SalesforceException
                                ? e
                                : new UnsentException(e.getClass().getSimpleName(), e));
            }
        }

        /** @param failure null if there is none; one that comes too late finds the exchange gone, and is dropped */
        private void end(Throwable failure) {
            if (ended.compareAndSet(false, true)) {
                if (failure != null) {
                    exchange.setException(failure);
                }
                callback.done(false);
            }
        }
    }

    /** A part of a call that may fail. */
    private interface Step {
        void run() throws SalesforceException;
    }

    /** The session would keep what is there of an answer that lacks a part, and never log in again. */
    private void requireUsable(JsonNode login) throws SalesforceException {
        String configured = delegate.getComponent().getLoginConfig().getInstanceUrl();
        String id = login.path("id").asText("");
        String missing = null;
        if (login.path("access_token").asText("").isEmpty()) {
            missing = "access_token";
        } else if (!hasHost(
                configured != null ? configured : login.path("instance_url").asText(""))) {
            missing = "instance_url";
        } else if (id.length() < id.indexOf(BEFORE_ORG_ID) + BEFORE_ORG_ID.length() + ORG_ID_LENGTH) {
            missing = "id";
        }
        if (missing != null) {
            throw new SalesforceException("Login error: its answer has no " + missing + " that can be used");
        }
    }

    private static boolean hasHost(String url) {
        try {
            return URI.create(url).getHost() != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * Of what is no HTTP the client states a status of its own, such as 400 or 431, that nobody has answered. It makes the
     * same failure of a 401 or 407 without a challenge.
     */
    private static boolean isNoHttp(Throwable failure) {
        if (!(failure instanceof HttpResponseException stated)) {
            return false;
        }
        int status = stated.getResponse().getStatus();
        return status != HttpStatus.UNAUTHORIZED_401 && status != HttpStatus.PROXY_AUTHENTICATION_REQUIRED_407;
    }

    /** Each exchange needs its own: its ledger is added to it. */
    private static SalesforceException copy(SalesforceException e) {
        return new SalesforceException(e.getErrors(), e.getStatusCode(), e.getMessage(), e.getCause());
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
            throw new UnsentException("a record cannot be written as JSON: " + JsonProblem.of(e), null);
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
