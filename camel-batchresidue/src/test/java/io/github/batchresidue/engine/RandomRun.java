/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import io.github.batchresidue.engine.ExponentialBackOff.Jitter;
import io.github.batchresidue.engine.RunOptions.UnknownOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * One run, and what follows when it is resumed, made of nothing but a seed: options, items, replies, failures and stops
 * are drawn from it, and the {@link Auditor} watches. The same seed does the same again.
 */
final class RandomRun {

    /** A back-off that fails when told to. */
    static final class TestBackOff implements BackOff {
        private final ExponentialBackOff backOff;
        boolean fails;

        TestBackOff(ExponentialBackOff backOff) {
            this.backOff = backOff;
        }

        BackOff backOff() {
            return backOff;
        }

        @Override
        public long delayMillis(int redelivery, long previousMillis, double draw) {
            if (fails) {
                throw undeclared("the back-off fails");
            }
            return backOff.delayMillis(redelivery, previousMillis, draw);
        }
    }

    /** Throws what nobody has declared, and who catches exceptions and errors alone does not catch. */
    private static RuntimeException undeclared(String message) {
        throw RandomRun.<RuntimeException>unchecked(new Throwable(message));
    }

    @SuppressWarnings("unchecked") // That is the point.
    private static <E extends Throwable> E unchecked(Throwable thrown) throws E {
        throw (E) thrown;
    }

    private static final int MOST_REQUESTS = 60;
    private static final int MOST_RESUMES = 4;
    private static final Failure BUSY = new Failure(429, "busy", "try later");
    private static final Failure BAD = new Failure(400, "bad", "never");

    private final SplittableRandom random;
    private final VirtualTime time = new VirtualTime(this::beforeTimePasses);
    private final TestBackOff backOff;
    private final RunOptions options;
    private final List<TestContent> contents = new ArrayList<>();
    private final Auditor auditor;

    // How the world behaves in this run.
    private final boolean blocking;
    private final int mood;
    private final int failuresPercent;
    private final int syncPercent;
    private final boolean sourceKnowsItsEnd;
    private final int sourceFailsAt;
    private final boolean sourceFailsHard;
    private final int lettersFailPercent;
    private final boolean observerFails;
    private final boolean lettersTaken;
    private final boolean takesTerminal;
    private final boolean takesGivenUp;
    private int stopsAtCall;
    private boolean stopsAtOnce;
    private boolean stopIsSure;

    private Run run;
    private int requests;
    private int calls;
    private int depth;
    private int resumes;
    private RunEnd end;
    private int ends;

    RandomRun(long seed) {
        this.random = new SplittableRandom(seed);
        this.blocking = chance(10);
        this.mood = random(5);
        this.failuresPercent = random(3) * 4;
        this.syncPercent = random(3) * 50;
        this.sourceKnowsItsEnd = chance(50);
        this.sourceFailsAt = chance(8) ? random(25) : -1;
        this.sourceFailsHard = chance(20);
        this.lettersFailPercent = chance(30) ? 30 : 0;
        this.observerFails = chance(10);
        this.lettersTaken = chance(60);
        this.takesTerminal = lettersTaken && chance(85);
        this.takesGivenUp = lettersTaken && chance(85);
        this.backOff = drawBackOff();
        this.options = drawOptions();
        drawContents();
        this.auditor = new Auditor(options, time, blocking, takesTerminal, takesGivenUp, contents);
    }

    /** What went wrong, or null. */
    String violation() {
        auditor.begin();
        start(RunState.NEW);
        while (auditor.violation() == null) {
            time.run();
            if (auditor.violation() == null && ends != resumes + 1) {
                auditor.violated("the run has ended " + (ends - resumes) + " times");
            }
            if (auditor.violation() != null || !goesOn()) {
                break;
            }
            resumes++;
            if (chance(50)) {
                time.runUntil(time.now() + random(3000));
            }
            RunState state = end.state();
            auditor.begin();
            start(state);
        }
        return auditor.violation() == null ? null : auditor.violation() + "\n" + options + "\n" + this;
    }

    private boolean goesOn() {
        boolean undelivered = end.ledger().undelivered() > 0;
        boolean troubled = end.failure() != null || !end.ledger().inputExhausted() || undelivered;
        return troubled && resumes < MOST_RESUMES && chance(80);
    }

    private void start(RunState state) {
        Observer observer = chance(30) ? new Watching() : Observer.NONE;
        run = new Run(
                options,
                new Run.Collaborators(new Reading(), this::send, new Letters(), time, random::nextDouble, observer),
                state,
                this::ended);
        calls = 0;
        stopsAtCall = chance(12) ? random(30) : -1;
        stopsAtOnce = chance(40);
        stopIsSure = false;
        Run current = run;
        if (chance(10)) {
            stopIsSure = true;
            time.in(random(chance(50) ? 200 : 20_000), () -> stop(current, false));
        }
        if (chance(2)) {
            stop(current, true);
        }
        run.start();
    }

    private void ended(RunEnd how) {
        ends++;
        end = how;
        auditor.ended(how);
    }

    private void stop(Run which, boolean beforeStart) {
        if (which != run) {
            return;
        }
        auditor.stopped(stopsAtOnce, beforeStart);
        if (stopsAtOnce) {
            run.stopNow();
        } else {
            run.stop();
        }
    }

    /** Something outside is called: here a stop may come, or time may go on. */
    private void called() {
        if (calls++ == stopsAtCall) {
            stop(run, false);
        }
        if (blocking && depth < 2 && chance(20)) {
            depth++;
            time.runUntil(time.now() + random(1500));
            depth--;
        }
    }

    private void beforeTimePasses() {
        if (auditor != null) {
            auditor.beforeTimePasses();
        }
    }

    // ---- Drawing

    private int random(int bound) {
        return random.nextInt(bound);
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private long oneOf(long... values) {
        return values[random.nextInt(values.length)];
    }

    private TestBackOff drawBackOff() {
        Jitter jitter = chance(70) ? Jitter.NONE : chance(50) ? Jitter.EQUAL : Jitter.FULL;
        return new TestBackOff(
                new ExponentialBackOff(oneOf(0, 10, 100, 1000, 1000), chance(70) ? 2 : 1, oneOf(60_000, 1500), jitter));
    }

    private RunOptions drawOptions() {
        // With jitter nobody but the run knows whether a wait would pass the deadline, and when dead letters block
        // nobody else knows when the first request was made.
        boolean certain =
                ((ExponentialBackOff) backOff.backOff()).jitter() == Jitter.NONE && !(blocking && lettersTaken);
        boolean deadline = certain && chance(30);
        RunOptions.Builder builder = RunOptions.builder()
                .batchSize(1 + random(6))
                .parallelRequests(chance(60) ? 1 : 2 + random(2))
                .maximumRedeliveries((int) oneOf(0, 1, 2, 3, 10, 10, -1))
                .countOnlyStalledRounds(chance(25))
                .backOff(backOff)
                .redeliveryTimeoutMillis(deadline ? 1 + random(6000) : 0)
                .isolateRejected(chance(80))
                .retryTransportFailures(chance(60))
                .unknownOutcome(UnknownOutcome.values()[random(3)])
                .retainEnded(chance(70));
        if (chance(60)) {
            builder.maxPendingResidue(chance(20) ? 0 : 1 + random(8));
        }
        if (chance(30)) {
            builder.batchBytes(10 + random(30)).envelopeBytes(random(4));
        }
        if (chance(25)) {
            int mostStretches = 1 + random(3);
            builder.requestRule((request, next) -> stretches(request, next) <= mostStretches);
        }
        return builder.build();
    }

    /** How many stretches of one kind the items are, of three kinds. */
    private static int stretches(List<Content> request, Content next) {
        int stretches = 1;
        for (int i = 0; i < request.size(); i++) {
            Content following = i + 1 < request.size() ? request.get(i + 1) : next;
            if (kind(request.get(i)) != kind(following)) {
                stretches++;
            }
        }
        return stretches;
    }

    private static long kind(Content content) {
        return ((TestContent) content).index * 7 / 3 % 3;
    }

    private void drawContents() {
        int keys = chance(50) ? 0 : 1 + random(6);
        boolean refusals = chance(25);
        int safePercent = (int) oneOf(0, 50, 100);
        int count = chance(15) ? random(3) : random(24);
        for (int i = 0; i < count; i++) {
            contents.add(new TestContent(
                    i,
                    random(12),
                    keys == 0 || chance(20) ? null : "key" + random(keys),
                    chance(safePercent),
                    refusals && chance(15) ? new Refusal(Reason.REJECTED, BAD) : null));
        }
    }

    // ---- Source

    private final class Reading implements Source {
        @Override
        public Content next() throws Exception {
            auditor.asksSource();
            called();
            if (auditor.itemsRead() == sourceFailsAt) {
                auditor.sourceFails();
                throw sourceFailsHard ? new IllegalStateException("broken") : new Exception("broken");
            }
            if (auditor.itemsRead() == contents.size()) {
                auditor.sourceEnds();
                return null;
            }
            Content content = contents.get(auditor.itemsRead());
            auditor.sourceGives();
            return content;
        }

        @Override
        public boolean exhausted() {
            return sourceKnowsItsEnd && auditor.itemsRead() == contents.size() && sourceFailsAt != contents.size();
        }
    }

    // ---- Transport

    private void send(List<Item> items, Transport.Answer reply) {
        Auditor.Request request = auditor.sent(items);
        requests++;
        called();
        if (chance(failuresPercent) && chance(30)) {
            Reply thrown = new Reply.TransportFailed(new Exception(), BUSY, false, 0);
            settle(request, thrown, null);
            throw undeclared("the transport throws");
        }
        Reply answer = requests > MOST_REQUESTS ? Reply.allLanded(items.size()) : drawReply(items.size());
        if (stopIsSure && chance(5)) {
            return; // It never answers.
        }
        if (chance(syncPercent)) {
            settle(request, answer, reply);
        } else {
            time.in(random(chance(50) ? 5 : 1200), () -> settle(request, answer, reply));
        }
    }

    private void settle(Auditor.Request request, Reply answer, Consumer<Reply> reply) {
        backOff.fails = chance(1) && chance(50);
        auditor.answered(request, answer, backOff.fails);
        if (reply != null) {
            reply.accept(answer);
            if (chance(3)) {
                reply.accept(Reply.allLanded(request.entries.size()));
            }
        }
    }

    private Reply drawReply(int items) {
        long hint = chance(8) ? oneOf(50, 500, 5000) : 0;
        if (chance(failuresPercent)) {
            return switch (random(9)) {
                case 0, 1 -> new Reply.Throttled(BUSY, hint);
                case 2 -> new Reply.TooLarge(BAD);
                case 3 -> new Reply.Rejected(BAD, true);
                case 4 -> new Reply.Rejected(BAD, false);
                case 5 -> new Reply.Terminal(BAD);
                case 6 -> new Reply.Refused(new Exception("refused"), BAD);
                case 7 -> new Reply.TransportFailed(new Exception("reset"), BUSY, chance(50), hint);
                default -> new Reply.Verdicts(List.of(Verdict.landed()).subList(0, items == 1 ? 0 : 1), hint);
            };
        }
        if (mood == 4 && chance(40)) {
            return switch (random(3)) {
                case 0 -> new Reply.Throttled(BUSY, hint);
                case 1 -> new Reply.TooLarge(BAD);
                default -> new Reply.Rejected(BAD, chance(50));
            };
        }
        List<Verdict> verdicts = new ArrayList<>(items);
        for (int i = 0; i < items; i++) {
            verdicts.add(drawVerdict());
        }
        return new Reply.Verdicts(verdicts, hint);
    }

    private Verdict drawVerdict() {
        int landedPercent =
                switch (mood) {
                    case 0 -> 95;
                    case 1 -> 60;
                    case 2 -> 30;
                    case 3 -> 0;
                    default -> 60;
                };
        if (chance(landedPercent)) {
            return Verdict.landed();
        }
        return switch (random(12)) {
            case 0 -> Verdict.already(BAD);
            case 1 -> Verdict.terminal(BAD);
            case 2 -> Verdict.tooLarge(BAD);
            case 3, 4 -> Verdict.victim(BUSY);
            case 5, 6 -> Verdict.unknown(BUSY);
            case 7 -> Verdict.notReached(BUSY);
            default -> Verdict.residue(BUSY);
        };
    }

    // ---- Dead letters and observer

    private final class Letters implements DeadLetters {
        @Override
        public boolean takes(Outcome outcome) {
            return outcome == Outcome.TERMINAL ? takesTerminal : takesGivenUp;
        }

        @Override
        public void deliver(List<LedgerItem> items, Consumer<Throwable> done) {
            LedgerItem item = items.get(0);
            auditor.delivering(item);
            called();
            boolean good = !chance(lettersFailPercent);
            if (!good && chance(30)) {
                auditor.delivered((int) item.index(), false);
                throw undeclared("the dead letters throw");
            }
            if (chance(50)) {
                answer(item, done, good);
            } else {
                time.in(random(800), () -> answer(item, done, good));
            }
        }

        private void answer(LedgerItem item, Consumer<Throwable> done, boolean good) {
            auditor.delivered((int) item.index(), good);
            done.accept(good ? null : new Exception("dead letter " + item.index()));
            if (chance(10)) {
                done.accept(good ? new Exception("second thoughts") : null);
            }
        }
    }

    private final class Watching implements Observer {
        @Override
        public void sending(List<Item> items) {
            failIfAsked();
        }

        @Override
        public void settled(List<Item> items, Round round, Failure failure, long nextWaitMillis) {
            failIfAsked();
        }

        @Override
        public void ended(LedgerItem item) {
            auditor.told(item);
            failIfAsked();
        }

        private void failIfAsked() {
            if (observerFails) {
                throw undeclared("the observer throws");
            }
        }
    }

    @Override
    public String toString() {
        return contents.size() + " items, blocking " + blocking + ", source fails at " + sourceFailsAt
                + ", dead letters " + takesTerminal + "/" + takesGivenUp + ", resumed " + resumes + " times";
    }
}
