/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.benchmarks;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * What sending a body has cost.
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
        return summary(samples, figures -> {
            double[] sorted = figures.sorted().toArray();
            return sorted[sorted.length / 2];
        });
    }

    /** The sample whose figures are the means. */
    static Sample mean(List<Sample> samples) {
        return summary(samples, figures -> figures.average().orElseThrow());
    }

    private static Sample summary(List<Sample> samples, ToDoubleFunction<DoubleStream> of) {
        return new Sample(
                samples.get(0).items,
                of.applyAsDouble(samples.stream().mapToDouble(Sample::seconds)),
                of.applyAsDouble(samples.stream().mapToDouble(Sample::bytesPerItem)),
                (int) of.applyAsDouble(samples.stream().mapToDouble(Sample::requests)),
                (long) of.applyAsDouble(samples.stream().mapToDouble(Sample::lost)));
    }
}
