/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.simulators;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * One request for the sObject Collections resource as {@link SalesforceOrg} received it, with a session that was good.
 *
 * @param method {@code POST}, {@code PATCH} or {@code DELETE}
 * @param path what follows {@code /composite/sobjects} in the path: empty, or {@code /Account/Ref__c} of an upsert
 * @param records the records of the body as they were on the wire; of a {@code DELETE} the ids in the query
 * @param status HTTP status of the answer; 0 if there was none
 */
public record CollectionRequest(String method, String path, List<JsonNode> records, int status) {

    public CollectionRequest {
        records = List.copyOf(records);
    }
}
