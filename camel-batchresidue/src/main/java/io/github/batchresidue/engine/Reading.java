/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * Takes from the source what a request has room for. The source may block meanwhile, and the run may end without it: an
 * item counts as read once the source has handed it out and the run has not been cut off before.
 */
final class Reading {

    private final Source source;
    private final long firstIndex;
    private final int mostItems;

    // Race: one thread reads, another may finish or close it.
    private final List<Item> items = new ArrayList<>();
    private long bytesLeft;
    private boolean asking;
    private boolean enough;
    private boolean closed;
    private boolean exhausted;
    private Throwable problem;

    Reading(Source source, long firstIndex, int mostItems, long bytesLeft) {
        this.source = source;
        this.firstIndex = firstIndex;
        this.mostItems = mostItems;
        this.bytesLeft = bytesLeft;
    }

    /** Reads; to be called once. */
    void perform() {
        for (long index = firstIndex; begin(); index++) {
            Item item = null;
            Throwable thrown = null;
            try {
                Content content = source.next();
                item = content == null ? null : new Item(index, content);
            } catch (Exception | Error e) {
                thrown = e;
            }
            take(item, thrown);
        }
    }

    private synchronized boolean begin() {
        asking = !enough && !closed && !exhausted && problem == null && items.size() < mostItems && bytesLeft >= 0;
        return asking;
    }

    private synchronized void take(Item item, Throwable thrown) {
        if (closed) {
            return;
        }
        asking = false;
        if (item != null) {
            items.add(item);
            bytesLeft -= item.bytes;
        } else {
            exhausted = thrown == null;
            problem = thrown;
        }
    }

    /** The item that is being read is the last one. */
    synchronized void finishSoon() {
        enough = true;
    }

    /** What the source gives from now on nobody takes; if it has been asked, its next item is lost. */
    synchronized void close() {
        closed = true;
        if (asking) {
            problem = new IllegalStateException("the run was cut off while item " + (firstIndex + items.size())
                    + " was being read: the body cannot be read any further");
        }
    }

    /** What was read; to be asked when the reading is over or closed. */
    synchronized List<Item> items() {
        return items;
    }

    /** Whether the source said that nothing is left. */
    synchronized boolean isExhausted() {
        return exhausted;
    }

    /** Why the source cannot be read any further; null if it can. */
    synchronized Throwable problem() {
        return problem;
    }
}
