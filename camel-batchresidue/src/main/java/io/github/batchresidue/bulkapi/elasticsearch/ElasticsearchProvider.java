/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkApiContext;
import io.github.batchresidue.bulkapi.BulkApiProvider;
import java.util.List;
import java.util.Set;
import org.apache.camel.Endpoint;
import org.apache.camel.util.StringHelper;

/** Makes {@link ElasticsearchApi}. */
public final class ElasticsearchProvider implements BulkApiProvider {

    static final String ACTION = "action";
    static final String INDEX = "index";
    static final String ID_FIELD = "idField";
    static final String ROUTING_FIELD = "routingField";
    static final String GENERATE_IDS = "generateIds";
    static final String FILTER_PATH = "filterPath";

    @Override
    public List<String> names() {
        return List.of("elasticsearch", "opensearch");
    }

    @Override
    public Set<String> optionNames() {
        return Set.of(ACTION, INDEX, ID_FIELD, ROUTING_FIELD, GENERATE_IDS, FILTER_PATH);
    }

    @Override
    public List<String> coordinates() {
        return List.of("com.fasterxml.jackson.core:jackson-databind");
    }

    @Override
    public boolean isSpokenBy(Endpoint delegate) {
        String uri = StringHelper.before(delegate.getEndpointUri(), "?", delegate.getEndpointUri());
        boolean isHttp = uri.startsWith("http:") || uri.startsWith("https:");
        boolean isClient = uri.startsWith("elasticsearch:") || uri.startsWith("opensearch:");
        return isClient || isHttp && (uri.endsWith("/_bulk") || uri.endsWith("/_bulk/"));
    }

    @Override
    public BulkApi create(BulkApiContext context) {
        return new ElasticsearchApi(context);
    }
}
