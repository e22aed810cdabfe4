/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Who has which key, and who is held for it. An item owns its key from the moment it may be sent until it ends; the next
 * item of the key, in the order of the body, then owns it.
 */
final class Keys {

    /** The key is owned and nobody is held for it. Never modified. */
    private static final Deque<Item> NOBODY = new ArrayDeque<>(1);

    private final Map<Object, Deque<Item>> heldByKey = new HashMap<>();
    private int held;

    /** Gives the item its key; false if another item owns it, and this one is now held. */
    boolean claim(Item item) {
        if (item.key == null) {
            return true;
        }
        Deque<Item> queue = heldByKey.putIfAbsent(item.key, NOBODY);
        if (queue == null) {
            item.ownsKey = true;
            return true;
        }
        if (queue == NOBODY) {
            queue = new ArrayDeque<>(2);
            heldByKey.put(item.key, queue);
        }
        item.detach();
        queue.add(item);
        held++;
        return false;
    }

    /** Takes the key from an item that has ended; gives the item that owns it now, null if nobody was held for it. */
    Item release(Item item) {
        if (!item.ownsKey) {
            return null;
        }
        item.ownsKey = false;
        Deque<Item> queue = heldByKey.get(item.key);
        if (queue == null || queue.isEmpty()) {
            heldByKey.remove(item.key);
            return null;
        }
        Item next = queue.remove();
        next.ownsKey = true;
        held--;
        return next;
    }

    /** How many items are held. */
    int held() {
        return held;
    }

    void removeAllTo(Collection<Item> rest) {
        heldByKey.values().forEach(rest::addAll);
        heldByKey.clear();
        held = 0;
    }
}
