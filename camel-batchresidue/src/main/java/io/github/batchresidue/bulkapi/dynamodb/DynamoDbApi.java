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
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.Processor;
import org.apache.camel.component.aws2.ddb.Ddb2Endpoint;
import org.apache.camel.component.aws2.ddb.Ddb2Operations;
import software.amazon.awssdk.core.util.SdkAutoConstructList;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * BatchWriteItem.
 *
 * <p>The request is an SDK {@link BatchWriteItemRequest} in the body; its operations stand in the header
 * {@value #REQUEST_HEADER} too, as Camel from 4.19 on names it. The answer is an SDK {@link BatchWriteItemResponse}, a
 * map or JSON with the member {@code UnprocessedItems}, or the header {@value #RESPONSE_HEADER}.
 */
final class DynamoDbApi implements BulkApi {

    static final String REQUEST_HEADER = "CamelAwsDdbBatchWriteItems";
    static final String RESPONSE_HEADER = "CamelAwsDdbBatchWriteUnprocessedItems";

    private static final String UNPROCESSED_ITEMS = "UnprocessedItems";
    /** The service's 16 MB; where it should count them in thousands, it says 413 and the request is halved. */
    private static final Limits LIMITS = new Limits(25, 16 * 1024 * 1024, Sizes.ENVELOPE);

    private final ObjectMapper mapper;
    private final String table;
    private final RecordKeys recordKeys;
    private final OperationReader elements;
    private final OperationReader operations;
    /** Null if there is no client to ask. */
    private final KeySchemas keySchemas;

    DynamoDbApi(BulkApiContext context) {
        mapper = context.objectMapper();
        recordKeys = new RecordKeys(context.itemKey());
        operations = new OperationReader(mapper, OperationReader.Plain.NOTHING);
        String option = context.text(DynamoDbProvider.TABLE);
        if (context.delegate() instanceof Ddb2Endpoint ddb) {
            if (option != null) {
                throw new IllegalArgumentException("bulkApi.table=" + option + ": the delegate names the table, "
                        + ddb.getConfiguration().getTableName());
            }
            table = ddb.getConfiguration().getTableName();
            elements = new OperationReader(
                    mapper, meaningOfPlain(ddb.getConfiguration().getOperation()));
            keySchemas = new KeySchemas(ddb::getDdbClient, () -> System.nanoTime() / 1_000_000);
        } else {
            table = option;
            elements = new OperationReader(mapper, OperationReader.Plain.ITEM);
            keySchemas = null;
        }
    }

    private static OperationReader.Plain meaningOfPlain(Ddb2Operations operation) {
        return switch (operation) {
            case PutItem -> OperationReader.Plain.ITEM;
            case DeleteItem -> OperationReader.Plain.KEY;
            default ->
                throw new IllegalArgumentException("operation=" + operation
                        + ": a batch puts, deletes or gets items; set the delegate's operation to PutItem,"
                        + " DeleteItem or BatchGetItems");
        };
    }

    @Override
    public Limits limits() {
        return LIMITS;
    }

    // ---- Items

    @Override
    public Iterator<?> wholeRequest(Object body) {
        return RequestItems.of(body, mapper.getFactory());
    }

    @Override
    public BulkItem item(Object element) throws InvalidItemException {
        if (element instanceof TableOperation inTable) {
            return item(inTable.table(), operations.read(inTable.operation()), inTable.envelope(), inTable.operation());
        }
        WriteRequest request = elements.read(element);
        if (table == null) {
            throw new InvalidItemException("no table to write to: set bulkApi.table");
        }
        return item(table, request, null, element);
    }

    private Operation item(String itsTable, WriteRequest request, BatchWriteItemRequest envelope, Object element)
            throws InvalidItemException {
        Object body = RawJson.body(element);
        Map<String, AttributeValue> attributes = Operation.attributes(request);
        if (attributes.isEmpty()) {
            throw new InvalidItemException("an item must have at least the attributes of the table's key");
        }
        List<String> primaryKey = recordKeys.isOfTable() && keySchemas != null ? keySchemas.of(itsTable) : List.of();
        return Operation.of(
                itsTable,
                request,
                envelope,
                body,
                recordKeys.of(itsTable, attributes, primaryKey, body),
                RecordKeys.id(attributes, primaryKey));
    }

    // ---- Requests

    @Override
    public void write(List<BulkItem> items, Exchange exchange) {
        Map<String, List<WriteRequest>> requestItems = new LinkedHashMap<>();
        for (BulkItem item : items) {
            Operation operation = (Operation) item;
            requestItems
                    .computeIfAbsent(operation.table(), name -> new ArrayList<>())
                    .add(operation.request());
        }
        BatchWriteItemRequest envelope = ((Operation) items.get(0)).envelope();
        BatchWriteItemRequest.Builder request =
                envelope == null ? BatchWriteItemRequest.builder() : envelope.toBuilder();
        exchange.getMessage().setBody(request.requestItems(requestItems).build());
        exchange.getMessage().setHeader(REQUEST_HEADER, requestItems);
    }

    @Override
    public Processor sender(Endpoint delegate) {
        if (!(delegate instanceof Ddb2Endpoint ddb)) {
            return null;
        }
        return new ClientSender<>(
                ddb::getDdbClient, "amazonDDBClient", BatchWriteItemRequest.class, DynamoDbClient::batchWriteItem);
    }

    // ---- Replies

    @Override
    public Reply read(List<BulkItem> items, Exchange exchange) {
        if (exchange.getException() != null) {
            return AwsFailures.reply(exchange.getException(), items.size(), DynamoDbErrors::reply);
        }
        Message message = exchange.getMessage();
        if (message.getBody() instanceof BatchWriteItemResponse response) {
            int status = PositionalResults.status(response);
            // An empty map that the SDK made up is no word of the service's that nothing is left.
            return response.hasUnprocessedItems()
                    ? readTables(items, status, response.unprocessedItems())
                    : unreadable(items, status);
        }
        if (message.getHeader(RESPONSE_HEADER) instanceof Map<?, ?> tables) {
            return readTables(items, 0, tables);
        }
        return JsonAnswer.of(message, mapper).get(UNPROCESSED_ITEMS) instanceof Map<?, ?> tables
                ? readTables(items, 0, tables)
                : unreadable(items, 0);
    }

    /** A list that the SDK made up stands for null, and tells nothing. */
    private Reply readTables(List<BulkItem> items, int status, Map<?, ?> tables) {
        UnprocessedItems unprocessed = new UnprocessedItems(items, status);
        tables.forEach((name, echoes) -> {
            if (echoes instanceof Collection<?> list && !(list instanceof SdkAutoConstructList)) {
                list.forEach(echo -> unprocessed.add(String.valueOf(name), echo, operations));
            } else {
                unprocessed.addUnreadable();
            }
        });
        return unprocessed.reply();
    }

    private static Reply unreadable(List<BulkItem> items, int status) {
        return Reply.unreadable(
                items.size(),
                new Failure(status, null, "the answer does not say which operations were left unprocessed"));
    }
}
