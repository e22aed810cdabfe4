/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.contacts;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.simulators.CollectionRequest;
import io.github.batchresidue.simulators.SalesforceOrg;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The example with a shorter file. */
class SyncContactsTest {

    @Test
    void everyContactIsInTheOrgOrAmongTheDeadLetters() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (SalesforceOrg org = new SalesforceOrg();
                SyncContacts sync = new SyncContacts(org, new PrintStream(printed, true, StandardCharsets.UTF_8))) {
            ContactsFile file = ContactsFile.write(SyncContacts.DIRECTORY.resolve("contacts.ndjson"), 500);

            assertThat(sync.send(file)).isEmpty();

            assertThat(file.nameless()).isEqualTo(5);
            assertThat(org.logins()).isGreaterThan(1);
            assertThat(org.collectionRequests())
                    .extracting(CollectionRequest::status)
                    .contains(0, 200, 403);
            assertThat(printed.toString(StandardCharsets.UTF_8))
                    .contains("500 items, 490 landed, 5 terminal, 5 given up, 0 pending")
                    .contains("REQUEST_LIMIT_EXCEEDED", "UNABLE_TO_LOCK_ROW", "REQUIRED_FIELD_MISSING")
                    .contains("OK: every contact");
        }
    }
}
