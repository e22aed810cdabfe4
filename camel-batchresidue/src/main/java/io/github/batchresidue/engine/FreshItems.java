/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;

/** The fresh items by index. They come in this order, unless they were held: only those need sorting. */
final class FreshItems {

    private final RunOptions options;
    private final Deque<Item> inOrder = new ArrayDeque<>();
    private final Queue<Item> late = new PriorityQueue<>(Item.BY_INDEX);
    private long bytes;

    FreshItems(RunOptions options) {
        this.options = options;
    }

    void add(Item item) {
        if (inOrder.isEmpty() || inOrder.getLast().index < item.index) {
            inOrder.add(item);
        } else {
            late.add(item);
        }
        bytes += item.bytes;
    }

    /** Takes a request of fresh items, in the order of the body. */
    List<Item> take() {
        Filling request = new Filling(options, size());
        try {
            while (!isEmpty() && request.hasRoomFor(first().peek())) {
                Item item = first().remove();
                bytes -= item.bytes;
                request.add(item);
            }
        } catch (Throwable e) {
            request.items().forEach(this::add); // A rule that throws must not lose the items.
            throw e;
        }
        return request.items();
    }

    private Queue<Item> first() {
        if (late.isEmpty()) {
            return inOrder;
        }
        return inOrder.isEmpty() || late.peek().index < inOrder.peek().index ? late : inOrder;
    }

    /** Whether there are as many as a request can hold. */
    boolean isFull() {
        return itemsLeft() <= 0 || !isEmpty() && bytesLeft() < 0;
    }

    /** How many more items a request has room for. */
    int itemsLeft() {
        return options.batchSize() - size();
    }

    /** How many more bytes a request has room for; below 0 if there are more than it holds. */
    long bytesLeft() {
        return options.batchBytes() - options.envelopeBytes() - bytes;
    }

    int size() {
        return inOrder.size() + late.size();
    }

    boolean isEmpty() {
        return size() == 0;
    }

    void removeAllTo(Collection<Item> rest) {
        rest.addAll(inOrder);
        rest.addAll(late);
        inOrder.clear();
        late.clear();
        bytes = 0;
    }
}
