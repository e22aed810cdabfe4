/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.salesforce;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.bulkapi.BulkApiContext;
import java.util.Map;
import org.apache.camel.component.salesforce.SalesforceEndpoint;
import org.apache.camel.component.salesforce.SalesforceEndpointConfig;
import org.apache.camel.component.salesforce.api.utils.JsonUtils;

/**
 * What the delegate does, and with what.
 *
 * @param sObjectName type of records that do not say theirs, and the only one of an upsert; null if not known
 * @param externalIdField by which an upsert finds a record; null for the others
 * @param mapper how the delegate writes records
 */
record Target(Operation operation, String sObjectName, String externalIdField, ObjectMapper mapper) {

    Target {
        if (operation == Operation.UPSERT && (sObjectName == null || externalIdField == null)) {
            throw new IllegalArgumentException("an upsert needs the options sObjectName and sObjectIdName, the type of"
                    + " the records and the field of their external id; found sObjectName=" + sObjectName
                    + ", sObjectIdName=" + externalIdField);
        }
    }

    static Target of(BulkApiContext context) {
        if (context.delegate() instanceof SalesforceEndpoint salesforce) {
            return ofDelegate(salesforce, context.options());
        }
        String operation = context.text(SalesforceProvider.OPERATION);
        return new Target(
                operation == null ? Operation.CREATE : Operation.ofWord(operation),
                context.text(SalesforceProvider.SOBJECT_NAME),
                context.text(SalesforceProvider.SOBJECT_ID_NAME),
                JsonUtils.createObjectMapper());
    }

    private static Target ofDelegate(SalesforceEndpoint salesforce, Map<String, String> options) {
        options.forEach((name, value) -> {
            throw new IllegalArgumentException("bulkApi." + name + "=" + value
                    + ": a salesforce endpoint says this itself; give it in its own URI");
        });
        SalesforceEndpointConfig configuration = salesforce.getConfiguration();
        if (configuration.isAllOrNone()) {
            throw new IllegalArgumentException(SalesforceApi.whyNotAllOrNone("the option allOrNone=true"));
        }
        return new Target(
                Operation.ofDelegate(
                        salesforce.getOperationName() == null
                                ? salesforce.getTopicName()
                                : salesforce.getOperationName().value()),
                configuration.getSObjectName(),
                configuration.getSObjectIdName(),
                configuration.getObjectMapper() == null
                        ? JsonUtils.createObjectMapper()
                        : configuration.getObjectMapper());
    }
}
