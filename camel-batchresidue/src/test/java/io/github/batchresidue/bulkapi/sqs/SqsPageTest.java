/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.docs.PageTable;
import org.junit.jupiter.api.Test;

/** Keeps the guide's page in step with the tables of the code. */
class SqsPageTest {

    @Test
    void thePageSaysWhatErrorsOfEntriesMean() {
        assertThat(PageTable.meanings("sqs", "entries")).isEqualTo(PageTable.words(SqsErrors.OF_ENTRIES));
    }

    @Test
    void thePageSaysWhatErrorsOfRequestsMean() {
        assertThat(PageTable.meanings("sqs", "requests")).isEqualTo(PageTable.words(SqsErrors.OF_REQUESTS.meanings()));
    }
}
