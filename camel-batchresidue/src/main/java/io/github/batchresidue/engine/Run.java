/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import io.github.batchresidue.engine.LedgerItem.Delivery;
import io.github.batchresidue.engine.RunState.ItemState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * One run: takes items from a source to the delegate and on to the ledger.
 *
 * <p><b>The life of an item.</b> It is read from the source when a request has room for it ({@link #nextFresh}). If an
 * earlier item of its key has not ended, it is <em>held</em> and comes back as <em>released</em> when that one ends. Else
 * it goes out in a request of fresh items ({@link #launch}). The reply gives it a verdict ({@link #settle}): it ends
 * (landed, terminal, given up), or it <em>waits</em> with the other residue of that reply until it is <em>due</em>, or it
 * is <em>urgent</em>: half of a refused request, or the victim of a named culprit. Urgent items go before due ones and
 * due ones before fresh ones ({@link #nextRequest}). An item that ended without landing goes to the dead letters, one at
 * a time, and then stands in the ledger. When the run fails first, whatever has not ended is pending, and
 * {@link RunState} takes it to the run that goes on.
 *
 * <p><b>Invariant.</b> Between two steps every item that was read is in exactly one of: held, released, read ahead,
 * waiting, due, urgent, in flight, ended. The ledger is the sum of these places.
 *
 * <p><b>Threads.</b> What happens from outside (a reply, a timer, a stop, a delivered dead letter) is an event. Events
 * are applied one at a time by whichever thread brings the first one ({@link #step}), so the state needs no lock and
 * bringing an event never blocks. Calls to the outside are collected as actions and performed after the state has been
 * let go ({@link #happened}): a transport that blocks, or answers during the call, holds up nobody else and never
 * deepens the stack.
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
    private static final Comparator<Item> BY_INDEX = Comparator.comparingLong(item -> item.index);
    private static final Comparator<Wait> BY_DUE_TIME =
            Comparator.<Wait>comparingLong(wait -> wait.dueAt).thenComparingLong(wait -> wait.items.get(0).index);
    /** In {@link #keys}: the key is taken and nobody is held for it. Never modified. */
    private static final Deque<Item> NOBODY = new ArrayDeque<>(1);

    private final RunOptions options;
    private final Source source;
    private final Transport transport;
    private final DeadLetters deadLetters;
    private final Scheduler scheduler;
    private final DoubleSupplier random;
    private final Observer observer;
    private final RunState resumed;
    private final Consumer<RunEnd> onEnd;

    // Events that wait to be applied, and how many the stepping thread has not yet seen.
    private final Queue<Runnable> events = new ConcurrentLinkedQueue<>();
    private final AtomicInteger unseen = new AtomicInteger();

    // Mutable state: touched only while stepping.

    private final List<Action> actions = new ArrayList<>();

    // Where items are that have not ended.
    private final PriorityQueue<Item> released = new PriorityQueue<>(BY_INDEX);
    private Item readAhead;
    private final Map<Object, Deque<Item>> keys = new HashMap<>();
    private int held;
    private final TreeSet<Wait> waits = new TreeSet<>(BY_DUE_TIME);
    private int waiting;
    private final PriorityQueue<Item> due = new PriorityQueue<>(BY_INDEX);
    private long dueBytes;
    private final Deque<List<Item>> urgent = new ArrayDeque<>();
    private final Set<Sending> inFlight = new LinkedHashSet<>();

    // What has ended.
    private long nextIndex;
    private long landed;
    private long terminal;
    private long givenUp;
    private final List<LedgerItem> landedItems;
    private final List<LedgerItem> terminalItems = new ArrayList<>();
    private final List<LedgerItem> givenUpItems = new ArrayList<>();
    private final Deque<LedgerItem> undelivered = new ArrayDeque<>();
    private List<LedgerItem> delivering;

    // How far the run is.
    private boolean exhausted;
    private boolean readingStopped;
    private Exception inputFailure;
    private Throwable failure;
    private Throwable deadLetterFailure;
    private boolean cutOff;
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
        this.scheduler = collaborators.scheduler();
        this.random = collaborators.random();
        this.observer = collaborators.observer();
        this.resumed = state;
        this.onEnd = onEnd;
        this.landedItems = new ArrayList<>(state.landedItems());
        this.timeline = new Timeline(state.timeline());
    }

    /** Begins; to be called once. Returns when there is nothing more to do for the moment, or at all. */
    public void start() {
        happened(this::restore);
    }

    /**
     * Ends the run: no request starts any more, every item that has not ended is given up, and what is in flight counts
     * as unknown. Dead letters are still delivered. May be called at any time and more than once; never blocks on a
     * request that is under way.
     */
    public void stop() {
        happened(() -> cutOff(Reason.SHUTDOWN));
    }

    /** Like {@link #stop()}, and ends at once: what has not been taken as a dead letter stays in the ledger. */
    public void stopNow() {
        happened(() -> {
            cutOff(Reason.SHUTDOWN);
            if (delivering != null) {
                delivering.forEach(item -> keepDead(item.with(Delivery.FAILED)));
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
            advance(); // A failed run calls nobody but its dead letters.
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
        exhausted = exhausted || readAhead == null && source.exhausted();
    }

    // ---- Going on

    /** Does what the state allows now, and arranges to be woken when time allows more. */
    private void advance() {
        if (scheduler.now() >= deadlineAt) {
            cutOff(Reason.TIMEOUT);
        }
        while (failure == null && !cutOff && inFlight.size() < options.parallelRequests()) {
            List<Item> items = nextRequest(scheduler.now());
            if (items.isEmpty()) {
                break;
            }
            launch(items, scheduler.now());
        }
        deliverNext();
        if (isFinished()) {
            end();
        } else {
            arrangeWakeUp(scheduler.now());
        }
    }

    /** The items to send next; empty if nothing may be sent now. */
    private List<Item> nextRequest(long now) {
        if (!urgent.isEmpty()) {
            return urgent.pop();
        }
        promoteDue(now);
        if (isFullRequestDue() || !due.isEmpty() && now >= lingerUntil()) {
            return takeDue();
        }
        return now >= holdFreshUntil ? takeFresh() : List.of();
    }

    // ---- Residue

    private void promoteDue(long now) {
        while (!waits.isEmpty() && waits.first().dueAt <= now) {
            Wait wait = waits.pollFirst();
            waiting -= wait.items.size();
            wait.items.forEach(this::addDue);
        }
    }

    private void addDue(Item item) {
        due.add(item);
        dueBytes += item.content.bytes();
    }

    private boolean isFullRequestDue() {
        return due.size() >= options.batchSize() || options.envelopeBytes() + dueBytes > options.batchBytes();
    }

    /**
     * Until when a request of residue smaller than a batch waits for company: for residue that was known when the
     * earliest of it fell due, and falls due within a tenth of that item's own wait. Residue that becomes known later
     * does not count, so the time is never extended.
     */
    private long lingerUntil() {
        Wait earliest = null;
        for (Item item : due) {
            if (item.wait == null) {
                return 0;
            }
            if (earliest == null || item.wait.dueAt < earliest.dueAt) {
                earliest = item.wait;
            }
        }
        long latest = earliest.dueAt + earliest.millis() / 10;
        long until = 0;
        for (Wait wait : waits) {
            if (wait.dueAt > latest) {
                break;
            }
            if (wait.knownAt <= earliest.dueAt) {
                until = wait.dueAt;
            }
        }
        return until;
    }

    private List<Item> takeDue() {
        List<Item> items = new ArrayList<>(Math.min(due.size(), options.batchSize()));
        long bytes = options.envelopeBytes();
        while (!due.isEmpty()
                && items.size() < options.batchSize()
                && bytes + due.peek().content.bytes() <= options.batchBytes()) {
            Item item = due.poll();
            dueBytes -= item.content.bytes();
            bytes += item.content.bytes();
            items.add(item);
        }
        return items;
    }

    // ---- Fresh items

    private List<Item> takeFresh() {
        if (options.maxPendingResidue() == 0 && waiting + due.size() + deadLettersNotTaken() > 0) {
            return List.of();
        }
        List<Item> items = new ArrayList<>();
        long bytes = options.envelopeBytes();
        while (items.size() < options.batchSize()) {
            Item item = nextFresh();
            if (item == null || bytes + item.content.bytes() > options.batchBytes()) {
                break;
            }
            if (item == readAhead) {
                readAhead = null;
            } else {
                released.remove();
            }
            bytes += item.content.bytes();
            items.add(item);
        }
        return items;
    }

    /** The next fresh item, not yet taken; null if there is none or the body may be read no further for now. */
    private Item nextFresh() {
        if (!released.isEmpty()) {
            return released.peek();
        }
        while (readAhead == null && mayRead()) {
            Item item = read();
            if (item != null && !isRefused(item) && claimKey(item)) {
                readAhead = item;
            }
        }
        return readAhead;
    }

    private boolean mayRead() {
        int pending = waiting + due.size() + held + deadLettersNotTaken();
        return !exhausted && !readingStopped && (pending < options.maxPendingResidue() || pending == 0);
    }

    /** Reads one item; null if there is none left or the source cannot be read any further. */
    private Item read() {
        try {
            Content content = source.next();
            if (content == null) {
                exhausted = true;
                return null;
            }
            Item item = new Item(nextIndex, content);
            nextIndex++;
            return item;
        } catch (Exception e) {
            inputFailure = e;
            readingStopped = true;
            return null;
        }
    }

    /** Ends an item that can never be accepted, before it is ever sent. */
    private boolean isRefused(Item item) {
        Refusal refusal = item.content.refusal();
        long bytes = options.envelopeBytes() + item.content.bytes();
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

    // ---- Keys

    /** Takes the item's key; false if it is taken, and the item is now held. */
    private boolean claimKey(Item item) {
        if (item.key == null) {
            return true;
        }
        Deque<Item> queue = keys.putIfAbsent(item.key, NOBODY);
        if (queue == null) {
            item.ownsKey = true;
            return true;
        }
        if (queue == NOBODY) {
            queue = new ArrayDeque<>(2);
            keys.put(item.key, queue);
        }
        queue.add(item);
        held++;
        return false;
    }

    /** Hands the key to the item that is held longest for it, if any. */
    private void releaseKey(Item item) {
        if (!item.ownsKey) {
            return;
        }
        item.ownsKey = false;
        Deque<Item> queue = keys.get(item.key);
        if (queue == null || queue.isEmpty()) {
            keys.remove(item.key);
            return;
        }
        Item next = queue.remove();
        next.ownsKey = true;
        held--;
        place(next);
    }

    // ---- Sending

    private void launch(List<Item> items, long now) {
        if (firstRequestAt == NEVER) {
            firstRequestAt = now;
            setDeadline();
        }
        long idle = inFlight.isEmpty() && idleSince != NEVER ? now - idleSince : 0;
        waitedMillis += idle;
        for (Item item : items) {
            item.attempts++;
        }
        Sending sending = new Sending(items, now, idle, deadlineAt);
        inFlight.add(sending);
        actions.add(sending);
    }

    private void setDeadline() {
        if (options.redeliveryTimeoutMillis() > 0) {
            deadlineAt = firstRequestAt + options.redeliveryTimeoutMillis();
        }
    }

    /** A request from the moment it is planned until its reply is settled or nobody waits for it any more. */
    private final class Sending implements Action, Consumer<Reply> {

        private enum Stage {
            PLANNED,
            SENT,
            WITHDRAWN
        }

        private static final Object CALLING = new Object();
        private static final Object RETURNED = new Object();

        final List<Item> items;
        final long plannedAt;
        final long idleBefore;
        private final long latest;
        // Race: the run may be cut off between planning a request and sending it; exactly one of the two wins.
        private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.PLANNED);
        // Race: the reply may come while the transport is being called; whoever is second goes on with it.
        private final AtomicReference<Object> reply = new AtomicReference<>(CALLING);

        Sending(List<Item> items, long plannedAt, long idleBefore, long latest) {
            this.items = items;
            this.plannedAt = plannedAt;
            this.idleBefore = idleBefore;
            this.latest = latest;
        }

        /** Takes it back; false if it has been sent already. */
        boolean withdraw() {
            return stage.compareAndSet(Stage.PLANNED, Stage.WITHDRAWN);
        }

        @Override
        public Runnable perform() {
            if (scheduler.now() >= latest) {
                return () -> cutOff(Reason.TIMEOUT);
            }
            if (!stage.compareAndSet(Stage.PLANNED, Stage.SENT)) {
                return null;
            }
            observe(() -> observer.sending(items));
            try {
                transport.send(items, this);
            } catch (RuntimeException | Error e) {
                accept(new Reply.TransportFailed(e, Failures.of(e), false, 0));
            }
            return reply.compareAndSet(CALLING, RETURNED) ? null : settling(reply.get());
        }

        @Override
        public void accept(Reply arrived) {
            if (!reply.compareAndSet(CALLING, arrived) && reply.compareAndSet(RETURNED, arrived)) {
                happened(settling(arrived));
            }
        }

        private Runnable settling(Object arrived) {
            return () -> settle(this, (Reply) arrived);
        }
    }

    // ---- Replies

    private void settle(Sending sending, Reply reply) {
        if (!inFlight.contains(sending)) {
            return; // The run was cut off while the request was under way: its items have ended.
        }
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
        } else if (options.isolateRejected() && items.stream().allMatch(this::mayResendUnknown)) {
            items.forEach(item -> item.maybeLanded = true);
            settlement.halveOr(Verdict.terminal(rejected.failure()));
        } else {
            settlement.all(Verdict.unknown(rejected.failure()), 0);
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
        private final long now = scheduler.now();
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
            }
            boolean stalled = accepted == 0;
            List<Item> victims = new ArrayList<>(0);
            for (int i = 0; i < items.size(); i++) {
                Item item = items.get(i);
                Verdict verdict = verdicts.get(i);
                note(item, verdict.failure());
                try {
                    switch (verdictOn(item, verdict)) {
                        case LANDED -> {
                            landedHere++;
                            land(item);
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
                                victims.add(item);
                            } else {
                                redeliver(item, stalled, hintMillis);
                            }
                        }
                        default -> redeliver(item, stalled, hintMillis);
                    }
                } catch (RuntimeException e) {
                    addDue(item); // A back-off or bulk API that throws must not lose the item.
                    fail(e);
                }
            }
            if (!victims.isEmpty()) {
                urgent.push(victims);
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
                addDue(item);
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
            long dueAt = now + Math.max(backOff, hintMillis);
            if (dueAt >= deadlineAt) {
                giveUp(item, Reason.TIMEOUT);
                return;
            }
            item.redeliveries++;
            item.wait = waitUntil(dueAt, backOff);
            item.wait.items.add(item);
            waiting++;
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
            waits.addAll(begun);
            if (!begun.isEmpty() && landedHere * 2 < sending.items.size()) {
                holdFreshUntil = Math.max(holdFreshUntil, earliestDue());
            }
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

    private void land(Item item) {
        landed++;
        releaseKey(item);
        LedgerItem line = null;
        if (options.retainEnded() || observer != Observer.NONE) {
            line = line(item, Outcome.LANDED, null);
            tell(line);
        }
        if (options.retainEnded()) {
            landedItems.add(line);
        }
    }

    private void terminate(Item item, Reason reason) {
        terminal++;
        releaseKey(item);
        bury(line(item, Outcome.TERMINAL, reason));
    }

    private void giveUp(Item item, Reason reason) {
        givenUp++;
        releaseKey(item);
        bury(line(item, Outcome.GIVEN_UP, item.maybeLanded ? Reason.UNKNOWN_OUTCOME : reason));
    }

    private void bury(LedgerItem item) {
        tell(item);
        if (deadLetters.takes(item.outcome())) {
            undelivered.add(item);
        } else {
            keepDead(item);
        }
    }

    private static LedgerItem line(Item item, Outcome outcome, Reason reason) {
        return new LedgerItem(
                item.index,
                item.content,
                outcome,
                item.attempts,
                reason,
                outcome == Outcome.LANDED ? Failure.NONE : item.failure,
                item.maybeLanded && outcome != Outcome.LANDED,
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
        } catch (RuntimeException e) {
            // An observer is a guest: the run goes on without it.
        }
        return null;
    }

    // ---- Dead letters

    /** How many dead letters hold up reading. Those that are delivered together at the end hold up nothing. */
    private int deadLettersNotTaken() {
        return options.groupDeadLetters() ? 0 : undelivered.size() + (delivering == null ? 0 : 1);
    }

    private void deliverNext() {
        if (delivering != null || undelivered.isEmpty() || options.groupDeadLetters() && !isOver()) {
            return;
        }
        delivering = options.groupDeadLetters() ? takeGroup() : List.of(undelivered.remove());
        actions.add(new Delivering(delivering));
    }

    private List<LedgerItem> takeGroup() {
        Outcome outcome = undelivered.peek().outcome();
        List<LedgerItem> group =
                undelivered.stream().filter(item -> item.outcome() == outcome).toList();
        undelivered.removeIf(item -> item.outcome() == outcome);
        return group;
    }

    /** One delivery under way. The reply may come during the call, as with {@link Sending}. */
    private final class Delivering implements Action, Consumer<Throwable> {

        private enum Call {
            CALLING,
            RETURNED,
            ANSWERED
        }

        private final List<LedgerItem> items;
        // Race: the answer may come while the dead letters are being called; whoever is second goes on with it.
        private final AtomicReference<Call> call = new AtomicReference<>(Call.CALLING);
        private volatile Throwable error;

        Delivering(List<LedgerItem> items) {
            this.items = items;
        }

        @Override
        public Runnable perform() {
            try {
                deadLetters.deliver(items, this);
            } catch (RuntimeException | Error e) {
                accept(e);
            }
            return call.compareAndSet(Call.CALLING, Call.RETURNED) ? null : this::answered;
        }

        @Override
        public void accept(Throwable cause) {
            error = cause;
            if (!call.compareAndSet(Call.CALLING, Call.ANSWERED) && call.compareAndSet(Call.RETURNED, Call.ANSWERED)) {
                happened(this::answered);
            }
        }

        private void answered() {
            if (delivering != items) {
                return;
            }
            delivering = null;
            if (error == null) {
                if (options.retainEnded()) {
                    items.forEach(item -> keepDead(item.with(Delivery.DELIVERED)));
                }
            } else {
                if (deadLetterFailure == null) {
                    deadLetterFailure = error;
                }
                items.forEach(item -> keepDead(item.with(Delivery.FAILED)));
            }
        }
    }

    private void keepDead(LedgerItem item) {
        (item.outcome() == Outcome.TERMINAL ? terminalItems : givenUpItems).add(item);
    }

    // ---- The end

    /** Gives up everything that has not ended. */
    private void cutOff(Reason reason) {
        if (cutOff) {
            return;
        }
        stopReading();
        cutOff = true;
        List<Item> rest = new ArrayList<>();
        for (Sending sending : inFlight) {
            boolean neverSent = sending.withdraw();
            for (Item item : sending.items) {
                if (neverSent) {
                    item.attempts--;
                } else {
                    item.maybeLanded = true;
                    rounds = Math.max(rounds, item.attempts);
                }
                rest.add(item);
            }
            if (!neverSent) {
                requests++;
                timeline.add(roundOf(sending, 0, 0, sending.items.size()));
            }
        }
        inFlight.clear();
        removeAllTo(rest);
        rest.sort(BY_INDEX);
        rest.forEach(item -> giveUp(item, reason));
    }

    /** Empties every place where an item is that has not ended and is not in flight. */
    private void removeAllTo(Collection<Item> rest) {
        urgent.forEach(rest::addAll);
        urgent.clear();
        rest.addAll(due);
        due.clear();
        dueBytes = 0;
        waits.forEach(wait -> rest.addAll(wait.items));
        waits.clear();
        waiting = 0;
        rest.addAll(released);
        released.clear();
        if (readAhead != null) {
            rest.add(readAhead);
            readAhead = null;
        }
        keys.values().forEach(rest::addAll);
        keys.clear();
        held = 0;
    }

    private boolean isFinished() {
        return isOver() && undelivered.isEmpty() && delivering == null;
    }

    /** Whether nothing is sent any more and nothing is in flight. */
    private boolean isOver() {
        return inFlight.isEmpty() && (failure != null || cutOff || nothingLeft());
    }

    private boolean nothingLeft() {
        return urgent.isEmpty()
                && due.isEmpty()
                && waits.isEmpty()
                && released.isEmpty()
                && readAhead == null
                && held == 0
                && (exhausted || readingStopped);
    }

    private void end() {
        ended = true;
        if (wakeUp != null) {
            wakeUp.cancel();
        }
        List<Item> rest = new ArrayList<>();
        removeAllTo(rest);
        rest.sort(BY_INDEX);
        RunEnd result = new RunEnd(ledger(rest), state(rest), failure, inputFailure, deadLetterFailure);
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
                landedItems,
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
        wakeUpAt = at;
        if (at != Long.MAX_VALUE) {
            wakeUp = scheduler.schedule(() -> happened(() -> wokenUp(at)), at - now);
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
        long at = deadlineAt;
        if (failure != null || cutOff || inFlight.size() >= options.parallelRequests()) {
            return cutOff ? Long.MAX_VALUE : at;
        }
        if (!waits.isEmpty()) {
            at = Math.min(at, waits.first().dueAt);
        }
        if (!due.isEmpty()) {
            at = Math.min(at, lingerUntil());
        }
        boolean freshLeft = !released.isEmpty() || readAhead != null || mayRead();
        if (freshLeft && holdFreshUntil > now) {
            at = Math.min(at, holdFreshUntil);
        }
        return Math.max(at, now);
    }

    // ---- State, out and in

    private RunState state(List<Item> rest) {
        List<LedgerItem> dead = new ArrayList<>(terminalItems);
        dead.addAll(givenUpItems);
        return new RunState(
                rest.stream().map(Run::stateOf).toList(),
                landedItems,
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
            } else if (dead.delivery() == Delivery.FAILED && deadLetters.takes(dead.outcome())) {
                undelivered.add(dead);
            } else {
                keepDead(dead);
            }
        }
        open.sort(BY_INDEX);
        for (Item item : open) {
            if (item.maybeLanded && !mayResendUnknown(item)) {
                giveUp(item, Reason.UNKNOWN_OUTCOME);
            } else if (!isRefused(item) && claimKey(item)) {
                place(item);
            }
        }
    }

    private static Item itemOf(ItemState state) {
        Item item = new Item(state.index(), state.content());
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
    private static Item revived(LedgerItem dead) {
        Item item = new Item(dead.index(), dead.content());
        item.attempts = dead.attempts();
        item.maybeLanded = dead.maybeLanded();
        item.failure = dead.failure();
        return item;
    }

    /** Puts an item that owns its key where it can be sent from. */
    private void place(Item item) {
        if (item.attempts == 0) {
            released.add(item);
        } else if (item.wait != null && item.wait.dueAt > scheduler.now()) {
            waits.add(item.wait);
            waiting++;
        } else {
            addDue(item);
        }
    }
}
