/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import io.github.batchresidue.engine.LedgerItem.Delivery;
import io.github.batchresidue.engine.RunState.ItemState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * One run: takes items from a source to the delegate and on to the ledger.
 *
 * <p><b>The life of an item.</b> It is read from the source when a request has room for it ({@link Reading}), and is
 * <em>fresh</em>. If an earlier item of its key has not ended, it is <em>held</em> first, and fresh when that one ends. It
 * goes out in a request of fresh items ({@link #launch}). The reply gives it a verdict ({@link Settlement}): it ends
 * (landed, terminal, given up), or it <em>waits</em> with the other residue of that reply until it is <em>due</em>, or it
 * is <em>urgent</em>: half of a refused request, the victim of a named culprit, or left out of a full reply. Urgent items go before due ones and
 * due ones before fresh ones ({@link #nextRequest}). An item that ended without landing goes to the dead letters, one at
 * a time, and then stands in the ledger. When the run fails first, whatever has not ended is pending, and
 * {@link RunState} takes it to the run that goes on.
 *
 * <p><b>Invariant.</b> Between two steps every item that was read is in exactly one of: held ({@link Keys}), fresh,
 * waiting or due ({@link Residue}), urgent, in flight, ended. The ledger is the sum of these places.
 *
 * <p><b>Threads.</b> What happens from outside (a reply, a timer, a stop, items that were read, a delivered dead letter)
 * is an event. Events are applied one at a time by whichever thread brings the first one ({@link #step}), so the state
 * needs no lock and bringing an event never blocks. Calls to the outside are collected as actions and performed after the
 * state has been let go ({@link #happened}): a transport, source or dead letter that blocks, or answers during the call,
 * holds up nobody else and never deepens the stack.
 */
public final class Run {

    /**
     * What a run works with.
     *
     * @param random gives numbers in [0, 1) for jitter
     */
    public record Collaborators(
            Source source,
            Transport transport,
            DeadLetters deadLetters,
            Scheduler scheduler,
            DoubleSupplier random,
            Observer observer) {}

    /** A call to the outside; gives the event that it led to, or null. */
    private interface Action {
        Runnable perform();
    }

    private static final int NEVER = -1;
    /** Far longer than anybody waits, and far from overflow when added to a time. */
    private static final long LONGEST_WAIT = Long.MAX_VALUE / 4;

    private final RunOptions options;
    private final Source source;
    private final Transport transport;
    private final DeadLetters deadLetters;
    private final boolean terminalIsTaken;
    private final boolean givenUpIsTaken;
    private final Scheduler scheduler;
    private final DoubleSupplier random;
    private final Observer observer;
    private final boolean landedIsSeen;
    private final RunState resumed;
    private final Consumer<RunEnd> onEnd;

    // Events that wait to be applied, and how many the stepping thread has not yet seen.
    private final Queue<Runnable> events = new ConcurrentLinkedQueue<>();
    private final AtomicInteger unseen = new AtomicInteger();

    // Mutable state: touched only while stepping.

    private final List<Action> actions = new ArrayList<>();

    // Where items are that have not ended.
    private final Keys keys = new Keys();
    private final FreshItems fresh = new FreshItems();
    private long freshBytes;
    private final Residue residue;
    private final Deque<List<Item>> urgent = new ArrayDeque<>();
    private final Set<Sending> inFlight = new LinkedHashSet<>();
    private Sending planned;
    private Reading reading;

    // What has ended.
    private long nextIndex;
    private long landed;
    private long terminal;
    private long givenUp;
    private final LandedItems landedItems;
    private final List<LedgerItem> terminalItems = new ArrayList<>();
    private final List<LedgerItem> givenUpItems = new ArrayList<>();
    private final Deque<LedgerItem> undelivered = new ArrayDeque<>();
    private Delivering delivering;

    // How far the run is.
    private boolean restored;
    private boolean exhausted;
    private boolean readingStopped;
    private Exception inputFailure;
    private Throwable failure;
    private Throwable deadLetterFailure;
    private Reason cutOff;
    private boolean ended;

    // Time.
    private long firstRequestAt = NEVER;
    private long deadlineAt = Long.MAX_VALUE;
    private long holdFreshUntil;
    private long idleSince = NEVER;
    private long waitedMillis;
    private int rounds;
    private long requests;
    private final Timeline timeline;
    private Scheduler.Cancellable wakeUp;
    private long wakeUpAt = Long.MAX_VALUE;

    /**
     * @param state {@link RunState#NEW}, or the state at the end of the run to go on with
     * @param onEnd called exactly once, when the run has ended, from whichever thread brought the last event
     */
    public Run(RunOptions options, Collaborators collaborators, RunState state, Consumer<RunEnd> onEnd) {
        this.options = options;
        this.source = collaborators.source();
        this.transport = collaborators.transport();
        this.deadLetters = collaborators.deadLetters();
        this.terminalIsTaken = deadLetters.takes(Outcome.TERMINAL);
        this.givenUpIsTaken = deadLetters.takes(Outcome.GIVEN_UP);
        this.scheduler = collaborators.scheduler();
        this.random = collaborators.random();
        this.observer = collaborators.observer();
        this.landedIsSeen = observer.seesLanded();
        this.resumed = state;
        this.onEnd = onEnd;
        this.residue = new Residue(options);
        this.landedItems = new LandedItems(state.landedItems());
        this.timeline = new Timeline(state.timeline());
    }

    /** Begins; to be called once. Returns when there is nothing more to do for the moment, or at all. */
    public void start() {
        happened(() -> {});
    }

    /**
     * Ends the run: no request starts any more, every item that has not ended is given up, and what is in flight counts
     * as unknown. Dead letters are still delivered. May be called at any time, also before the start, and more than
     * once; never blocks on a request or a source that is under way.
     */
    public void stop() {
        happened(() -> cutOff(Reason.SHUTDOWN));
    }

    /** Like {@link #stop()}, and ends at once: what has not been taken as a dead letter stays in the ledger. */
    public void stopNow() {
        happened(() -> {
            cutOff(Reason.SHUTDOWN);
            if (delivering != null) {
                delivering.withdraw();
                delivering.items.forEach(item -> keepDead(item.with(Delivery.FAILED)));
                delivering = null;
            }
            undelivered.forEach(item -> keepDead(item.with(Delivery.FAILED)));
            undelivered.clear();
        });
    }

    // ---- Events and actions

    private void happened(Runnable event) {
        Deque<Action> mine = new ArrayDeque<>();
        step(event, mine);
        for (Action action = mine.poll(); action != null; action = mine.poll()) {
            if (action instanceof ReadOn && !mine.isEmpty()) {
                mine.add(action); // The source may block: whatever else is to be done goes first.
                continue;
            }
            Runnable next = action.perform();
            if (next != null) {
                step(next, mine);
            }
        }
    }

    private void step(Runnable event, Deque<Action> mine) {
        events.add(event);
        if (unseen.getAndIncrement() != 0) {
            return; // Race: another thread is stepping, and will not let go before it has seen this event.
        }
        int seen;
        do {
            seen = unseen.get();
            for (int i = 0; i < seen; i++) {
                apply(events.remove());
            }
            advanceOrFail();
            mine.addAll(actions);
            actions.clear();
        } while (unseen.addAndGet(-seen) != 0);
    }

    private void apply(Runnable event) {
        if (ended) {
            return;
        }
        try {
            if (!restored) {
                restored = true;
                restore();
            }
            event.run();
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    private void advanceOrFail() {
        if (ended) {
            return;
        }
        try {
            advance();
        } catch (RuntimeException | Error e) {
            fail(e);
            advanceFailed();
        }
    }

    /** A failed run calls nobody but its dead letters. If the scheduler fails again, it ends by its last reply. */
    private void advanceFailed() {
        try {
            advance();
        } catch (RuntimeException | Error e) {
            if (e != failure) {
                failure.addSuppressed(e);
            }
        }
    }

    private void fail(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
        stopReading();
    }

    private void stopReading() {
        readingStopped = true;
        if (reading != null) {
            reading.finishSoon();
        } else {
            exhausted = exhausted || inputFailure == null && isSourceExhausted();
        }
    }

    private boolean isSourceExhausted() {
        try {
            return source.exhausted();
        } catch (RuntimeException | Error e) {
            return false; // What cannot be said to have been read counts as unread.
        }
    }

    private enum Stage {
        PLANNED,
        CALLED,
        WITHDRAWN
    }

    private enum Waiting {
        NO,
        YES,
        OVER
    }

    /** Calls the outside, and goes on with the answer whether it comes during the call, later, or from another thread. */
    private abstract class Call<T> implements Action, Consumer<T> {

        // Race: the run may be cut off between planning a call and making it; exactly one of the two wins.
        private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.PLANNED);
        private final AtomicBoolean answered = new AtomicBoolean();
        // Race: the answer may come while the call is under way; whoever is second goes on with it.
        private final AtomicBoolean firstOfTwo = new AtomicBoolean();
        private T answer;

        abstract void call();

        abstract T answerFor(Throwable thrown);

        abstract void settle(T answer);

        final boolean isPlanned() {
            return stage.get() == Stage.PLANNED;
        }

        /** Takes it back; false if the call has been made already. */
        boolean withdraw() {
            return stage.compareAndSet(Stage.PLANNED, Stage.WITHDRAWN);
        }

        @Override
        public Runnable perform() {
            if (!stage.compareAndSet(Stage.PLANNED, Stage.CALLED)) {
                return null;
            }
            try {
                call();
            } catch (RuntimeException | Error e) {
                accept(answerFor(e));
            }
            return firstOfTwo.getAndSet(true) ? () -> settle(answer) : null;
        }

        @Override
        public void accept(T arrived) {
            if (answered.getAndSet(true)) {
                return;
            }
            answer = arrived;
            if (firstOfTwo.getAndSet(true)) {
                happened(() -> settle(arrived));
            }
        }
    }

    // ---- Going on

    /** Does what the state allows now, and arranges to be woken when time allows more. */
    private void advance() {
        if (scheduler.now() >= deadlineAt) {
            if (failure == null) {
                cutOff(Reason.TIMEOUT);
            } else {
                leaveInFlightPending();
            }
        }
        if (failure != null) {
            takeBackWhatHasNotGoneOut();
        }
        if (maySend()) {
            List<Item> items = nextRequest(scheduler.now());
            if (!items.isEmpty()) {
                launch(items, scheduler.now());
            }
        }
        deliverNext();
        readOn();
        if (isFinished()) {
            end();
        } else {
            arrangeWakeUp(scheduler.now());
        }
    }

    /** One request after the other: what a reply that comes during the call says holds for the next one. */
    private boolean maySend() {
        return failure == null && cutOff == null && !isPlanned() && inFlight.size() < options.parallelRequests();
    }

    private boolean isPlanned() {
        return planned != null && planned.isPlanned();
    }

    /** The items to send next; empty if nothing may be sent now. */
    private List<Item> nextRequest(long now) {
        if (!urgent.isEmpty()) {
            return urgent.pop();
        }
        residue.promote(now);
        while (failure == null && residue.isReady(now)) {
            List<Item> items = stillSafe(residue.take());
            if (!items.isEmpty()) {
                return items;
            }
        }
        return failure == null && maySendFresh(now) && isFreshComplete() ? takeFresh() : List.of();
    }

    /** Gives up what may have landed and can no longer be sent again: a deduplication id ran out during the wait. */
    private List<Item> stillSafe(List<Item> due) {
        List<Item> safe = new ArrayList<>(due.size());
        for (Item item : due) {
            try {
                if (item.maybeLanded && !mayResendUnknown(item)) {
                    giveUp(item, Reason.UNKNOWN_OUTCOME);
                } else {
                    safe.add(item);
                }
            } catch (RuntimeException | Error e) {
                safe.add(item); // A content that throws must not lose the item.
                fail(e);
            }
        }
        if (failure == null) {
            return safe;
        }
        safe.forEach(residue::addDue);
        return List.of();
    }

    // ---- Fresh items

    private boolean maySendFresh(long now) {
        return now >= holdFreshUntil
                && (options.maxPendingResidue() > 0 || residue.size() + deadLettersNotTaken() == 0);
    }

    /** Whether a request of fresh items has all it can get for now. */
    private boolean isFreshComplete() {
        return isFreshFull() || reading == null && !mayRead();
    }

    private boolean isFreshFull() {
        return fresh.size() >= options.batchSize()
                || !fresh.isEmpty() && options.envelopeBytes() + freshBytes > options.batchBytes();
    }

    private void addFresh(Item item) {
        fresh.add(item);
        freshBytes += item.bytes;
    }

    private List<Item> takeFresh() {
        Filling request = new Filling(options, fresh.size());
        try {
            while (!fresh.isEmpty() && request.hasRoomFor(fresh.peek())) {
                Item item = fresh.remove();
                freshBytes -= item.bytes;
                request.add(item);
            }
        } catch (RuntimeException | Error e) {
            request.items().forEach(this::addFresh); // A rule that throws must not lose the items.
            throw e;
        }
        return request.items();
    }

    // ---- Reading

    private int pendingResidue() {
        return residue.size() + keys.held() + deadLettersNotTaken();
    }

    private boolean mayRead() {
        int pending = pendingResidue();
        return !exhausted && !readingStopped && (pending < options.maxPendingResidue() || pending == 0);
    }

    private void readOn() {
        if (reading == null && maySend() && maySendFresh(scheduler.now()) && !isFreshFull() && mayRead()) {
            int room = options.batchSize() - fresh.size();
            // Each item that is read may have to be held.
            int most = Math.min(room, Math.max(1, options.maxPendingResidue() - pendingResidue()));
            // Where no item has room, each is read all the same, and refused.
            long bytes = Math.max(0, options.batchBytes() - options.envelopeBytes() - freshBytes);
            reading = new Reading(source, nextIndex, most, bytes);
            actions.add(new ReadOn(reading));
        }
    }

    private final class ReadOn extends Call<Reading> {

        private final Reading what;

        ReadOn(Reading what) {
            this.what = what;
        }

        @Override
        void call() {
            scheduler.read(() -> {
                what.perform();
                accept(what);
            });
        }

        @Override
        Reading answerFor(Throwable thrown) {
            return what;
        }

        @Override
        void settle(Reading done) {
            admit(done);
        }
    }

    private void admit(Reading done) {
        if (reading != done) {
            return; // The run was cut off and did not wait for it.
        }
        reading = null;
        for (Item item : done.items()) {
            nextIndex++;
            admit(item);
        }
        if (done.misfit() != null) {
            fail(done.misfit());
        }
        exhausted = done.isExhausted();
        if (done.problem() instanceof Exception e) {
            inputFailure = e;
            readingStopped = true;
        } else if (done.problem() != null) {
            fail(done.problem());
        } else if (readingStopped) {
            stopReading();
        }
    }

    private void admit(Item item) {
        try {
            if (!isRefused(item) && keys.claim(item)) {
                addFresh(item);
            }
        } catch (RuntimeException | Error e) {
            addFresh(item); // A content or key that throws must not lose the item.
            fail(e);
        }
    }

    /** Ends an item that can never be accepted, before it is ever sent. */
    private boolean isRefused(Item item) {
        Refusal refusal = item.content.refusal();
        long bytes = options.envelopeBytes() + item.bytes;
        if (refusal == null && bytes > options.batchBytes()) {
            refusal = new Refusal(Reason.TOO_LARGE, Failures.tooLarge(item.index, bytes, options.batchBytes()));
        }
        if (refusal == null) {
            return false;
        }
        item.failure = refusal.failure();
        terminate(item, refusal.reason());
        return true;
    }

    private void releaseKey(Item item) {
        Item next = keys.release(item);
        if (next != null) {
            place(next);
        }
    }

    /** Puts an item that owns its key, or has none, where it can be sent from. */
    private void place(Item item) {
        if (item.attempts == 0) {
            addFresh(item);
        } else if (item.wait != null && item.wait.dueAt > scheduler.now()) {
            residue.add(item.wait);
        } else {
            residue.addDue(item);
        }
    }

    // ---- Sending

    private void launch(List<Item> items, long now) {
        if (firstRequestAt == NEVER) {
            firstRequestAt = now;
            setDeadline();
        }
        // A wait is counted from a moment rounded up, and what goes at once goes before it.
        long idle = inFlight.isEmpty() && idleSince != NEVER ? Math.max(0, now - idleSince) : 0;
        waitedMillis += idle;
        for (Item item : items) {
            item.attempts++;
        }
        planned = new Sending(items, now, idle, deadlineAt);
        inFlight.add(planned);
        actions.add(planned);
    }

    private void setDeadline() {
        if (options.redeliveryTimeoutMillis() > 0) {
            deadlineAt = firstRequestAt + options.redeliveryTimeoutMillis();
        }
    }

    /** After a failure no request starts any more, not even one that has been planned or waits for a thread. */
    private void takeBackWhatHasNotGoneOut() {
        for (Sending sending : List.copyOf(inFlight)) {
            if (sending.withdraw()) {
                inFlight.remove(sending);
                sending.items.forEach(this::place);
            }
        }
    }

    /** A request from the moment it is planned until its reply is settled or nobody waits for it any more. */
    private final class Sending extends Call<Reply> implements Transport.Answer {

        final List<Item> items;
        final long plannedAt;
        final long idleBefore;
        private final long latest;
        // Race: the run may take it back while it waits for a thread; exactly one of the two wins.
        private final AtomicReference<Waiting> waiting = new AtomicReference<>(Waiting.NO);
        private volatile boolean abandoned;

        Sending(List<Item> items, long plannedAt, long idleBefore, long latest) {
            this.items = items;
            this.plannedAt = plannedAt;
            this.idleBefore = idleBefore;
            this.latest = latest;
        }

        /** As if it had never been planned. */
        @Override
        boolean withdraw() {
            if (!super.withdraw() && !waiting.compareAndSet(Waiting.YES, Waiting.OVER)) {
                return false;
            }
            items.forEach(item -> item.attempts--);
            waitedMillis -= idleBefore;
            if (requests == 0 && inFlight.size() == 1) {
                firstRequestAt = NEVER;
                deadlineAt = Long.MAX_VALUE;
            }
            return true;
        }

        @Override
        public Runnable perform() {
            if (scheduler.now() >= latest) {
                return () -> cutOff(Reason.TIMEOUT);
            }
            Runnable answered = super.perform();
            return answered != null ? answered : () -> {}; // Another request may start now.
        }

        /** The run ends without its reply. */
        void abandon() {
            abandoned = true;
        }

        @Override
        public void letWait() {
            waiting.set(Waiting.YES);
        }

        @Override
        public boolean begin() {
            return !abandoned && scheduler.now() < latest && waiting.compareAndSet(Waiting.YES, Waiting.OVER);
        }

        @Override
        void call() {
            observe(() -> observer.sending(items));
            transport.send(items, this);
        }

        @Override
        Reply answerFor(Throwable thrown) {
            return new Reply.TransportFailed(thrown, Failures.of(thrown), false, 0);
        }

        @Override
        void settle(Reply reply) {
            // If the run was cut off while the request was under way, its items have ended.
            if (inFlight.contains(this)) {
                Run.this.settle(this, reply == null ? answerFor(new NullPointerException("the reply is null")) : reply);
            }
        }
    }

    // ---- Replies

    private void settle(Sending sending, Reply reply) {
        Settlement settlement = new Settlement(sending);
        if (reply instanceof Reply.Verdicts r) {
            settlement.each(
                    r.verdicts().size() == sending.items.size()
                            ? r.verdicts()
                            : Failures.miscounted(
                                    sending.items.size(), r.verdicts().size()),
                    r.hintMillis());
        } else if (reply instanceof Reply.Throttled r) {
            settlement.all(Verdict.residue(r.failure()), r.hintMillis());
        } else if (reply instanceof Reply.TooLarge r) {
            settlement.halveOr(Verdict.tooLarge(r.failure()));
        } else if (reply instanceof Reply.Terminal r) {
            settlement.all(Verdict.terminal(r.failure()), 0);
        } else if (reply instanceof Reply.Rejected r) {
            settleRejected(settlement, r);
        } else if (reply instanceof Reply.Refused r) {
            settlement.leavePending(true, r.failure());
            fail(r.cause());
        } else if (reply instanceof Reply.TransportFailed r) {
            if (options.retryTransportFailures()) {
                settlement.all(
                        r.nothingLanded() ? Verdict.residue(r.failure()) : Verdict.unknown(r.failure()),
                        r.hintMillis());
            } else {
                settlement.leavePending(r.nothingLanded(), r.failure());
                fail(r.cause());
            }
        }
        settlement.conclude();
    }

    private void settleRejected(Settlement settlement, Reply.Rejected rejected) {
        List<Item> items = settlement.sending.items;
        if (rejected.nothingLanded()) {
            if (options.isolateRejected()) {
                settlement.halveOr(Verdict.terminal(rejected.failure()));
            } else {
                settlement.all(Verdict.terminal(rejected.failure()), 0);
            }
        } else if (options.isolateRejected() && mayResendUnknown(items)) {
            items.forEach(item -> item.maybeLanded = true);
            settlement.halveOr(Verdict.terminal(rejected.failure()));
        } else {
            settlement.all(Verdict.unknown(rejected.failure()), 0);
        }
    }

    private boolean mayResendUnknown(List<Item> items) {
        try {
            return items.stream().allMatch(this::mayResendUnknown);
        } catch (RuntimeException | Error e) {
            return false; // The item that cannot say is asked again when it gets its verdict, and then fails the run.
        }
    }

    private boolean mayResendUnknown(Item item) {
        return switch (options.unknownOutcome()) {
            case AUTO -> item.content.safeToResend();
            case RETRY -> true;
            case GIVE_UP -> false;
        };
    }

    /** What one reply does to the items of its request. */
    private final class Settlement {

        final Sending sending;
        private final long now = scheduler.nowRoundedUp();
        private double draw = NEVER;
        private List<Wait> begun = List.of();
        private long landedHere;
        private long terminalHere;
        private long unknownHere;
        private Failure firstFailure;

        Settlement(Sending sending) {
            this.sending = sending;
            inFlight.remove(sending);
            if (inFlight.isEmpty()) {
                idleSince = now;
            }
            requests++;
            for (Item item : sending.items) {
                rounds = Math.max(rounds, item.attempts);
            }
        }

        void all(Verdict verdict, long hintMillis) {
            each(Collections.nCopies(sending.items.size(), verdict), hintMillis);
        }

        void each(List<Verdict> verdicts, long hintMillis) {
            List<Item> items = sending.items;
            boolean culprit = false;
            int accepted = 0;
            for (int i = 0; i < items.size(); i++) {
                switch (verdictOn(items.get(i), verdicts.get(i))) {
                    case LANDED -> accepted++;
                    case TERMINAL, TOO_LARGE -> culprit = true;
                    default -> {}
                }
                // A duplicate bars the others, be it our own or not.
                culprit |= verdicts.get(i).kind() == Verdict.Kind.ALREADY;
            }
            boolean stalled = accepted == 0;
            List<Item> atOnce = new ArrayList<>(0);
            for (int i = 0; i < items.size(); i++) {
                Item item = items.get(i);
                Verdict verdict = verdicts.get(i);
                note(item, verdict.failure());
                try {
                    switch (verdictOn(item, verdict)) {
                        case LANDED -> {
                            landedHere++;
                            land(item, verdict.result());
                        }
                        case TERMINAL -> {
                            terminalHere++;
                            terminate(item, Reason.REJECTED);
                        }
                        case TOO_LARGE -> {
                            terminalHere++;
                            terminate(item, Reason.TOO_LARGE);
                        }
                        case UNKNOWN -> {
                            unknownHere++;
                            item.maybeLanded = true;
                            if (mayResendUnknown(item)) {
                                redeliver(item, stalled, hintMillis);
                            } else {
                                giveUp(item, Reason.UNKNOWN_OUTCOME);
                            }
                        }
                        case VICTIM -> {
                            if (culprit) {
                                atOnce.add(item);
                            } else {
                                redeliver(item, stalled, hintMillis);
                            }
                        }
                        case NOT_REACHED -> {
                            if (stalled) {
                                redeliver(item, stalled, hintMillis);
                            } else {
                                atOnce.add(item);
                            }
                        }
                        default -> redeliver(item, stalled, hintMillis);
                    }
                } catch (RuntimeException | Error e) {
                    residue.addDue(item); // A back-off or content that throws must not lose the item.
                    fail(e);
                }
            }
            if (!atOnce.isEmpty()) {
                urgent.push(atOnce);
            }
            holdBackFresh();
        }

        /** ALREADY is read for what it means here: landed after an unknown attempt, else terminal. */
        private Verdict.Kind verdictOn(Item item, Verdict verdict) {
            if (verdict.kind() != Verdict.Kind.ALREADY) {
                return verdict.kind();
            }
            return item.maybeLanded ? Verdict.Kind.LANDED : Verdict.Kind.TERMINAL;
        }

        private void note(Item item, Failure said) {
            if (said != null) {
                item.failure = said;
                if (firstFailure == null) {
                    firstFailure = said;
                }
            }
        }

        /** Sends both halves at once, the earlier first; for a lone item there is the verdict. */
        void halveOr(Verdict onSingle) {
            List<Item> items = sending.items;
            if (items.size() == 1) {
                all(onSingle, 0);
                return;
            }
            items.forEach(item -> note(item, onSingle.failure()));
            int middle = (items.size() + 1) / 2;
            urgent.push(items.subList(middle, items.size()));
            urgent.push(items.subList(0, middle));
        }

        void leavePending(boolean nothingLanded, Failure said) {
            for (Item item : sending.items) {
                note(item, said);
                if (!nothingLanded) {
                    unknownHere++;
                    item.maybeLanded = true;
                }
                residue.addDue(item);
            }
        }

        private void redeliver(Item item, boolean stalled, long hintMillis) {
            if (stalled) {
                item.stalledRounds++;
            }
            if (isExhausted(item)) {
                giveUp(item, Reason.REDELIVERIES_EXHAUSTED);
                return;
            }
            int redelivery = options.countOnlyStalledRounds() ? Math.max(1, item.stalledRounds) : item.redeliveries + 1;
            if (draw == NEVER) {
                draw = random.getAsDouble();
            }
            long previous = item.wait == null ? 0 : item.wait.backOffMillis;
            long backOff = options.backOff().delayMillis(redelivery, previous, draw);
            long dueAt = now + Math.min(LONGEST_WAIT, Math.max(0, Math.max(backOff, hintMillis)));
            if (dueAt >= deadlineAt) {
                giveUp(item, Reason.TIMEOUT);
                return;
            }
            item.detach();
            item.redeliveries++;
            item.wait = waitUntil(dueAt, backOff);
            item.wait.items.add(item);
        }

        private boolean isExhausted(Item item) {
            int maximum = options.maximumRedeliveries();
            if (maximum < 0) {
                return false;
            }
            return options.countOnlyStalledRounds()
                    ? item.stalledRounds > maximum || item.redeliveries >= 4L * maximum
                    : item.redeliveries >= maximum;
        }

        private Wait waitUntil(long dueAt, long backOff) {
            for (Wait wait : begun) {
                if (wait.dueAt == dueAt && wait.backOffMillis == backOff) {
                    return wait;
                }
            }
            Wait wait = new Wait(now, dueAt, backOff);
            if (begun.isEmpty()) {
                begun = new ArrayList<>(1);
            }
            begun.add(wait);
            return wait;
        }

        /** A target that took fewer than half gets nothing new before the earliest of this residue is due. */
        private void holdBackFresh() {
            begun.forEach(residue::add);
            if (!begun.isEmpty() && landedHere * 2 < sending.items.size() && tellsOfCapacity()) {
                holdFreshUntil = Math.max(holdFreshUntil, earliestDue());
            }
        }

        /**
         * A few items that come back again and again, such as writes to a hot key, tell nothing of the capacity that others
         * find: a request of residue counts from a fifth of a batch on.
         */
        private boolean tellsOfCapacity() {
            boolean isFresh = sending.items.get(0).attempts == 1;
            return isFresh || sending.items.size() * 5L >= options.batchSize();
        }

        private long earliestDue() {
            return begun.stream().mapToLong(wait -> wait.dueAt).min().orElse(now);
        }

        void conclude() {
            Round round = roundOf(sending, landedHere, terminalHere, unknownHere);
            timeline.add(round);
            if (observer != Observer.NONE) {
                long nextWait = begun.isEmpty() ? NEVER : earliestDue() - now;
                actions.add(() -> observe(() -> observer.settled(sending.items, round, firstFailure, nextWait)));
            }
        }
    }

    private Round roundOf(Sending sending, long landedHere, long terminalHere, long unknownHere) {
        long items = sending.items.size();
        return new Round(
                1,
                sending.plannedAt - firstRequestAt,
                sending.idleBefore,
                items,
                landedHere,
                terminalHere,
                items - landedHere - terminalHere - unknownHere,
                unknownHere);
    }

    // ---- Ends of an item

    private void land(Item item, Object result) {
        landed++;
        releaseKey(item);
        if (options.retainEnded()) {
            landedItems.add(item.index, item.attempts, item.content, result);
        }
        if (landedIsSeen) {
            tell(LandedItems.line(item.index, item.attempts, item.content, result));
        }
        if (isForgotten(item)) {
            item.discard();
        }
    }

    /** Whether nobody can come back to an item that landed: a request that was given up may still be under way. */
    private boolean isForgotten(Item item) {
        return item.attempts == 1 && !item.isListed && !options.retainEnded() && !landedIsSeen;
    }

    private void terminate(Item item, Reason reason) {
        item.detach();
        terminal++;
        releaseKey(item);
        bury(line(item, Outcome.TERMINAL, reason));
    }

    private void giveUp(Item item, Reason reason) {
        item.detach();
        givenUp++;
        releaseKey(item);
        bury(line(item, Outcome.GIVEN_UP, item.maybeLanded ? Reason.UNKNOWN_OUTCOME : reason));
    }

    private void bury(LedgerItem item) {
        tell(item);
        if (isTaken(item.outcome())) {
            undelivered.add(item);
        } else {
            keepDead(item);
        }
    }

    /** The line of an item that has not landed. */
    private static LedgerItem line(Item item, Outcome outcome, Reason reason) {
        return new LedgerItem(
                item.index,
                item.content,
                outcome,
                item.attempts,
                reason,
                item.failure,
                item.maybeLanded,
                Delivery.NONE);
    }

    private void tell(LedgerItem item) {
        if (observer != Observer.NONE) {
            actions.add(() -> observe(() -> observer.ended(item)));
        }
    }

    private static Runnable observe(Runnable look) {
        try {
            look.run();
        } catch (RuntimeException | Error e) {
            // An observer is a guest: the run goes on as if it had seen nothing.
        }
        return null;
    }

    // ---- Dead letters

    private boolean isTaken(Outcome outcome) {
        return outcome == Outcome.TERMINAL ? terminalIsTaken : givenUpIsTaken;
    }

    /** How many dead letters hold up reading. Those that are delivered together at the end hold up nothing. */
    private int deadLettersNotTaken() {
        return options.groupDeadLetters() ? 0 : undelivered.size() + (delivering == null ? 0 : 1);
    }

    private void deliverNext() {
        if (delivering != null || undelivered.isEmpty() || options.groupDeadLetters() && !isOver()) {
            return;
        }
        delivering = new Delivering(options.groupDeadLetters() ? takeGroup() : List.of(undelivered.remove()));
        actions.add(delivering);
    }

    private List<LedgerItem> takeGroup() {
        Outcome outcome = undelivered.element().outcome();
        List<LedgerItem> group =
                undelivered.stream().filter(item -> item.outcome() == outcome).toList();
        undelivered.removeIf(item -> item.outcome() == outcome);
        return group;
    }

    /** One delivery under way; the answer is null or what went wrong. */
    private final class Delivering extends Call<Throwable> {

        private final List<LedgerItem> items;

        Delivering(List<LedgerItem> items) {
            this.items = items;
        }

        @Override
        void call() {
            deadLetters.deliver(items, this);
        }

        @Override
        Throwable answerFor(Throwable thrown) {
            return thrown;
        }

        @Override
        void settle(Throwable error) {
            if (delivering != this) {
                return; // The run was stopped and did not wait for it.
            }
            delivering = null;
            if (error != null) {
                if (deadLetterFailure == null) {
                    deadLetterFailure = error;
                }
                items.forEach(item -> keepDead(item.with(Delivery.FAILED)));
            } else if (options.retainEnded()) {
                items.forEach(item -> keepDead(item.with(Delivery.DELIVERED)));
            }
        }
    }

    private void keepDead(LedgerItem item) {
        (item.outcome() == Outcome.TERMINAL ? terminalItems : givenUpItems).add(item);
    }

    // ---- The end

    /** Gives up everything that has not ended. */
    private void cutOff(Reason reason) {
        if (cutOff != null) {
            return;
        }
        cutOff = reason;
        if (reading != null) {
            reading.close();
            admit(reading);
        }
        stopReading();
        List<Item> rest = new ArrayList<>();
        abandonInFlightTo(rest);
        removeAllTo(rest);
        rest.forEach(item -> giveUp(item, reason));
    }

    /** A run that has failed waits for requests beside the one that failed, but not past the deadline. */
    private void leaveInFlightPending() {
        List<Item> rest = new ArrayList<>();
        abandonInFlightTo(rest);
        rest.forEach(this::place);
        if (reading != null) {
            reading.close();
            admit(reading);
        }
    }

    /** What has gone out may have landed; nobody waits for the reply any more. */
    private void abandonInFlightTo(List<Item> rest) {
        for (Sending sending : inFlight) {
            if (!sending.withdraw()) {
                sending.abandon();
                requests++;
                timeline.add(roundOf(sending, 0, 0, sending.items.size()));
                for (Item item : sending.items) {
                    item.maybeLanded = true;
                    rounds = Math.max(rounds, item.attempts);
                }
            }
            rest.addAll(sending.items);
        }
        inFlight.clear();
    }

    /** Empties every place where an item is that has not ended and is not in flight; sorts by index. */
    private void removeAllTo(List<Item> rest) {
        urgent.forEach(rest::addAll);
        urgent.clear();
        residue.removeAllTo(rest);
        fresh.removeAllTo(rest);
        freshBytes = 0;
        keys.removeAllTo(rest);
        rest.sort(Item.BY_INDEX);
    }

    private boolean isFinished() {
        return isOver() && undelivered.isEmpty() && delivering == null;
    }

    /** Whether nothing is sent or read any more and nothing is in flight. */
    private boolean isOver() {
        return inFlight.isEmpty() && reading == null && (failure != null || cutOff != null || nothingLeft());
    }

    private boolean nothingLeft() {
        return urgent.isEmpty()
                && residue.size() == 0
                && fresh.isEmpty()
                && keys.held() == 0
                && (exhausted || readingStopped);
    }

    private void end() {
        ended = true;
        if (wakeUp != null) {
            wakeUp.cancel();
        }
        List<Item> rest = new ArrayList<>();
        removeAllTo(rest);
        RunEnd result = new RunEnd(ledger(rest), state(rest), failure, inputFailure, deadLetterFailure, cutOff);
        actions.add(() -> {
            onEnd.accept(result);
            return null;
        });
    }

    private Ledger ledger(List<Item> rest) {
        return new Ledger(
                nextIndex,
                landed,
                terminal,
                givenUp,
                rest.size(),
                exhausted,
                rounds,
                requests,
                waitedMillis,
                firstRequestAt == NEVER ? 0 : scheduler.now() - firstRequestAt,
                landedItems.lines(),
                terminalItems,
                givenUpItems,
                rest.stream().map(item -> line(item, Outcome.PENDING, null)).toList(),
                timeline.rounds());
    }

    private void arrangeWakeUp(long now) {
        long at = nextMoment(now);
        if (at == wakeUpAt) {
            return;
        }
        if (wakeUp != null) {
            wakeUp.cancel();
            wakeUp = null;
        }
        wakeUpAt = Long.MAX_VALUE;
        if (at != Long.MAX_VALUE) {
            wakeUp = scheduler.schedule(() -> happened(() -> wokenUp(at)), at - now);
            wakeUpAt = at;
        }
    }

    private void wokenUp(long at) {
        if (wakeUpAt == at) {
            wakeUp = null;
            wakeUpAt = Long.MAX_VALUE;
        }
    }

    /** When time alone allows something new. */
    private long nextMoment(long now) {
        if (cutOff != null) {
            return Long.MAX_VALUE;
        }
        if (failure != null) {
            return inFlight.isEmpty() && reading == null ? Long.MAX_VALUE : Math.max(deadlineAt, now);
        }
        if (inFlight.size() >= options.parallelRequests()) {
            return deadlineAt;
        }
        long at = residue.nextMoment();
        if (holdFreshUntil > now && (!fresh.isEmpty() || mayRead())) {
            at = Math.min(at, holdFreshUntil);
        }
        if (isPlanned() && at <= now) {
            at = Long.MAX_VALUE; // The planned request goes first, and what is due now follows it without a timer.
        }
        return Math.max(Math.min(at, deadlineAt), now);
    }

    // ---- State, out and in

    private RunState state(List<Item> rest) {
        List<LedgerItem> dead = new ArrayList<>(terminalItems);
        dead.addAll(givenUpItems);
        return new RunState(
                rest.stream().map(Run::stateOf).toList(),
                landedItems.lines(),
                dead,
                nextIndex,
                landed,
                terminal,
                givenUp,
                exhausted,
                inputFailure,
                firstRequestAt,
                holdFreshUntil,
                rounds,
                requests,
                waitedMillis,
                timeline.rounds());
    }

    private static ItemState stateOf(Item item) {
        Wait wait = item.wait;
        return new ItemState(
                item.index,
                item.content,
                item.attempts,
                item.redeliveries,
                item.stalledRounds,
                item.maybeLanded,
                item.failure,
                wait == null ? 0 : wait.knownAt,
                wait == null ? 0 : wait.dueAt,
                wait == null ? 0 : wait.backOffMillis);
    }

    private void restore() {
        nextIndex = resumed.nextIndex();
        landed = resumed.landed();
        terminal = resumed.terminal();
        givenUp = resumed.givenUp();
        exhausted = resumed.inputExhausted();
        inputFailure = resumed.inputFailure();
        readingStopped = inputFailure != null;
        firstRequestAt = resumed.firstRequestAt();
        holdFreshUntil = resumed.holdFreshUntil();
        rounds = resumed.rounds();
        requests = resumed.requests();
        waitedMillis = resumed.waitedMillis();
        if (firstRequestAt != NEVER) {
            setDeadline();
        }
        List<Item> open = new ArrayList<>();
        resumed.pending().forEach(state -> open.add(itemOf(state)));
        for (LedgerItem dead : resumed.deadItems()) {
            if (dead.outcome() == Outcome.GIVEN_UP && dead.delivery() == Delivery.NONE) {
                givenUp--;
                open.add(revived(dead));
            } else if (dead.delivery() == Delivery.FAILED && isTaken(dead.outcome())) {
                undelivered.add(dead);
            } else {
                keepDead(dead);
            }
        }
        open.sort(Item.BY_INDEX);
        for (Item item : open) {
            try {
                if (item.maybeLanded && !mayResendUnknown(item)) {
                    giveUp(item, Reason.UNKNOWN_OUTCOME);
                } else if (!isRefused(item) && keys.claim(item)) {
                    place(item);
                }
            } catch (RuntimeException | Error e) {
                residue.addDue(item); // A content that throws must not lose the item.
                fail(e);
            }
        }
    }

    private Item itemOf(ItemState state) {
        Item item = restored(state.index(), state.content());
        item.attempts = state.attempts();
        item.redeliveries = state.redeliveries();
        item.stalledRounds = state.stalledRounds();
        item.maybeLanded = state.maybeLanded();
        item.failure = state.failure();
        if (state.redeliveries() > 0) {
            item.wait = new Wait(state.knownAt(), state.dueAt(), state.backOffMillis());
            item.wait.items.add(item);
        }
        return item;
    }

    /** A given-up item that nobody took: the wish to try again gives it a fresh budget. */
    private Item revived(LedgerItem dead) {
        Item item = restored(dead.index(), dead.content());
        item.attempts = dead.attempts();
        item.maybeLanded = dead.maybeLanded();
        item.failure = dead.failure();
        return item;
    }

    private Item restored(long index, Content content) {
        Item item;
        try {
            item = new Item(index, content);
        } catch (RuntimeException | Error e) {
            fail(e);
            item = Item.misfit(index, content);
        }
        item.isListed = true;
        return item;
    }
}
