/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** The rounds of a run in bounded memory: the first and the last ones, and one line that sums up what is between. */
final class Timeline {

    static final int FIRST = 100;
    static final int LAST = 100;

    private final List<Round> first = new ArrayList<>();
    private Round middle;
    private final ArrayDeque<Round> last = new ArrayDeque<>();

    Timeline(List<Round> rounds) {
        rounds.forEach(this::add);
    }

    void add(Round round) {
        if (first.size() < FIRST && middle == null && last.isEmpty()) {
            first.add(round);
            return;
        }
        last.add(round);
        if (last.size() > LAST) {
            Round oldest = last.remove();
            middle = middle == null ? oldest : middle.plus(oldest);
        }
    }

    List<Round> rounds() {
        List<Round> all = new ArrayList<>(first);
        if (middle != null) {
            all.add(middle);
        }
        all.addAll(last);
        return all;
    }
}
