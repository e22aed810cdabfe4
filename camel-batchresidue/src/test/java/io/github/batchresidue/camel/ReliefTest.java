/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReliefTest {

    /** Runs its tasks when the test says so. */
    private static final class Timer extends ScheduledThreadPoolExecutor {

        private final Deque<Runnable> tasks = new ArrayDeque<>();
        private final Deque<Long> delays = new ArrayDeque<>();

        Timer() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            if (isShutdown()) {
                throw new RejectedExecutionException();
            }
            tasks.add(task);
            delays.add(unit.toMillis(delay));
            return null;
        }

        /** Lets the time pass; gives how long it was. */
        long pass() {
            tasks.remove().run();
            return delays.remove();
        }
    }

    private final Timer timer = new Timer();
    private final Crew crew = new Crew(Executors.newFixedThreadPool(2));
    private final Crew others = new Crew(Executors.newCachedThreadPool());
    private final Relief relief = new Relief(crew, 2, others, timer);
    private final List<CountDownLatch> ends =
            Stream.generate(() -> new CountDownLatch(1)).limit(20).toList();
    private final Set<Integer> begun = ConcurrentHashMap.newKeySet();

    @AfterEach
    void stop() {
        ends.forEach(CountDownLatch::countDown);
        crew.threads().shutdownNow();
        others.threads().shutdownNow();
        timer.shutdownNow();
    }

    /** Tasks that last until they are told to end. */
    private void begin(int tasks) {
        for (int i = 0; i < tasks; i++) {
            int task = i;
            crew.execute(
                    () -> {
                        begun.add(task);
                        awaitEnd(task);
                    },
                    Waiters.NONE);
            relief.watch();
        }
    }

    private void awaitEnd(int task) {
        try {
            ends.get(task).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void end(int task) {
        long before = crew.ended();
        ends.get(task).countDown();
        await().until(() -> crew.ended() == before + 1);
    }

    private void assertBegun(int count) {
        await().untilAsserted(() -> assertThat(begun).hasSize(count));
    }

    @Test
    void aCrewThatStandsStillGetsMoreAndMoreHelp() {
        begin(20);
        assertBegun(2);
        assertThat(timer.pass()).isEqualTo(1000);
        assertBegun(4);
        assertThat(timer.pass()).isEqualTo(2000);
        assertBegun(8);
        assertThat(timer.pass()).isEqualTo(4000);
        assertBegun(16);
        assertThat(timer.pass()).isEqualTo(8000);
        assertBegun(20);
        timer.pass();
        assertThat(timer.tasks).isEmpty();
    }

    @Test
    void aCrewThatIsMerelySlowGetsNone() {
        begin(10);
        for (int task = 0; task < 7; task++) {
            assertBegun(task + 2);
            end(task);
            assertThat(timer.pass()).isEqualTo(1000);
        }
        assertBegun(9);
        timer.pass();
        assertBegun(10);
    }

    @Test
    void nobodyWatchesWhereNobodyWaits() {
        begin(2);
        assertBegun(2);
        assertThat(timer.tasks).isEmpty();

        begin(3);
        assertThat(timer.tasks).hasSize(1);
        ends.forEach(CountDownLatch::countDown);
        await().until(() -> crew.ended() == 5);
        timer.pass();
        assertThat(timer.tasks).isEmpty();
    }

    @Test
    void afterTheStopOfTheComponentNothingIsWatched() {
        timer.shutdown();
        begin(3);

        assertThat(timer.tasks).isEmpty();
    }
}
