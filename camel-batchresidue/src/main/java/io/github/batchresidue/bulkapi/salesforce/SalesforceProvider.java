/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.salesforce;

import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkApiContext;
import io.github.batchresidue.bulkapi.BulkApiProvider;
import java.util.List;
import java.util.Set;
import org.apache.camel.Endpoint;

/** Makes {@link SalesforceApi}, and loads without {@code camel-salesforce}. */
public final class SalesforceProvider implements BulkApiProvider {

    /** For delegates other than {@code salesforce:}, which say all this themselves. */
    static final String OPERATION = "operation";

    static final String SOBJECT_NAME = "sObjectName";
    static final String SOBJECT_ID_NAME = "sObjectIdName";

    @Override
    public List<String> names() {
        return List.of("salesforce");
    }

    @Override
    public Set<String> optionNames() {
        return Set.of(OPERATION, SOBJECT_NAME, SOBJECT_ID_NAME);
    }

    @Override
    public List<String> coordinates() {
        return List.of("org.apache.camel:camel-salesforce");
    }

    @Override
    public boolean isSpokenBy(Endpoint delegate) {
        return delegate.getEndpointUri().startsWith("salesforce:");
    }

    @Override
    public BulkApi create(BulkApiContext context) {
        return new SalesforceApi(context);
    }
}
