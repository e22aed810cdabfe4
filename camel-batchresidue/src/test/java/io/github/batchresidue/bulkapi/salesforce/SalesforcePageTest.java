/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.salesforce;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.docs.PageTable;
import org.junit.jupiter.api.Test;

/** Keeps the guide's page in step with the tables of the code. */
class SalesforcePageTest {

    @Test
    void thePageSaysWhatErrorsOfRecordsMean() {
        assertThat(PageTable.meanings("salesforce", "records")).isEqualTo(PageTable.words(CollectionErrors.OF_RECORDS));
    }

    @Test
    void thePageSaysWhatErrorsOfRequestsMean() {
        assertThat(PageTable.meanings("salesforce", "requests"))
                .isEqualTo(PageTable.words(CollectionErrors.OF_REQUESTS));
    }
}
