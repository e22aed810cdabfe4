/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.ArrayList;
import java.util.List;

/** A request while it is filled. It ends at the first item that does not fit. */
final class Filling {

    private final RunOptions options;
    private final List<Item> items;
    /** What the rule sees of the items; null if there is no rule. */
    private final List<Content> contents;

    private long bytes;

    /** @param atHand how many items there are to choose from */
    Filling(RunOptions options, int atHand) {
        this.options = options;
        this.items = new ArrayList<>(Math.min(atHand, options.batchSize()));
        this.contents = options.requestRule() == RequestRule.NONE ? null : new ArrayList<>();
        this.bytes = options.envelopeBytes();
    }

    boolean hasRoomFor(Item item) {
        return items.size() < options.batchSize()
                && bytes + item.bytes <= options.batchBytes()
                && (contents == null
                        || contents.isEmpty()
                        || options.requestRule().allows(contents, item.content));
    }

    void add(Item item) {
        items.add(item);
        bytes += item.bytes;
        if (contents != null) {
            contents.add(item.content);
        }
    }

    List<Item> items() {
        return items;
    }
}
