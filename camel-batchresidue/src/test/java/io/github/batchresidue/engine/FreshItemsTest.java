/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FreshItemsTest {

    private static final RunOptions ONE_BY_ONE =
            RunOptions.builder().batchSize(1).build();

    private record Nothing() implements Content {
        @Override
        public Object body() {
            return "";
        }

        @Override
        public long bytes() {
            return 0;
        }
    }

    @Test
    void itemsComeInTheOrderOfTheirIndexHoweverTheyWereAdded() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            FreshItems fresh = new FreshItems(ONE_BY_ONE);
            PriorityQueue<Item> expected = new PriorityQueue<>(Item.BY_INDEX);
            for (int i = 0; i < 200; i++) {
                if (random.nextInt(3) > 0 || expected.isEmpty()) {
                    Item item = new Item(random.nextInt(4) == 0 ? -i : i, new Nothing());
                    fresh.add(item);
                    expected.add(item);
                } else {
                    assertThat(fresh.take()).as("seed %d", seed).containsExactly(expected.remove());
                }
                assertThat(fresh.size()).isEqualTo(expected.size());
            }
            List<Item> rest = new ArrayList<>();
            fresh.removeAllTo(rest);
            assertThat(rest).containsExactlyInAnyOrderElementsOf(expected);
            assertThat(fresh.isEmpty()).isTrue();
        }
    }
}
