/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.docs.PageTable;
import org.junit.jupiter.api.Test;

/** Keeps the guide's page in step with the table of the code. */
class ElasticsearchPageTest {

    @Test
    void thePageSaysWhatTypesMean() {
        assertThat(PageTable.meanings("elasticsearch", "types")).isEqualTo(PageTable.words(BulkErrors.BY_TYPE));
    }
}
