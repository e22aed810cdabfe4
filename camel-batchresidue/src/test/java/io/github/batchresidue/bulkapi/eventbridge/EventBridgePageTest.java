/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.eventbridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.docs.PageTable;
import org.junit.jupiter.api.Test;

/** Keeps the guide's page in step with the tables of the code. */
class EventBridgePageTest {

    @Test
    void thePageSaysWhatErrorsOfEntriesMean() {
        assertThat(PageTable.meanings("eventbridge", "entries"))
                .isEqualTo(PageTable.words(EventBridgeErrors.OF_ENTRIES.kinds()));
    }

    @Test
    void thePageSaysWhatErrorsOfRequestsMean() {
        assertThat(PageTable.meanings("eventbridge", "requests"))
                .isEqualTo(PageTable.words(EventBridgeErrors.OF_REQUESTS.meanings()));
    }
}
