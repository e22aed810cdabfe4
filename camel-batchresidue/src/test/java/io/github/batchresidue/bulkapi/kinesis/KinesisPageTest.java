/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.kinesis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.docs.PageTable;
import org.junit.jupiter.api.Test;

/** Keeps the guide's page in step with the tables of the code. */
class KinesisPageTest {

    @Test
    void thePageSaysWhatErrorsOfRecordsMean() {
        assertThat(PageTable.meanings("kinesis", "records"))
                .isEqualTo(PageTable.words(KinesisErrors.OF_RECORDS.kinds()));
    }

    @Test
    void thePageSaysWhatErrorsOfRequestsMean() {
        assertThat(PageTable.meanings("kinesis", "requests"))
                .isEqualTo(PageTable.words(KinesisErrors.OF_REQUESTS.meanings()));
    }
}
