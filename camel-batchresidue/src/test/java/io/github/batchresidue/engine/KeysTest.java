/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeysTest {

    /** A key that the caller can change, or that can fall out with him. */
    private static final class Moody {

        private int hash = 1;
        private boolean isThrowing;

        @Override
        public int hashCode() {
            if (isThrowing) {
                throw new IllegalStateException("not now");
            }
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Moody;
        }
    }

    private final Keys keys = new Keys();

    private static Item item(long index, Object key) {
        return new Item(index, new TestContent(index, 1, key, true, null));
    }

    @Test
    void itemsOfAKeyComeOneAfterTheOther() {
        Item[] items = {item(0, "k"), item(1, "k"), item(2, "other"), item(3, "k"), item(4, null)};

        assertThat(keys.claim(items[0])).isTrue();
        assertThat(keys.claim(items[1])).isFalse();
        assertThat(keys.claim(items[2])).isTrue();
        assertThat(keys.claim(items[3])).isFalse();
        assertThat(keys.claim(items[4])).isTrue();
        assertThat(keys.held()).isEqualTo(2);

        assertThat(keys.release(items[2])).isNull();
        assertThat(keys.release(items[0])).isSameAs(items[1]);
        assertThat(keys.release(items[1])).isSameAs(items[3]);
        assertThat(keys.release(items[3])).isNull();
        assertThat(keys.held()).isZero();
        assertThat(keys.claim(item(5, "k"))).isTrue();
    }

    /** An item that has ended has ended; else it would be counted, and stay. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aKeyThatChangesOrThrowsHoldsNobodyUp(boolean isThrowing) {
        Moody key = new Moody();
        Item[] items = {item(0, key), item(1, key)};
        assertThat(keys.claim(items[0])).isTrue();
        assertThat(keys.claim(items[1])).isFalse();

        key.isThrowing = isThrowing;
        key.hash = 2;

        assertThat(keys.release(items[0])).isSameAs(items[1]);
        assertThat(keys.release(items[1])).isNull();
        assertThat(keys.held()).isZero();
        assertThat(keys.claim(item(2, new Moody()))).isTrue();
    }
}
