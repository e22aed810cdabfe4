/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadingTest {

    private static final long FIRST = 100;

    /** Gives contents of 10 bytes; does something before it gives a chosen one. */
    private static final class Contents implements Source {

        private final int size;
        private final int chosen;
        private final Runnable meanwhile;
        private int given;

        Contents(int size, int chosen, Runnable meanwhile) {
            this.size = size;
            this.chosen = chosen;
            this.meanwhile = meanwhile;
        }

        @Override
        public Content next() {
            if (given == chosen) {
                meanwhile.run();
            }
            return given == size ? null : content(given++);
        }

        @Override
        public boolean exhausted() {
            return given == size;
        }
    }

    private static Content content(int number) {
        return new TestContent(FIRST + number, 10, null, true, null);
    }

    private static void assertIsBeginning(List<Item> items, int count) {
        assertThat(items).extracting(Item::index).containsExactlyElementsOf(indexes(count));
        assertThat(items)
                .extracting(item -> ((TestContent) item.content()).index)
                .containsExactlyElementsOf(indexes(count));
    }

    private static List<Long> indexes(int count) {
        return IntStream.range(0, count).mapToObj(i -> FIRST + i).toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 999, 1000, 1001, 2000, 2001, 5000})
    void takesAsManyAsThereIsRoomFor(int most) {
        Contents source = new Contents(10_000, -1, () -> {});
        Reading reading = new Reading(source, FIRST, most, Long.MAX_VALUE);
        reading.perform();

        assertIsBeginning(reading.items(), most);
        assertThat(source.given).isEqualTo(most);
        assertThat(reading.isExhausted()).isFalse();
        assertThat(reading.problem()).isNull();
    }

    @Test
    void theItemThatHasNoRoomIsTheLast() {
        Contents source = new Contents(10_000, -1, () -> {});
        Reading reading = new Reading(source, FIRST, 1000, 35);
        reading.perform();

        assertIsBeginning(reading.items(), 4);
        assertThat(source.given).isEqualTo(4);
    }

    @Test
    void theItemThatIsBeingReadIsTheLastWhenThereIsEnough() {
        Reading[] reading = new Reading[1];
        Contents source = new Contents(10_000, 7, () -> reading[0].finishSoon());
        reading[0] = new Reading(source, FIRST, 1000, Long.MAX_VALUE);
        reading[0].perform();

        assertIsBeginning(reading[0].items(), 8);
        assertThat(source.given).isEqualTo(8);
        assertThat(reading[0].problem()).isNull();
    }

    @Test
    void whatIsHandedOutAfterTheCloseIsNobodysAndIsNamed() {
        Reading[] reading = new Reading[1];
        Contents source = new Contents(10_000, 7, () -> reading[0].close());
        reading[0] = new Reading(source, FIRST, 1000, Long.MAX_VALUE);
        reading[0].perform();

        assertIsBeginning(reading[0].items(), 7);
        assertThat(source.given).isEqualTo(8);
        assertThat(reading[0].problem()).hasMessageContaining("item 107 was being read");
    }

    @Test
    void aClosedReadingAsksForNothing() {
        Contents source = new Contents(10_000, -1, () -> {});
        Reading reading = new Reading(source, FIRST, 1000, Long.MAX_VALUE);
        reading.close();
        reading.perform();

        assertThat(source.given).isZero();
        assertThat(reading.items()).isEmpty();
        assertThat(reading.problem()).isNull();
    }

    @Test
    void aContentThatThrowsIsTakenAndIsTheLast() {
        Source source = new Source() {
            private int given;

            @Override
            public Content next() {
                return given++ < 3 ? content(given - 1) : new TestContent(FIRST + 3, -1, null, true, null);
            }

            @Override
            public boolean exhausted() {
                return false;
            }
        };
        Reading reading = new Reading(source, FIRST, 1000, Long.MAX_VALUE);
        reading.perform();

        assertIsBeginning(reading.items(), 4);
        assertThat(reading.misfit())
                .hasMessageContaining("item 103")
                .hasRootCauseMessage("its size is said to be -1 bytes: expected 0 or more");
    }

    /** Whatever the moment: what was read is the beginning, stays so, and is all of it or else the next one is named. */
    @Test
    void aCloseFromAnotherThreadLosesNothingUnnamed() throws Exception {
        Random random = new Random(1);
        int cutShort = 0;
        for (int round = 0; round < 3000; round++) {
            int size = 1 + random.nextInt(3000);
            int spins = random.nextInt(20_000);
            Contents source = new Contents(size, -1, () -> {});
            Reading reading = new Reading(source, FIRST, 5000, Long.MAX_VALUE);
            CyclicBarrier begin = new CyclicBarrier(2);
            Thread reader = new Thread(() -> {
                await(begin);
                reading.perform();
            });
            reader.start();
            await(begin);
            for (int i = 0; i < spins; i++) {
                Thread.onSpinWait();
            }
            reading.close();
            List<Item> items = List.copyOf(reading.items());
            Throwable problem = reading.problem();
            boolean isExhausted = reading.isExhausted();
            reader.join();

            assertIsBeginning(items, items.size());
            assertThat(reading.items()).isEqualTo(items);
            assertThat(reading.problem()).isSameAs(problem);
            assertThat(reading.isExhausted()).isEqualTo(isExhausted);
            if (isExhausted) {
                assertThat(items).hasSize(size);
                assertThat(problem).isNull();
            } else if (problem != null) {
                assertThat(problem).hasMessageContaining("item " + (FIRST + items.size()) + " was being read");
                cutShort++;
            } else {
                assertThat(source.given).isZero();
            }
        }
        assertThat(cutShort).isPositive();
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
