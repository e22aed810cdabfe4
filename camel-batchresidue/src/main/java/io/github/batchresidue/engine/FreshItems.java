/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.Queue;

/** The fresh items by index. They come in this order, unless they were held: only those need sorting. */
final class FreshItems {

    private final Deque<Item> inOrder = new ArrayDeque<>();
    private final Queue<Item> late = new PriorityQueue<>(Item.BY_INDEX);

    void add(Item item) {
        if (inOrder.isEmpty() || inOrder.getLast().index < item.index) {
            inOrder.add(item);
        } else {
            late.add(item);
        }
    }

    /** The first of them; null if there is none. */
    Item peek() {
        return first().peek();
    }

    /** Takes the first of them away; there has to be one. */
    Item remove() {
        return first().remove();
    }

    private Queue<Item> first() {
        if (late.isEmpty()) {
            return inOrder;
        }
        return inOrder.isEmpty() || late.peek().index < inOrder.peek().index ? late : inOrder;
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
    }
}
