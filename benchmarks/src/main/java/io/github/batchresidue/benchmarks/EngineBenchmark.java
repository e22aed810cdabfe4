/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.benchmarks;

import io.github.batchresidue.engine.Content;
import io.github.batchresidue.engine.DeadLetters;
import io.github.batchresidue.engine.Observer;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Run;
import io.github.batchresidue.engine.RunEnd;
import io.github.batchresidue.engine.RunOptions;
import io.github.batchresidue.engine.RunState;
import io.github.batchresidue.engine.Scheduler;
import io.github.batchresidue.engine.Source;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
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

/** The loop alone, with a transport that answers during the call. One operation is one item. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class EngineBenchmark {

    private static final int ITEMS = 100_000;

    private record Sized(String body, Object key) implements Content {
        @Override
        public long bytes() {
            return 139;
        }
    }

    /** Nothing waits in a run in which everything lands. */
    private static final class Clock implements Scheduler {
        @Override
        public long now() {
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
        }

        @Override
        public Cancellable schedule(Runnable task, long delayMillis) {
            throw new IllegalStateException("a wait of " + delayMillis + " ms");
        }
    }

    private static final class Listed implements Source {

        private final Content[] items;
        private int next;

        Listed(Content[] items) {
            this.items = items;
        }

        @Override
        public Content next() {
            return exhausted() ? null : items[next++];
        }

        @Override
        public boolean exhausted() {
            return next == items.length;
        }
    }

    @Param({"25", "1000"})
    int batchSize;

    @Param({"false", "true"})
    boolean withKeys;

    private final Content[] items = new Content[ITEMS];
    private RunOptions options;

    @Setup
    public void makeItems() {
        options = RunOptions.builder().batchSize(batchSize).build();
        Arrays.setAll(items, i -> new Sized("item", withKeys ? "key" + i : null));
    }

    @Benchmark
    @OperationsPerInvocation(ITEMS)
    public RunEnd allLand() {
        AtomicReference<RunEnd> end = new AtomicReference<>();
        Run.Collaborators collaborators = new Run.Collaborators(
                new Listed(items),
                (sent, reply) -> reply.accept(Reply.allLanded(sent.size())),
                DeadLetters.NONE,
                new Clock(),
                () -> 0.5,
                Observer.NONE);
        new Run(options, collaborators, RunState.NEW, end::set).start();
        if (end.get().ledger().landed() != ITEMS) {
            throw new IllegalStateException(end.get().ledger().landed() + " items landed");
        }
        return end.get();
    }
}
