/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import io.github.batchresidue.engine.LedgerItem.Delivery;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;

/**
 * The lines of landed items, of which most runs have far more than of all others, and which live as long as the run: kept
 * in columns, for as objects of their own they would cost the collector more than the run costs. Lines are made when
 * somebody asks for them.
 */
final class LandedItems {

    /** Items in a block: few, for most runs are short. */
    private static final int BLOCK = 64;

    private static final class Block {
        final long[] indexes = new long[BLOCK];
        final int[] attempts = new int[BLOCK];
        final Content[] contents = new Content[BLOCK];
        /** Null as long as no item has a result, which is always so where nothing is read. */
        Object[] results;
    }

    private final List<Block> blocks = new ArrayList<>();
    private int size;

    LandedItems(List<LedgerItem> before) {
        before.forEach(item -> add(item.index(), item.attempts(), item.content(), item.result()));
    }

    void add(long index, int attempts, Content content, Object result) {
        int at = size % BLOCK;
        if (at == 0) {
            blocks.add(new Block());
        }
        Block block = blocks.get(size / BLOCK);
        block.indexes[at] = index;
        block.attempts[at] = attempts;
        block.contents[at] = content;
        if (result != null) {
            if (block.results == null) {
                block.results = new Object[BLOCK];
            }
            block.results[at] = result;
        }
        size++;
    }

    /** The lines so far. Immutable: those that are added later stand behind its end. */
    List<LedgerItem> lines() {
        return new Lines(blocks.toArray(Block[]::new), size);
    }

    /** The list itself if nobody can change it, else a copy. */
    static List<LedgerItem> immutable(List<LedgerItem> items) {
        return items instanceof Lines ? items : List.copyOf(items);
    }

    private static final class Lines extends AbstractList<LedgerItem> implements RandomAccess {

        private final Block[] blocks;
        private final int size;

        Lines(Block[] blocks, int size) {
            this.blocks = blocks;
            this.size = size;
        }

        @Override
        public LedgerItem get(int at) {
            Objects.checkIndex(at, size);
            Block block = blocks[at / BLOCK];
            int i = at % BLOCK;
            Object result = block.results == null ? null : block.results[i];
            return line(block.indexes[i], block.attempts[i], block.contents[i], result);
        }

        @Override
        public int size() {
            return size;
        }
    }

    static LedgerItem line(long index, int attempts, Content content, Object result) {
        return new LedgerItem(
                index, content, Outcome.LANDED, attempts, null, Failure.NONE, false, Delivery.NONE, result);
    }
}
