/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.engine.Content;
import io.github.batchresidue.engine.DeadLetters;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Round;
import io.github.batchresidue.engine.Run;
import io.github.batchresidue.engine.RunEnd;
import io.github.batchresidue.engine.RunOptions;
import io.github.batchresidue.engine.RunState;
import io.github.batchresidue.engine.Scheduler;
import io.github.batchresidue.engine.Source;
import io.github.batchresidue.engine.Transport;
import io.github.batchresidue.engine.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.Test;

/** What is told of a run, and how often. */
class RunProgressTest {

    private static final Failure BUSY = new Failure(429, "busy", null);

    private final List<String> told = new ArrayList<>();
    private final List<RunEnd> ends = new ArrayList<>();

    @Test
    void totalsAreToldOfRequestsAndNeverOfItemsThatLand() {
        RunProgress progress = run(RunState.NEW, 1100, landing());

        assertThat(told).hasSize(11 + 11 + 1).containsOnly("sending 100", "settled 100", "finished 1 round, 0 pending");
        assertThat(progress.waiting()).isZero();
        assertThat(progress.inFlight()).isZero();
        assertThat(progress.latest()).hasSize(RunProgress.LATEST);
    }

    @Test
    void aRunThatGoesOnAddsOnlyWhatItDoes() {
        List<Transport> answers = new ArrayList<>(List.of(
                landing(),
                (items, reply) -> reply.accept(new Reply.TransportFailed(new TimeoutException(), BUSY, false, 0))));
        RunProgress failed =
                run(RunState.NEW, 200, (items, reply) -> answers.remove(0).send(items, reply));
        assertThat(told)
                .containsExactly(
                        "sending 100", "settled 100", "sending 100", "settled 0", "finished 1 round, 100 pending");
        assertThat(failed.waiting()).isEqualTo(100);
        told.clear();

        List<Long> waiting = new ArrayList<>();
        RunProgress[] progress = new RunProgress[1];
        progress[0] = progress(ends.get(0).state());
        assertThat(progress[0].waiting()).isEqualTo(100);
        run(progress[0], ends.get(0).state(), 0, (items, reply) -> {
            waiting.add(progress[0].waiting());
            landing().send(items, reply);
        });

        assertThat(waiting).containsExactly(0L);
        assertThat(told).containsExactly("sending 100 again", "settled 100", "finished 1 round, 0 pending");
    }

    @Test
    void whatIsGivenUpDoesNotWait() {
        RunProgress progress = run(
                RunState.NEW,
                3,
                (items, reply) ->
                        reply.accept(new Reply.Verdicts(Collections.nCopies(items.size(), Verdict.residue(BUSY)), 0)));

        assertThat(told)
                .containsExactly("sending 3", "dead", "dead", "dead", "settled 0", "finished 1 round, 0 pending");
        assertThat(progress.waiting()).isZero();
    }

    private static Transport landing() {
        return (items, reply) ->
                reply.accept(new Reply.Verdicts(Collections.nCopies(items.size(), Verdict.landed()), 0));
    }

    private RunProgress run(RunState from, int items, Transport transport) {
        return run(progress(from), from, items, transport);
    }

    private RunProgress run(RunProgress progress, RunState from, int items, Transport transport) {
        RunOptions options = RunOptions.builder()
                .batchSize(100)
                .maximumRedeliveries(0)
                .unknownOutcome(RunOptions.UnknownOutcome.RETRY)
                .build();
        RunObservers observers = new RunObservers(List.of(progress));
        Transport watched = (sent, reply) -> {
            observers.requesting(sent, null);
            transport.send(sent, reply);
        };
        new Run(
                        options,
                        new Run.Collaborators(
                                source(items), watched, DeadLetters.NONE, clock(), () -> 0, observers.orNone()),
                        from,
                        ends::add)
                .start();
        observers.finished(ends.get(ends.size() - 1).ledger());
        return progress;
    }

    private RunProgress progress(RunState from) {
        return new RunProgress(new DefaultExchange(new DefaultCamelContext()), from, List.of(new RunTotals() {
            @Override
            public void requesting(int items, boolean isAgain) {
                told.add("sending " + items + (isAgain ? " again" : ""));
            }

            @Override
            public void settled(Round round, long nextWaitMillis) {
                told.add("settled " + round.landed());
            }

            @Override
            public void dead(LedgerItem item) {
                told.add("dead");
            }

            @Override
            public void finished(int rounds, long pending) {
                told.add("finished " + rounds + " round, " + pending + " pending");
            }
        }));
    }

    private static Source source(int items) {
        return new Source() {
            private int left = items;

            @Override
            public Content next() {
                return left-- > 0 ? new WordApi.Word("w", "w", null, true) : null;
            }

            @Override
            public boolean exhausted() {
                return left <= 0;
            }
        };
    }

    private static Scheduler clock() {
        return new Scheduler() {
            @Override
            public long now() {
                return 0;
            }

            @Override
            public Cancellable schedule(Runnable task, long delayMillis) {
                throw new UnsupportedOperationException("nothing of this test waits");
            }
        };
    }
}
