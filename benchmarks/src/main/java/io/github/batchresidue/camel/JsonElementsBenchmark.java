/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** Cutting a JSON text into its elements. One operation is one item. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class JsonElementsBenchmark {

    private static final int ITEMS = 1000;
    private static final String FRAME =
            "{\"id\":\"0000000000\",\"year\":1843,\"price\":12.5,\"inStock\":true,\"text\":\"\"}";

    @Param({"126", "2500"})
    int size;

    private byte[] lines;
    private byte[] array;

    @Setup
    public void makeTexts() {
        String text = "the engine weaves ".repeat(size / 18 + 1).substring(0, size - FRAME.length());
        var documents = Collections.nCopies(ITEMS, FRAME.replace("\"\"", '"' + text + '"'));
        lines = String.join("\n", documents).getBytes(StandardCharsets.UTF_8);
        array = ('[' + String.join(",", documents) + ']').getBytes(StandardCharsets.UTF_8);
    }

    @Benchmark
    @OperationsPerInvocation(ITEMS)
    public void readLines(Blackhole hole) {
        read(lines, hole);
    }

    @Benchmark
    @OperationsPerInvocation(ITEMS)
    public void readArray(Blackhole hole) {
        read(array, hole);
    }

    private static void read(byte[] json, Blackhole hole) {
        JsonElements elements = new JsonElements(new ByteArrayInputStream(json));
        while (elements.hasNext()) {
            hole.consume(elements.next());
        }
    }
}
