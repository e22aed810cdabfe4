/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.kinesis;

import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkApiContext;
import io.github.batchresidue.bulkapi.BulkApiProvider;
import java.util.List;
import java.util.Set;
import org.apache.camel.Endpoint;

/** Makes {@link KinesisApi}, and loads without the AWS SDK. */
public final class KinesisProvider implements BulkApiProvider {

    /** The partition key of every record. */
    static final String PARTITION_KEY = "partitionKey";
    /** Name or JSON pointer of the field that holds a record's partition key. */
    static final String PARTITION_KEY_FIELD = "partitionKeyField";
    /** The most bytes in a record if the stream takes less than the service allows. */
    static final String MAX_RECORD_BYTES = "maxRecordBytes";

    @Override
    public List<String> names() {
        return List.of("kinesis");
    }

    @Override
    public Set<String> optionNames() {
        return Set.of(PARTITION_KEY, PARTITION_KEY_FIELD, MAX_RECORD_BYTES);
    }

    @Override
    public List<String> coordinates() {
        return List.of("org.apache.camel:camel-aws2-kinesis");
    }

    @Override
    public boolean isSpokenBy(Endpoint delegate) {
        return delegate.getEndpointUri().startsWith("aws2-kinesis:");
    }

    @Override
    public BulkApi create(BulkApiContext context) {
        return new KinesisApi(context);
    }
}
