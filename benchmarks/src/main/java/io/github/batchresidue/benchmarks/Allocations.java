/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.benchmarks;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** What threads have allocated, whatever the collector does. A thread that ends in between is not counted. */
final class Allocations {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Collection<Thread> others;
    private final Map<Long, Long> before;

    private Allocations(Collection<Thread> others) {
        this.others = others;
        this.before = byThread();
    }

    /** Begins to count for all threads but some. */
    static Allocations ofAllBut(Collection<Thread> others) {
        return new Allocations(others);
    }

    /** Bytes allocated since the beginning. */
    long bytes() {
        Map<Long, Long> after = byThread();
        others.forEach(thread -> after.remove(thread.getId()));
        return after.entrySet().stream()
                .mapToLong(entry -> entry.getValue() - before.getOrDefault(entry.getKey(), 0L))
                .sum();
    }

    private static Map<Long, Long> byThread() {
        long[] ids = THREADS.getAllThreadIds();
        long[] bytes = THREADS.getThreadAllocatedBytes(ids);
        Map<Long, Long> byThread = new HashMap<>();
        for (int i = 0; i < ids.length; i++) {
            byThread.put(ids[i], Math.max(0, bytes[i]));
        }
        return byThread;
    }
}
