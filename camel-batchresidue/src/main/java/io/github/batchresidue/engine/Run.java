/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import io.github.batchresidue.engine.LedgerItem.Delivery;
import io.github.batchresidue.engine.RunState.ItemState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * One run: takes items from a source to the delegate and on to the ledger.
 *
 * <p><b>The life of an item.</b> It is read from the source when a request has room for it ({@link Reading}), and is
 * <em>fresh</em>. If an earlier item of its key has not ended, it is <em>held</em> first, and fresh when that one ends. It
 * goes out in a request of fresh items ({@link Sending}). The reply gives it a verdict ({@link Settlement}): it ends
 * (landed, terminal, given up), or it <em>waits</em> with the other residue of that reply until it is <em>due</em>, or it
 * is <em>urgent</em>: half of a refused request, the victim of a named culprit, or left out of a full reply. Urgent items
 * go before due ones and due ones before fresh ones ({@link #nextRequest}). An item that ended without landing goes to the
 * dead letters, one at a time ({@link DeadLetterQueue}), and then stands in the ledger. When the run fails first, whatever
 * has not ended is pending, and {@link RunState} takes it to the run that goes on.
 *
 * <p><b>Invariant.</b> Between two steps every item that was read is in exactly one of: held, fresh, waiting or due, urgent
 * ({@link OpenItems}), in flight ({@link Requests}), ended ({@link EndedItems}). The ledger is the sum of these places.
 *
 * <p><b>Threads.</b> {@link Steps} applies events one at a time, so the state needs no lock, and calls the outside when the
 * state has been let go.
 *
 * <p><b>What is thrown.</b> Items, rules, transports and all others that are called may throw whatever they like, also
 * checked exceptions that they have not declared, as in languages other than Java. No item is lost by it, none that has
 * ended begins anew, and the run ends.
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

    final RunOptions options;
    final Steps steps = new Steps(this::apply, this::advanceOrFail);
    final OpenItems open;
    final Requests requests;
    private final Input input;
    private final EndedItems ended;
    private final DeadLetterQueue deadLetters;
    private final WakeUp wakeUp;

    private final Transport transport;
    private final Scheduler scheduler;
    private final DoubleSupplier random;
    private final Observer observer;
    private final boolean landedIsSeen;
    private final RunState resumed;
    private final Consumer<RunEnd> onEnd;

    // How far the run is; touched only while stepping.
    private boolean restored;
    private long holdFreshUntil;
    private Throwable failure;
    private Reason cutOff;
    private boolean isAtEnd;

    /**
     * @param state {@link RunState#NEW}, or the state at the end of the run to go on with
     * @param onEnd called exactly once, when the run has ended, from whichever thread brought the last event
     */
    public Run(RunOptions options, Collaborators collaborators, RunState state, Consumer<RunEnd> onEnd) {
        this.options = options;
        this.transport = collaborators.transport();
        this.scheduler = collaborators.scheduler();
        this.random = collaborators.random();
        this.observer = collaborators.observer();
        this.landedIsSeen = observer.seesLanded();
        this.resumed = state;
        this.onEnd = onEnd;
        this.open = new OpenItems(options, scheduler);
        this.requests = new Requests(options, state);
        this.input = new Input(collaborators.source(), state);
        this.ended = new EndedItems(state);
        this.deadLetters = new DeadLetterQueue(collaborators.deadLetters(), options, steps, ended);
        this.wakeUp = new WakeUp(scheduler, steps);
        this.holdFreshUntil = state.holdFreshUntil();
    }

    /** Begins; to be called once. Returns when there is nothing more to do for the moment, or at all. */
    public void start() {
        steps.happened(() -> {});
    }

    /**
     * Ends the run: no request starts any more, every item that has not ended is given up, and what is in flight counts
     * as unknown. Dead letters are still delivered. May be called at any time, also before the start, and more than
     * once; never blocks on a request or a source that is under way.
     */
    public void stop() {
        steps.happened(() -> cutOff(Reason.SHUTDOWN));
    }

    /** Like {@link #stop()}, and ends at once: what has not been taken as a dead letter stays in the ledger. */
    public void stopNow() {
        steps.happened(() -> {
            cutOff(Reason.SHUTDOWN);
            deadLetters.giveUp();
        });
    }

    // ---- Going on

    private void apply(Runnable event) {
        if (isAtEnd) {
            return;
        }
        try {
            if (!restored) {
                restored = true;
                restore();
            }
            event.run();
        } catch (Throwable e) {
            fail(e);
        }
    }

    private void advanceOrFail() {
        if (isAtEnd) {
            return;
        }
        try {
            advance();
        } catch (Throwable e) {
            fail(e);
            advanceFailed();
        }
    }

    /** A failed run calls nobody but its dead letters. If the scheduler fails again, it ends by its last reply. */
    private void advanceFailed() {
        try {
            advance();
        } catch (Throwable e) {
            if (e != failure) {
                failure.addSuppressed(e);
            }
        }
    }

    void fail(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
        input.stop();
    }

    /** Does what the state allows now, and arranges to be woken when time allows more. */
    private void advance() {
        if (isPast(requests.deadlineAt())) {
            if (failure == null) {
                timeOut();
            } else {
                leaveInFlightPending();
            }
        }
        if (failure != null) {
            requests.takeBackTo(open::place);
        }
        if (maySend()) {
            List<Item> items = nextRequest(scheduler.now());
            if (!items.isEmpty()) {
                steps.plan(requests.plan(this, items, scheduler.now()));
            }
        }
        deadLetters.deliverNext(isOver());
        readOn();
        if (isFinished()) {
            end();
        } else {
            long now = scheduler.now();
            wakeUp.set(nextMoment(now), now);
        }
    }

    boolean isPast(long moment) {
        return scheduler.now() >= moment;
    }

    // ---- Sending

    /** One request after the other: what a reply that comes during the call says holds for the next one. */
    private boolean maySend() {
        return failure == null
                && cutOff == null
                && !requests.isPlanned()
                && requests.inFlight() < options.parallelRequests();
    }

    /** The items to send next; empty if nothing may be sent now. */
    private List<Item> nextRequest(long now) {
        List<Item> urgent = open.takeUrgent();
        if (urgent != null) {
            return urgent;
        }
        open.residue().promote(now);
        while (failure == null && open.residue().isReady(now)) {
            List<Item> items = stillSafe(open.residue().take());
            if (!items.isEmpty()) {
                return items;
            }
        }
        return failure == null && maySendFresh(now) && isFreshComplete()
                ? open.fresh().take()
                : List.of();
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
            } catch (Throwable e) {
                safe.add(item); // A content that throws must not lose the item.
                fail(e);
            }
        }
        if (failure == null) {
            return safe;
        }
        safe.forEach(open.residue()::addDue);
        return List.of();
    }

    private boolean maySendFresh(long now) {
        return now >= holdFreshUntil
                && (options.maxPendingResidue() > 0 || open.residue().size() + deadLetters.pending() == 0);
    }

    /** A request of fresh items has all it can get for now. */
    private boolean isFreshComplete() {
        return open.fresh().isFull() || !input.isBeingRead() && !mayRead();
    }

    /** No fresh request before this time. */
    void holdFreshUntil(long time) {
        holdFreshUntil = Math.max(holdFreshUntil, time);
    }

    void send(Sending sending) {
        observe(() -> observer.sending(sending.items));
        transport.send(sending.items, sending);
    }

    // ---- Reading

    private void readOn() {
        if (!input.isBeingRead()
                && maySend()
                && maySendFresh(scheduler.now())
                && !open.fresh().isFull()
                && mayRead()) {
            // Each item that is read may have to be held.
            int most = Math.min(open.fresh().itemsLeft(), Math.max(1, options.maxPendingResidue() - pendingResidue()));
            // Where no item has room, each is read all the same, and refused.
            steps.plan(new ReadOn(input.begin(most, Math.max(0, open.fresh().bytesLeft()))));
        }
    }

    private boolean mayRead() {
        int pending = pendingResidue();
        return !input.isOver() && (pending < options.maxPendingResidue() || pending == 0);
    }

    private int pendingResidue() {
        return open.pending() + deadLetters.pending();
    }

    private final class ReadOn extends Call<Reading> {

        private final Reading reading;

        ReadOn(Reading reading) {
            super(steps);
            this.reading = reading;
        }

        @Override
        public boolean comesLast() {
            return true;
        }

        @Override
        void call() {
            scheduler.read(() -> {
                reading.perform();
                accept(reading);
            });
        }

        @Override
        Reading answerFor(Throwable thrown) {
            return reading;
        }

        @Override
        void settle(Reading done) {
            admit(done);
        }
    }

    private void admit(Reading done) {
        if (!input.end(done)) {
            return;
        }
        done.items().forEach(this::admit);
        if (done.misfit() != null) {
            fail(done.misfit());
        }
        if (done.problem() != null && !(done.problem() instanceof Exception)) {
            fail(done.problem());
        }
    }

    private void admit(Item item) {
        try {
            if (!isRefused(item)) {
                open.add(item);
            }
        } catch (Throwable e) {
            open.fresh().add(item); // A content or key that throws must not lose the item.
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

    // ---- Replies

    void settle(Sending sending, Reply reply) {
        if (!requests.isInFlight(sending)) {
            return; // The run was cut off while the request was under way, and its items have ended.
        }
        if (reply instanceof Reply.Refused refused && requests.takeBack(sending)) {
            refuseUnsent(sending.items, refused);
            return;
        }
        long now = scheduler.nowRoundedUp();
        requests.answered(sending, now);
        Settlement settlement = new Settlement(this, sending, now);
        settlement.settle(reply);
        Round round = requests.conclude(sending, settlement.landed(), settlement.terminal(), settlement.unknown());
        if (observer != Observer.NONE) {
            Failure said = settlement.firstFailure();
            long nextWait = settlement.nextWaitMillis();
            steps.plan(() -> observe(() -> observer.settled(sending.items, round, said, nextWait)));
        }
    }

    /** The items could not even be written, or what their request waited for has failed. */
    private void refuseUnsent(List<Item> items, Reply.Refused refused) {
        for (Item item : items) {
            if (refused.failure() != null) {
                item.failure = refused.failure();
            }
            open.place(item);
        }
        fail(refused.cause());
    }

    boolean mayResendUnknown(List<Item> items) {
        try {
            return items.stream().allMatch(this::mayResendUnknown);
        } catch (Throwable e) {
            return false; // The item that cannot say is asked again when it gets its verdict, and then fails the run.
        }
    }

    boolean mayResendUnknown(Item item) {
        return switch (options.unknownOutcome()) {
            case AUTO -> item.content.safeToResend();
            case RETRY -> true;
            case GIVE_UP -> false;
        };
    }

    /** A random number in [0, 1) for the waits of one round. */
    double draw() {
        return random.getAsDouble();
    }

    // ---- Ends of an item

    void land(Item item, Object result) {
        ended.countLanded();
        open.release(item);
        if (options.retainEnded()) {
            ended.listLanded(item, result);
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

    void terminate(Item item, Reason reason) {
        bury(item, Outcome.TERMINAL, reason);
    }

    void giveUp(Item item, Reason reason) {
        bury(item, Outcome.GIVEN_UP, item.maybeLanded ? Reason.UNKNOWN_OUTCOME : reason);
    }

    private void bury(Item item, Outcome outcome, Reason reason) {
        item.detach();
        ended.countDead(outcome);
        open.release(item);
        LedgerItem line = line(item, outcome, reason);
        tell(line);
        deadLetters.add(line);
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
            steps.plan(() -> observe(() -> observer.ended(item)));
        }
    }

    private static Runnable observe(Runnable look) {
        try {
            look.run();
        } catch (Throwable e) {
            // An observer is a guest: the run goes on as if it had seen nothing.
        }
        return null;
    }

    // ---- The end

    void timeOut() {
        cutOff(Reason.TIMEOUT);
    }

    /** Gives up everything that has not ended. */
    private void cutOff(Reason reason) {
        if (cutOff != null) {
            return;
        }
        cutOff = reason;
        input.cutShort(this::admit);
        input.stop();
        List<Item> rest = new ArrayList<>();
        requests.abandonTo(rest, reason);
        open.removeAllTo(rest);
        rest.sort(Item.BY_INDEX);
        rest.forEach(item -> giveUp(item, reason));
    }

    /** A run that has failed waits for requests beside the one that failed, but not past the deadline. */
    private void leaveInFlightPending() {
        List<Item> rest = new ArrayList<>();
        requests.abandonTo(rest, Reason.TIMEOUT);
        rest.forEach(open::place);
        input.cutShort(this::admit);
    }

    private boolean isFinished() {
        return isOver() && deadLetters.isEmpty();
    }

    /** Whether nothing is sent or read any more and nothing is in flight. */
    private boolean isOver() {
        return requests.inFlight() == 0
                && !input.isBeingRead()
                && (failure != null || cutOff != null || open.isEmpty() && input.isOver());
    }

    private void end() {
        isAtEnd = true;
        wakeUp.cancel();
        List<Item> rest = new ArrayList<>();
        open.removeAllTo(rest);
        rest.sort(Item.BY_INDEX);
        RunEnd result = new RunEnd(ledger(rest), state(rest), failure, input.failure(), deadLetters.failure(), cutOff);
        steps.plan(() -> {
            onEnd.accept(result);
            return null;
        });
    }

    private Ledger ledger(List<Item> rest) {
        return new Ledger(
                input.items(),
                ended.landed(),
                ended.terminal(),
                ended.givenUp(),
                rest.size(),
                input.isExhausted(),
                requests.rounds(),
                requests.over(),
                requests.waitedMillis(),
                requests.elapsedMillis(scheduler.now()),
                ended.landedItems(),
                ended.terminalItems(),
                ended.givenUpItems(),
                rest.stream().map(item -> line(item, Outcome.PENDING, null)).toList(),
                requests.timeline());
    }

    /** When time alone allows something new. */
    private long nextMoment(long now) {
        if (cutOff != null) {
            return Long.MAX_VALUE;
        }
        long deadlineAt = requests.deadlineAt();
        if (failure != null) {
            return requests.inFlight() == 0 && !input.isBeingRead() ? Long.MAX_VALUE : Math.max(deadlineAt, now);
        }
        if (requests.inFlight() >= options.parallelRequests()) {
            return deadlineAt;
        }
        long at = open.residue().nextMoment();
        if (holdFreshUntil > now && (!open.fresh().isEmpty() || mayRead())) {
            at = Math.min(at, holdFreshUntil);
        }
        if (requests.isPlanned() && at <= now) {
            at = Long.MAX_VALUE; // The planned request goes first, and what is due now follows it without a timer.
        }
        return Math.max(Math.min(at, deadlineAt), now);
    }

    // ---- State, out and in

    private RunState state(List<Item> rest) {
        return new RunState(
                rest.stream().map(Item::state).toList(),
                ended.landedItems(),
                ended.deadItems(),
                input.items(),
                ended.landed(),
                ended.terminal(),
                ended.givenUp(),
                input.isExhausted(),
                input.failure(),
                requests.firstAt(),
                holdFreshUntil,
                requests.rounds(),
                requests.over(),
                requests.waitedMillis(),
                requests.timeline());
    }

    private void restore() {
        List<Item> pending = new ArrayList<>();
        resumed.pending().forEach(state -> pending.add(itemOf(state)));
        for (LedgerItem dead : resumed.deadItems()) {
            if (dead.outcome() == Outcome.GIVEN_UP && dead.delivery() == Delivery.NONE) {
                ended.revive();
                pending.add(revived(dead));
            } else if (dead.delivery() == Delivery.FAILED) {
                deadLetters.add(dead);
            } else {
                ended.listDead(dead);
            }
        }
        pending.sort(Item.BY_INDEX);
        for (Item item : pending) {
            try {
                if (item.maybeLanded && !mayResendUnknown(item)) {
                    giveUp(item, Reason.UNKNOWN_OUTCOME);
                } else if (!isRefused(item)) {
                    open.add(item);
                }
            } catch (Throwable e) {
                open.residue().addDue(item); // A content that throws must not lose the item.
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
        } catch (Throwable e) {
            fail(e);
            item = Item.misfit(index, content);
        }
        item.isListed = true;
        return item;
    }
}
