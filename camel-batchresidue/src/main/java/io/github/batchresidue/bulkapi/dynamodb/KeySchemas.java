/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;

/**
 * The key attributes of tables, asked for by DescribeTable when the first item for a table comes, and then known. Where
 * they cannot be had, items have no key, and the service refuses two of one key in a request. Thread-safe; who needs a
 * table that is being asked for waits.
 */
final class KeySchemas {

    /** How long a passing failure stands before the table is asked for again. */
    static final long ASK_AGAIN_MILLIS = 60_000;

    private static final Set<String> FOR_GOOD = Set.of("AccessDeniedException", "UnknownOperationException");
    private static final Logger LOG = LoggerFactory.getLogger(KeySchemas.class);

    /**
     * @param attributes names of partition key and sort key; empty if they cannot be had
     * @param until when it has to be asked for again
     */
    private record Answer(List<String> attributes, long until) {}

    private final Supplier<DynamoDbClient> client;
    private final LongSupplier millis;
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();

    /**
     * @param client asked when it is needed, for an endpoint has it only once it is started
     * @param millis time since some fixed moment
     */
    KeySchemas(Supplier<DynamoDbClient> client, LongSupplier millis) {
        this.client = client;
        this.millis = millis;
    }

    /** Names of the key attributes; empty if they cannot be had now. */
    List<String> of(String table) {
        Answer answer = answers.get(table);
        if (answer == null || answer.until() <= millis.getAsLong()) {
            // One at a time for each table: compute holds back the others.
            answer = answers.compute(
                    table,
                    (name, before) ->
                            before != null && before.until() > millis.getAsLong() ? before : ask(name, before == null));
        }
        return answer.attributes();
    }

    /** Not permitted, or not known to what plays DynamoDB here. */
    private static boolean isForGood(RuntimeException failure) {
        return failure instanceof AwsServiceException answer
                && answer.awsErrorDetails() != null
                && FOR_GOOD.contains(String.valueOf(answer.awsErrorDetails().errorCode()));
    }

    private Answer ask(String table, boolean firstTime) {
        try {
            List<String> attributes =
                    client.get().describeTable(request -> request.tableName(table)).table().keySchema().stream()
                            .map(KeySchemaElement::attributeName)
                            .toList();
            return new Answer(attributes, Long.MAX_VALUE);
        } catch (RuntimeException e) {
            if (firstTime) {
                LOG.warn(
                        "The key of table {} cannot be had by DescribeTable ({}), so items of one key may meet in a"
                                + " request, which the service refuses, and their order is not kept. Allow"
                                + " dynamodb:DescribeTable, or set itemKey to the names of the key attributes, or"
                                + " itemKey=none.",
                        table,
                        e.toString());
            }
            return new Answer(List.of(), isForGood(e) ? Long.MAX_VALUE : millis.getAsLong() + ASK_AGAIN_MILLIS);
        }
    }
}
