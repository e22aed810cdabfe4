/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.benchmarks;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What sending a body once has cost.
 *
 * @param bytesPerItem allocated by all threads but the server's
 * @param lost items that did not land
 */
record Sample(int items, double seconds, double bytesPerItem, int requests, long lost) {

    double itemsPerSecond() {
        return items / seconds;
    }

    /** The sample whose figures are the medians, each for itself. */
    static Sample median(List<Sample> samples) {
        return new Sample(
                samples.get(0).items,
                median(samples, Sample::seconds),
                median(samples, Sample::bytesPerItem),
                (int) median(samples, Sample::requests),
                (long) median(samples, Sample::lost));
    }

    private static double median(List<Sample> samples, ToDoubleFunction<Sample> figure) {
        double[] sorted = samples.stream().mapToDouble(figure).sorted().toArray();
        return sorted[sorted.length / 2];
    }
}
