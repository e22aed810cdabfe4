/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkApiContext;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.Limits;
import io.github.batchresidue.bulkapi.RawJson;
import io.github.batchresidue.bulkapi.aws.AwsFailures;
import io.github.batchresidue.bulkapi.aws.ClientSender;
import io.github.batchresidue.bulkapi.aws.JsonAnswer;
import io.github.batchresidue.bulkapi.aws.PositionalResults;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reply;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.Processor;
import org.apache.camel.component.aws2.ddb.Ddb2Configuration;
import org.apache.camel.component.aws2.ddb.Ddb2Constants;
import org.apache.camel.component.aws2.ddb.Ddb2Endpoint;
import org.apache.camel.component.aws2.ddb.Ddb2Operations;
import software.amazon.awssdk.core.util.SdkAutoConstructList;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * BatchGetItem: items are keys, and what is found is the result of its key. A key without an item lands too, without a
 * result. {@code UnprocessedKeys} is not reached: an answer holds 16 MB, and 1 MB of a partition, so that a page of a read
 * looks like a table that is short of capacity. As long as an answer brings something the rest goes at once.
 *
 * <p>The request is an SDK {@link BatchGetItemRequest} in the body, and its tables stand in the delegate's own header too.
 * The answer is an SDK {@link BatchGetItemResponse}, the delegate's own headers, or a map or JSON with the members
 * {@code Responses} and {@code UnprocessedKeys}.
 */
final class DynamoDbReadApi implements BulkApi {

    private static final Limits LIMITS = new Limits(100, Limits.NONE, Sizes.ENVELOPE);

    private final ObjectMapper mapper;
    private final RecordKeys recordKeys;
    private final OperationReader plainKeys;
    private final OperationReader typedKeys;
    private final String table;
    /** What is said of the table of keys that come alone. */
    private final KeysAndAttributes attributes;

    /** @throws IllegalArgumentException if an option names another table than the delegate */
    DynamoDbReadApi(BulkApiContext context) {
        Ddb2Configuration delegate = ((Ddb2Endpoint) context.delegate()).getConfiguration();
        mapper = context.objectMapper();
        recordKeys = new RecordKeys(context.itemKey());
        plainKeys = new OperationReader(mapper, OperationReader.Plain.KEY);
        typedKeys = new OperationReader(mapper, OperationReader.Plain.NOTHING);
        table = delegate.getTableName();
        String option = context.text(DynamoDbProvider.TABLE);
        if (option != null) {
            throw new IllegalArgumentException("bulkApi.table=" + option + ": the delegate names the table, " + table);
        }
        attributes = KeysAndAttributes.builder()
                .consistentRead(delegate.isConsistentRead() ? true : null)
                .build();
    }

    /** Whether a delegate reads. */
    static boolean isOperationOf(Endpoint delegate) {
        return delegate instanceof Ddb2Endpoint ddb
                && ddb.getConfiguration().getOperation() == Ddb2Operations.BatchGetItems;
    }

    @Override
    public Limits limits() {
        return LIMITS;
    }

    // ---- Items

    @Override
    public Iterator<?> wholeRequest(Object body) {
        return ReadRequest.of(body, mapper);
    }

    @Override
    public BulkItem item(Object element) throws InvalidItemException {
        if (element instanceof TableKey part) {
            return item(part.table(), typed(part.key()), part.attributes(), part.envelope(), part.key());
        }
        WriteRequest request = plainKeys.read(element);
        if (request.deleteRequest() == null) {
            throw new InvalidItemException("expected a key, found an item to put");
        }
        return item(table, request.deleteRequest().key(), attributes, null, element);
    }

    private Key item(
            String itsTable,
            Map<String, AttributeValue> values,
            KeysAndAttributes itsAttributes,
            BatchGetItemRequest envelope,
            Object element)
            throws InvalidItemException {
        if (values.isEmpty()) {
            throw new InvalidItemException("a key must have the attributes of the table's key");
        }
        Object body = RawJson.body(element);
        List<String> names = values.keySet().stream().sorted().toList();
        return new Key(
                itsTable,
                values,
                itsAttributes,
                envelope,
                body,
                recordKeys.of(itsTable, values, names, body),
                RecordKeys.id(values, List.copyOf(values.keySet())));
    }

    /** Attributes in DynamoDB JSON, or of attribute values. */
    private Map<String, AttributeValue> typed(Object map) throws InvalidItemException {
        return typedKeys
                .read(Map.of("DeleteRequest", Map.of("Key", map)))
                .deleteRequest()
                .key();
    }

    // ---- Requests

    @Override
    public void write(List<BulkItem> items, Exchange exchange) {
        Map<String, List<Map<String, AttributeValue>>> keys = new LinkedHashMap<>();
        Map<String, KeysAndAttributes> tables = new LinkedHashMap<>();
        for (BulkItem item : items) {
            Key key = (Key) item;
            keys.computeIfAbsent(key.table(), name -> new ArrayList<>()).add(key.values());
            tables.putIfAbsent(key.table(), key.attributes());
        }
        tables.replaceAll(
                (name, beside) -> beside.toBuilder().keys(keys.get(name)).build());
        BatchGetItemRequest envelope = ((Key) items.get(0)).envelope();
        BatchGetItemRequest.Builder request = envelope == null ? BatchGetItemRequest.builder() : envelope.toBuilder();
        exchange.getMessage().setBody(request.requestItems(tables).build());
        exchange.getMessage().setHeader(Ddb2Constants.BATCH_ITEMS, tables);
    }

    /** The delegate's producer would read as well, but does not tell an answer without {@code UnprocessedKeys} from an empty one. */
    @Override
    public Processor sender(Endpoint delegate) {
        return delegate instanceof Ddb2Endpoint ddb
                ? new ClientSender<>(
                        ddb::getDdbClient, "amazonDDBClient", BatchGetItemRequest.class, DynamoDbClient::batchGetItem)
                : null;
    }

    // ---- Replies

    @Override
    public Reply read(List<BulkItem> items, Exchange exchange) {
        if (exchange.getException() != null) {
            return AwsFailures.reply(exchange.getException(), items.size(), DynamoDbErrors::reply);
        }
        Message message = exchange.getMessage();
        if (message.getBody() instanceof BatchGetItemResponse response) {
            int status = PositionalResults.status(response);
            // Empty maps that the SDK made up are no word of the service's.
            return read(
                    items,
                    status,
                    response.hasResponses() ? response.responses() : null,
                    response.hasUnprocessedKeys() ? response.unprocessedKeys() : null);
        }
        if (message.getHeader(Ddb2Constants.UNPROCESSED_KEYS) != null) {
            return read(
                    items,
                    0,
                    message.getHeader(Ddb2Constants.BATCH_RESPONSE),
                    message.getHeader(Ddb2Constants.UNPROCESSED_KEYS));
        }
        Map<?, ?> answer = JsonAnswer.of(message, mapper);
        return read(items, 0, answer.get("Responses"), answer.get("UnprocessedKeys"));
    }

    private Reply read(List<BulkItem> items, int status, Object responses, Object unprocessed) {
        if (!(responses instanceof Map<?, ?> found) || !(unprocessed instanceof Map<?, ?> left)) {
            return Reply.unreadable(
                    items.size(),
                    new Failure(status, null, "the answer does not say what was found and what was left unprocessed"));
        }
        ReadResults results = new ReadResults(items, status);
        found.forEach((name, list) -> addAll(String.valueOf(name), list, results, results::addFound));
        left.forEach((name, value) -> addAll(String.valueOf(name), keysOf(value), results, results::addUnprocessed));
        return results.reply();
    }

    private static Object keysOf(Object value) {
        if (value instanceof KeysAndAttributes given) {
            return given.keys();
        }
        return value instanceof Map<?, ?> members ? members.get("Keys") : null;
    }

    private void addAll(
            String name, Object list, ReadResults results, BiConsumer<String, Map<String, AttributeValue>> add) {
        if (!(list instanceof Collection<?> elements) || list instanceof SdkAutoConstructList) {
            results.addUnreadable(); // Made up by the SDK it stands for null, and tells nothing.
            return;
        }
        for (Object element : elements) {
            try {
                add.accept(name, typed(element));
            } catch (InvalidItemException | RuntimeException e) {
                results.addUnreadable(); // Null, of a type nobody knows, a number that is none.
            }
        }
    }
}
