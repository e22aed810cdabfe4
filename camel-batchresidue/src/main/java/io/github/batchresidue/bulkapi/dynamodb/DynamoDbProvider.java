/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkApiContext;
import io.github.batchresidue.bulkapi.BulkApiProvider;
import java.util.List;
import java.util.Set;
import org.apache.camel.Endpoint;

/** Makes {@link DynamoDbApi} and {@link DynamoDbReadApi}, and loads without the AWS SDK. */
public final class DynamoDbProvider implements BulkApiProvider {

    /** The table of plain items; for delegates other than {@code aws2-ddb}, which names its own. */
    static final String TABLE = "table";

    @Override
    public List<String> names() {
        return List.of("dynamodb");
    }

    @Override
    public Set<String> optionNames() {
        return Set.of(TABLE);
    }

    @Override
    public List<String> coordinates() {
        return List.of("org.apache.camel:camel-aws2-ddb");
    }

    @Override
    public boolean isSpokenBy(Endpoint delegate) {
        return delegate.getEndpointUri().startsWith("aws2-ddb:");
    }

    @Override
    public BulkApi create(BulkApiContext context) {
        return DynamoDbReadApi.isOperationOf(context.delegate())
                ? new DynamoDbReadApi(context)
                : new DynamoDbApi(context);
    }
}
