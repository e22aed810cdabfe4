/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.contacts;

import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.model.dataformat.JsonLibrary;

/** A file of contacts, one JSON object a line, goes into an org that knows them by their customer number. */
public final class ContactsRoute extends RouteBuilder {

    @Override
    public void configure() {
        // The example hands the file over and waits for the ledger. In an application this is more likely file:inbox.
        from("direct:contacts")
                .routeId("contacts")
                .to("batchresidue:salesforce:compositeUpsertSObjectCollections"
                        // Options of the delegate: what the records are, and the field that names one.
                        + "?sObjectName=Contact&sObjectIdName=Customer_Number__c"
                        // A contact whose row is locked waits for 100, 200, 400 … ms, and at last is given up.
                        + "&redeliveryDelay=100&maximumRedeliveries=5"
                        // An answer that was lost is a round like any other: an upsert finds what it has stored.
                        + "&onTransportFailure=RETRY"
                        // What the org refuses for good, and what is not sent again.
                        + "&deadLetterUri=direct:dead-letter");

        // Each contact that did not land comes as an exchange of its own: the body is its line, headers say why.
        from("direct:dead-letter")
                .routeId("dead-letter")
                .bean(DeadLetterLine.class)
                .marshal()
                .json(JsonLibrary.Jackson)
                .to("file:{{contacts.directory}}?fileName=dead-letters.ndjson&fileExist=Append&appendChars=\\n");
    }
}
