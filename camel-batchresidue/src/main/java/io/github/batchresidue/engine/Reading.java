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

    /** Room made beforehand: what most requests have at most. */
    private static final int LIKELY_MOST = 1000;

    private final Source source;
    private final long firstIndex;
    private final int mostItems;

    // Race: one thread reads, another may finish or close it.
    private final List<Item> items;
    private long bytesLeft;
    private boolean asking;
    private boolean enough;
    private boolean closed;
    private boolean exhausted;
    private Throwable problem;
    private Throwable misfit;

    Reading(Source source, long firstIndex, int mostItems, long bytesLeft) {
        this.source = source;
        this.firstIndex = firstIndex;
        this.mostItems = mostItems;
        this.bytesLeft = bytesLeft;
        this.items = new ArrayList<>(Math.min(mostItems, LIKELY_MOST));
    }

    /** Reads; to be called once. */
    void perform() {
        boolean goesOn = begin();
        for (long index = firstIndex; goesOn; index++) {
            Content content = null;
            Throwable thrown = null;
            try {
                content = source.next();
            } catch (Exception | Error e) {
                thrown = e;
            }
            goesOn = content == null ? end(thrown) : take(index, content);
        }
    }

    private synchronized boolean begin() {
        return askAgain();
    }

    /** Whether to ask the source for one more; it then counts as asked. */
    private boolean askAgain() {
        asking = !enough
                && !closed
                && !exhausted
                && problem == null
                && misfit == null
                && items.size() < mostItems
                && bytesLeft >= 0;
        return asking;
    }

    /**
     * Takes what the source gave; whether to ask it again. A content that cannot say what it is has been taken from the
     * source all the same, and counts as read.
     */
    private synchronized boolean take(long index, Content content) {
        if (closed) {
            return false;
        }
        Item item;
        try {
            item = new Item(index, content);
        } catch (RuntimeException | Error e) {
            item = Item.misfit(index, content);
            misfit = new IllegalStateException("item " + index + ": its key or size cannot be had", e);
        }
        items.add(item);
        bytesLeft -= item.bytes;
        return askAgain();
    }

    private synchronized boolean end(Throwable thrown) {
        if (!closed) {
            asking = false;
            exhausted = thrown == null;
            problem = thrown;
        }
        return false;
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

    /** Why the last item of those that were read cannot be dealt with; null if it can. */
    synchronized Throwable misfit() {
        return misfit;
    }

    /** Why the source cannot be read any further; null if it can. */
    synchronized Throwable problem() {
        return problem;
    }
}
