/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A piece of a text that many operations share. When its reader has left it and every operation in it has given its part
 * back, it is filled again; if one never does, it goes the way of all memory. A chunk that is filled again fits into the
 * buffer of {@link GatheringOutputStream}: its bytes are copied, and looked after, before they go out.
 */
final class Chunk {

    /** Chunks of one text that are free; never more than were in use at once. */
    static final class Pool {

        private final int size;
        private final Queue<Chunk> free = new ConcurrentLinkedQueue<>();

        /** @param size bytes of a chunk */
        Pool(int size) {
            this.size = size;
        }

        /** A chunk of at least so many bytes, with anything in it. */
        Chunk take(int atLeast) {
            if (atLeast > size) {
                return new Chunk(atLeast, null); // For one long operation: it would rarely be of use again.
            }
            Chunk used = free.poll();
            return used == null ? new Chunk(size, this) : used;
        }
    }

    final byte[] bytes;
    /** Null if it is not to be filled again. */
    private final Pool pool;
    // Race: operations are given back on other threads than the reader's. Below zero while the reader is in the chunk.
    private final AtomicInteger parts = new AtomicInteger();

    private Chunk(int size, Pool pool) {
        this.bytes = new byte[size];
        this.pool = pool;
    }

    /**
     * The reader reads on elsewhere.
     *
     * @param operations how many of them are in the chunk
     */
    void leave(int operations) {
        add(operations);
    }

    /** One of the operations needs it no more. */
    void giveBack() {
        add(-1);
    }

    /** Zero is met once: by whoever comes last of the reader and the operations. */
    private void add(int more) {
        if (parts.addAndGet(more) == 0 && pool != null) {
            pool.free.add(this);
        }
    }
}
