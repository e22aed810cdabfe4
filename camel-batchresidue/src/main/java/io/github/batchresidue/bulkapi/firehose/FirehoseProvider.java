/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.firehose;

import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkApiContext;
import io.github.batchresidue.bulkapi.BulkApiProvider;
import java.util.List;
import java.util.Set;
import org.apache.camel.Endpoint;

/** Makes {@link FirehoseApi}, and loads without the AWS SDK. */
public final class FirehoseProvider implements BulkApiProvider {

    /** Whether a line end is put behind each record: the service puts nothing between them. */
    static final String APPEND_NEW_LINE = "appendNewLine";

    @Override
    public List<String> names() {
        return List.of("firehose");
    }

    @Override
    public Set<String> optionNames() {
        return Set.of(APPEND_NEW_LINE);
    }

    @Override
    public List<String> coordinates() {
        return List.of("org.apache.camel:camel-aws2-kinesis");
    }

    @Override
    public boolean isSpokenBy(Endpoint delegate) {
        return delegate.getEndpointUri().startsWith("aws2-kinesis-firehose:");
    }

    @Override
    public BulkApi create(BulkApiContext context) {
        return new FirehoseApi(context);
    }
}
