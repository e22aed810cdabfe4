/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LandedItemsTest {

    private record Named(String body) implements Content {
        @Override
        public long bytes() {
            return body.length();
        }
    }

    @Test
    void linesSayWhatWasAdded() {
        LandedItems landed = new LandedItems(List.of());
        List<LedgerItem> expected = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            Content content = new Named("item " + i);
            Object result = i % 3 == 0 && i > 300 ? "found " + i : null;
            landed.add(7L * i, i % 5, content, result);
            expected.add(LandedItems.line(7L * i, i % 5, content, result));

            if (i % 31 == 0) {
                assertThat(landed.lines()).isEqualTo(expected);
            }
        }
        assertThat(landed.lines()).isEqualTo(expected);
        assertThat(new LandedItems(landed.lines()).lines()).isEqualTo(expected);
    }

    @Test
    void linesStayWhatTheyWere() {
        LandedItems landed = new LandedItems(List.of());
        landed.add(1, 1, new Named("a"), null);
        List<LedgerItem> lines = landed.lines();
        List<LedgerItem> copy = List.copyOf(lines);

        landed.add(2, 1, new Named("b"), null);

        assertThat(lines).isEqualTo(copy);
        assertThat(LandedItems.immutable(lines)).isSameAs(lines);
        assertThatThrownBy(() -> lines.get(1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> lines.add(copy.get(0))).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(lines::clear).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void whatOthersMayChangeIsCopied() {
        List<LedgerItem> changing = new ArrayList<>();
        List<LedgerItem> kept = LandedItems.immutable(changing);

        changing.add(LandedItems.line(1, 1, new Named("a"), null));

        assertThat(kept).isEmpty();
    }
}
