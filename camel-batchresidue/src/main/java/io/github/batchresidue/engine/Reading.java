/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Takes from the source what a request has room for. The source may block meanwhile, and the run may end without it: an
 * item counts as read once the source has handed it out and the run has not been cut off before.
 *
 * <p>One thread reads; another may look on, finish or close it. A lock for each item would cost as much as reading a
 * small one, so the reader publishes how many it has, and locks only when it begins and ends: whoever closes it in between
 * takes what is published then, and what the reader takes after that is nobody's.
 */
final class Reading {

    /** Room made beforehand: what most requests have at most. */
    private static final int LIKELY_MOST = 1000;

    private final Source source;
    private final long firstIndex;
    private final int mostItems;

    // Race: written by the reader alone; others see of it as much as has been published.
    private volatile Item[] items;
    private final AtomicInteger published = new AtomicInteger();

    // Only the reader's.
    private int count;
    private long bytesLeft;

    // Race: set by others while the reader reads.
    private volatile boolean enough;

    // Guarded by the lock.
    private boolean reading;
    private boolean closed;
    private int seen;
    private boolean exhausted;
    private Throwable problem;
    private Throwable misfit;

    Reading(Source source, long firstIndex, int mostItems, long bytesLeft) {
        this.source = source;
        this.firstIndex = firstIndex;
        this.mostItems = mostItems;
        this.bytesLeft = bytesLeft;
        this.items = new Item[Math.min(mostItems, LIKELY_MOST)];
    }

    /** Reads; to be called once. */
    void perform() {
        if (!begin()) {
            return;
        }
        while (wantsMore()) {
            Content content;
            try {
                content = source.next();
            } catch (Throwable e) {
                end(false, e);
                return;
            }
            if (content == null) {
                end(true, null);
                return;
            }
            take(content);
        }
        end(false, null);
    }

    private synchronized boolean begin() {
        reading = !enough;
        return reading;
    }

    private boolean wantsMore() {
        return !enough && count < mostItems && bytesLeft >= 0;
    }

    private void take(Content content) {
        Item item;
        try {
            item = new Item(firstIndex + count, content);
        } catch (Throwable e) {
            takeMisfit(content, e);
            return;
        }
        add(item);
        bytesLeft -= item.bytes;
    }

    /** A content that cannot say what it is has been taken from the source all the same, and counts as read. */
    private synchronized void takeMisfit(Content content, Throwable thrown) {
        enough = true;
        if (!closed) {
            long index = firstIndex + count;
            misfit = new IllegalStateException(
                    "item " + index + ": it threw " + thrown.getClass().getName()
                            + " when it was made, or asked for its key or size",
                    thrown);
            add(Item.misfit(index, content));
        }
    }

    private void add(Item item) {
        if (count == items.length) {
            items = Arrays.copyOf(items, (int) Math.min(mostItems, 2L * count));
        }
        items[count] = item;
        count++;
        published.setRelease(count);
    }

    private synchronized void end(boolean nothingLeft, Throwable thrown) {
        if (!closed) {
            reading = false;
            exhausted = nothingLeft;
            problem = thrown;
        }
    }

    /** The item that is being read is the last one. */
    void finishSoon() {
        enough = true;
    }

    /** What the source gives from now on nobody takes; if it is being read, its next item is lost. */
    synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        enough = true;
        seen = published.get();
        if (reading) {
            problem = new IllegalStateException("the run was cut off while item " + (firstIndex + seen)
                    + " was being read: the body cannot be read any further");
        }
    }

    /** What was read; to be asked when the reading is over or closed. */
    synchronized List<Item> items() {
        return Arrays.asList(items).subList(0, closed ? seen : published.get());
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
