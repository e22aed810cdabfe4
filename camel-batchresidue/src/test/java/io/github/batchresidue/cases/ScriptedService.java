/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.cases;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.apache.camel.CamelContext;

/** A service on loopback that answers as a case says, reached through the real delegate. */
interface ScriptedService extends AutoCloseable {

    /** Puts into the registry what the delegate needs. */
    void bind(CamelContext context);

    /** URI of the delegate, without a query. */
    String delegateUri(BugCase bugCase);

    /** Options of the delegate as URI parameters, {@code name=value}. */
    List<String> delegateOptions(BugCase bugCase);

    /** The items of the body as they must stand on the wire, in index order. */
    List<JsonNode> wireItems(BugCase bugCase) throws Exception;

    /** What the requests carried that reached the service, item by item. */
    List<List<JsonNode>> received() throws Exception;

    @Override
    void close();
}
