/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.firehose;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.docs.PageTable;
import org.junit.jupiter.api.Test;

/** Keeps the guide's page in step with the tables of the code. */
class FirehosePageTest {

    @Test
    void thePageSaysWhatErrorsOfRecordsMean() {
        assertThat(PageTable.meanings("firehose", "records"))
                .isEqualTo(PageTable.words(FirehoseErrors.OF_RECORDS.kinds()));
    }

    @Test
    void thePageSaysWhatErrorsOfRequestsMean() {
        assertThat(PageTable.meanings("firehose", "requests"))
                .isEqualTo(PageTable.words(FirehoseErrors.OF_REQUESTS.meanings()));
    }
}
