/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.function.Consumer;

/** An item of a test. */
final class TestContent implements Content {

    final long index;
    private final long bytes;
    private final Object key;
    private final boolean safe;
    private final Refusal refusal;
    private Consumer<TestContent> onDiscard = content -> {};
    private boolean discarded;

    TestContent(long index, long bytes, Object key, boolean safe, Refusal refusal) {
        this.index = index;
        this.bytes = bytes;
        this.key = key;
        this.safe = safe;
        this.refusal = refusal;
    }

    void onDiscard(Consumer<TestContent> watcher) {
        onDiscard = watcher;
    }

    boolean isDiscarded() {
        return discarded;
    }

    @Override
    public void discard() {
        onDiscard.accept(this);
        discarded = true;
    }

    @Override
    public Object body() {
        return "item " + index;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public Object key() {
        return key;
    }

    @Override
    public boolean safeToResend() {
        return safe;
    }

    @Override
    public Refusal refusal() {
        return refusal;
    }
}
