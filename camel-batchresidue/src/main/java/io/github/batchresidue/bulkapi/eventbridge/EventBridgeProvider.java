/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.eventbridge;

import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkApiContext;
import io.github.batchresidue.bulkapi.BulkApiProvider;
import java.util.List;
import java.util.Set;
import org.apache.camel.Endpoint;

/** Makes {@link EventBridgeApi}, and loads without the AWS SDK. */
public final class EventBridgeProvider implements BulkApiProvider {

    /** The source of every event; items then are details. */
    static final String SOURCE = "source";
    /** The detail type of every event; items then are details. */
    static final String DETAIL_TYPE = "detailType";

    @Override
    public List<String> names() {
        return List.of("eventbridge");
    }

    @Override
    public Set<String> optionNames() {
        return Set.of(SOURCE, DETAIL_TYPE);
    }

    @Override
    public List<String> coordinates() {
        return List.of("org.apache.camel:camel-aws2-eventbridge");
    }

    @Override
    public boolean isSpokenBy(Endpoint delegate) {
        return delegate.getEndpointUri().startsWith("aws2-eventbridge:");
    }

    @Override
    public BulkApi create(BulkApiContext context) {
        return new EventBridgeApi(context);
    }
}
