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

    private record Block(long[] indexes, int[] attempts, Content[] contents) {
        Block() {
            this(new long[BLOCK], new int[BLOCK], new Content[BLOCK]);
        }
    }

    private final List<Block> blocks = new ArrayList<>();
    private int size;

    LandedItems(List<LedgerItem> before) {
        before.forEach(item -> add(item.index(), item.attempts(), item.content()));
    }

    void add(long index, int attempts, Content content) {
        int at = size % BLOCK;
        if (at == 0) {
            blocks.add(new Block());
        }
        Block block = blocks.get(size / BLOCK);
        block.indexes[at] = index;
        block.attempts[at] = attempts;
        block.contents[at] = content;
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
            return line(block.indexes[i], block.attempts[i], block.contents[i]);
        }

        @Override
        public int size() {
            return size;
        }
    }

    static LedgerItem line(long index, int attempts, Content content) {
        return new LedgerItem(index, content, Outcome.LANDED, attempts, null, Failure.NONE, false, Delivery.NONE);
    }
}
