/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.salesforce;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkApiContext;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.Limits;
import io.github.batchresidue.bulkapi.http.HttpAnswer;
import io.github.batchresidue.bulkapi.http.RetryAfter;
import io.github.batchresidue.engine.Content;
import io.github.batchresidue.engine.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.Processor;
import org.apache.camel.component.salesforce.SalesforceEndpoint;
import org.apache.camel.component.salesforce.SalesforceEndpointConfig;

/**
 * sObject Collections.
 *
 * <p>The request is the list of records in the body, or of ids. The answer is the list of results as a delegate of the user's
 * gives it, or as JSON. Headers that would steer the request elsewhere in a delegate that goes to the salesforce component in
 * its turn are set to what the delegate does.
 */
final class SalesforceApi implements BulkApi {

    /** How long an answer asks to wait. */
    static final String RETRY_AFTER = "Retry-After";

    private static final int MOST_RECORDS = 200;
    /** Neighbouring records of one type are processed as one chunk. */
    private static final int MOST_CHUNKS = 10;

    private static final int ENVELOPE = "{\"allOrNone\":false,\"records\":[]}".length();

    private final Target target;
    private final RecordReader records;
    private final RequestFailures failures;
    private final ObjectMapper objectMapper;

    SalesforceApi(BulkApiContext context) {
        target = Target.of(context);
        records = new RecordReader(target, context.itemKey());
        objectMapper = context.objectMapper();
        failures = new RequestFailures(objectMapper);
    }

    static String whyNotAllOrNone(String found) {
        return found
                + ": it would roll back every record of a request because of one, so that the others could never land"
                + " beside it; remove it";
    }

    @Override
    public Limits limits() {
        return new Limits(MOST_RECORDS, Limits.NONE, ENVELOPE, SalesforceApi::isWithinChunks);
    }

    @Override
    public Set<String> operations() {
        return Operation.WORDS;
    }

    private static boolean isWithinChunks(List<Content> request, Content next) {
        int chunks = 1;
        String type = ((SObjectRecord) next).type();
        for (int i = request.size() - 1; i >= 0; i--) {
            String before = ((SObjectRecord) request.get(i)).type();
            if (!before.equals(type)) {
                chunks++;
                type = before;
            }
        }
        return chunks <= MOST_CHUNKS;
    }

    @Override
    public BulkItem item(Object element) throws InvalidItemException {
        return records.read(element);
    }

    @Override
    public void write(List<BulkItem> items, Exchange exchange) {
        Message message = exchange.getMessage();
        if (Boolean.parseBoolean(message.getHeader(SalesforceEndpointConfig.ALL_OR_NONE, String.class))) {
            throw new IllegalArgumentException(whyNotAllOrNone("the header allOrNone=true"));
        }
        // Without the header the delegate would make a text of the body to find it there.
        message.setHeader(SalesforceEndpointConfig.ALL_OR_NONE, "false");
        List<Object> payloads = new ArrayList<>(items.size());
        items.forEach(item -> payloads.add(((SObjectRecord) item).payload()));
        message.setBody(payloads);
        message.removeHeader(RETRY_AFTER); // That of another step asks for nothing here.
        if (target.operation() == Operation.DELETE) {
            message.setHeader(SalesforceEndpointConfig.SOBJECT_IDS, payloads);
        } else if (target.operation() == Operation.UPSERT) {
            message.setHeader(SalesforceEndpointConfig.SOBJECT_NAME, target.sObjectName());
            message.setHeader(SalesforceEndpointConfig.SOBJECT_EXT_ID_NAME, target.externalIdField());
        }
    }

    @Override
    public Reply read(List<BulkItem> items, Exchange exchange) {
        String retryAfter = exchange.getMessage().getHeader(RETRY_AFTER, String.class);
        if (exchange.getException() != null) {
            Reply reply = failures.ofDelegate(exchange.getException(), items.size(), retryAfter);
            return reply != null ? reply : failures.ofHttp(HttpAnswer.of(exchange));
        }
        Object body = exchange.getMessage().getBody();
        if (body instanceof List<?> || body instanceof JsonNode) {
            long hintMillis = retryAfter == null ? 0 : RetryAfter.millis(retryAfter);
            return new CollectionResults(items, 200, hintMillis)
                    .read(target.mapper().valueToTree(body));
        }
        HttpAnswer answer = HttpAnswer.of(exchange);
        return answer.isSuccess() ? read(items, answer) : failures.ofHttp(answer);
    }

    @Override
    public Processor sender(Endpoint delegate) {
        return delegate instanceof SalesforceEndpoint salesforce
                ? new CollectionsSender(salesforce, target, objectMapper)
                : null;
    }

    private Reply read(List<BulkItem> items, HttpAnswer answer) {
        CollectionResults results = new CollectionResults(items, answer.status(), answer.retryAfterMillis());
        if (answer.body() == null) {
            return results.unreadable("it has no body");
        }
        try (InputStream body = answer.body()) {
            return results.read(target.mapper()
                    .reader()
                    .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .readTree(body));
        } catch (IOException e) {
            return results.unreadable("it is no JSON");
        }
    }
}
