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

    private final Map<Object, KeyTurn> turns = new HashMap<>();
    private int held;

    /** Gives the item its key; false if another item owns it, and this one is now held. */
    boolean claim(Item item) {
        if (item.key == null) {
            return true;
        }
        KeyTurn mine = new KeyTurn();
        KeyTurn others = turns.putIfAbsent(item.key, mine);
        if (others == null) {
            item.turn = mine;
            return true;
        }
        item.detach();
        if (others.waiting == null) {
            others.waiting = new ArrayDeque<>(2);
        }
        others.waiting.add(item);
        held++;
        return false;
    }

    /**
     * Takes the key from an item that has ended; gives the item that owns it now, null if nobody was held for it. Whoever
     * waits is found through the item: a caller that changes the key's object must not lose them.
     */
    Item release(Item item) {
        KeyTurn turn = item.turn;
        if (turn == null) {
            return null;
        }
        item.turn = null;
        Item next = turn.waiting == null ? null : turn.waiting.poll();
        if (next == null) {
            forget(item.key, turn);
            return null;
        }
        next.turn = turn;
        held--;
        return next;
    }

    private void forget(Object key, KeyTurn turn) {
        boolean isFound;
        try {
            isFound = turns.remove(key, turn);
        } catch (Throwable e) {
            isFound = false; // The item has ended whatever its key says now.
        }
        if (!isFound) {
            turns.values().remove(turn);
        }
    }

    /** How many items are held. */
    int held() {
        return held;
    }

    void removeAllTo(Collection<Item> rest) {
        for (KeyTurn turn : turns.values()) {
            if (turn.waiting != null) {
                rest.addAll(turn.waiting);
                turn.waiting = null;
            }
        }
        turns.clear();
        held = 0;
    }

    /** Who waits for one key, in the order of the body. */
    static final class KeyTurn {
        /** Null until somebody does: most keys occur once. */
        private Deque<Item> waiting;
    }
}
