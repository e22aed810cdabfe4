/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.sqs;

import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkApiContext;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.Limits;
import io.github.batchresidue.bulkapi.aws.BatchResults;
import io.github.batchresidue.engine.Reply;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.component.aws2.sqs.Sqs2Endpoint;

/**
 * SendMessageBatch, DeleteMessageBatch or ChangeMessageVisibilityBatch.
 *
 * <p>The request is an SDK request in the body. The answer is the SDK's response, or a map or JSON with the members
 * {@code Successful} and {@code Failed}.
 */
final class SqsApi implements BulkApi {

    private static final String SEND = "sendBatchMessage";
    private static final String DELETE = "deleteMessage";
    private static final String CHANGE_VISIBILITY = "changeMessageVisibility";

    private final BulkApiContext context;
    private final QueueOperation operation;

    SqsApi(BulkApiContext context) {
        this(context, System::nanoTime);
    }

    /** @param nanos the time, as {@link System#nanoTime} */
    SqsApi(BulkApiContext context, LongSupplier nanos) {
        this.context = context;
        Queue queue = Queue.of(context);
        operation = switch (operationName(context)) {
            case SEND -> {
                refuse(context, SqsProvider.VISIBILITY_TIMEOUT, SEND);
                yield new SendMessages(context, queue, nanos);
            }
            case DELETE -> {
                refuse(context, SqsProvider.VISIBILITY_TIMEOUT, DELETE);
                refuse(context, SqsProvider.MAXIMUM_MESSAGE_SIZE, DELETE);
                yield new DeleteMessages(context, queue);
            }
            default -> {
                refuse(context, SqsProvider.MAXIMUM_MESSAGE_SIZE, CHANGE_VISIBILITY);
                yield new ChangeVisibilities(context, queue);
            }
        };
    }

    /** What the delegate's option says, or ours where that is empty. */
    private static String operationName(BulkApiContext context) {
        String option = context.options().get(SqsProvider.OPERATION);
        if (option != null && !Set.of(SEND, DELETE, CHANGE_VISIBILITY).contains(option)) {
            throw new IllegalArgumentException(
                    "bulkApi.operation=" + option + ": expected " + SEND + ", " + DELETE + " or " + CHANGE_VISIBILITY);
        }
        String own = context.delegate() instanceof Sqs2Endpoint sqs
                        && sqs.getConfiguration().getOperation() != null
                ? sqs.getConfiguration().getOperation().name()
                : null;
        if (own == null) {
            return option == null ? SEND : option;
        }
        if (!own.equals(SEND) && !own.equals(DELETE)) {
            throw new IllegalArgumentException(
                    "operation=" + own + ": no batch does that; set the delegate's operation to " + SEND + " or "
                            + DELETE + ", or leave it out and set bulkApi.operation=" + CHANGE_VISIBILITY);
        }
        if (option != null && !option.equals(own)) {
            throw new IllegalArgumentException(
                    "bulkApi.operation=" + option + ": the delegate's operation is " + own + "; remove one of the two");
        }
        return own;
    }

    private static void refuse(BulkApiContext context, String option, String operation) {
        String value = context.options().get(option);
        if (value != null) {
            throw new IllegalArgumentException(
                    "bulkApi." + option + "=" + value + ": " + operation + " has no use for it; remove it");
        }
    }

    @Override
    public Limits limits() {
        return operation.limits();
    }

    @Override
    public Iterator<?> wholeRequest(Object body) {
        return operation.wholeRequest(body);
    }

    @Override
    public BulkItem item(Object element) throws InvalidItemException {
        return operation.item(element, 0, null);
    }

    @Override
    public BulkItem item(Object element, long index, Exchange exchange) throws InvalidItemException {
        return operation.item(element, index, exchange);
    }

    @Override
    public void write(List<BulkItem> items, Exchange exchange) {
        operation.write(items, exchange.getMessage());
    }

    @Override
    public Processor sender(Endpoint delegate) {
        return delegate instanceof Sqs2Endpoint sqs ? operation.sender(sqs) : null;
    }

    @Override
    public Reply read(List<BulkItem> items, Exchange exchange) {
        return exchange.getException() != null
                ? SqsErrors.reply(exchange.getException(), items.size())
                : BatchResults.read(
                        items.size(),
                        exchange.getMessage(),
                        SqsErrors.OF_ENTRIES,
                        (position, md5) -> operation.isTextOf(items.get(position), md5),
                        context.objectMapper());
    }
}
