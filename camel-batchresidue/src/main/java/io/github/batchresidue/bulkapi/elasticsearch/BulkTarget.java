/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.engine.Reply;
import java.util.List;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.Message;

/** How requests are put for one kind of delegate, and how its answers are read. Safe for use by many threads. */
interface BulkTarget {

    /** Chosen by the class name of the endpoint, for not every component need be there. */
    static BulkTarget of(Endpoint delegate, boolean isFilteringPath) {
        return switch (delegate.getClass().getName()) {
            case "org.apache.camel.component.http.HttpEndpoint" -> CamelHttpTarget.of(delegate, isFilteringPath);
            case "org.apache.camel.component.es.ElasticsearchEndpoint" -> new ElasticsearchTarget(delegate);
            case "org.apache.camel.component.opensearch.OpensearchEndpoint" -> new OpenSearchTarget(delegate);
            default -> new HttpTarget();
        };
    }

    /** Where an operation goes that names no index; null if that is not known. */
    String defaultIndex();

    /** Writes a request into a message that has the caller's headers. */
    void write(List<BulkItem> items, Message message);

    /** Reads the outcome of a request. */
    Reply read(List<BulkItem> items, Exchange exchange);
}
