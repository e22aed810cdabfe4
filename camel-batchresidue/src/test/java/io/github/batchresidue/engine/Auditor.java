/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import io.github.batchresidue.engine.ExponentialBackOff.Jitter;
import io.github.batchresidue.engine.LedgerItem.Delivery;
import io.github.batchresidue.engine.RunOptions.UnknownOutcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Watches a run from outside and knows what the contract says must become of every item. Written from the contract, not
 * from the engine: it sees only what goes in and out. What it finds wrong first is kept, for the engine shields itself
 * from exceptions of those it calls.
 */
final class Auditor {

    enum Where {
        UNREAD,
        READ,
        IN_FLIGHT,
        WAITING,
        URGENT,
        PENDING,
        LANDED,
        TERMINAL,
        GIVEN_UP
    }

    enum Letter {
        NONE,
        READY,
        UNDER_WAY,
        DELIVERED,
        FAILED
    }

    static final class Entry {
        final TestContent content;
        final int index;
        Where where = Where.UNREAD;
        int attempts;
        int redeliveries;
        int stalledRounds;
        boolean maybeLanded;
        // With jitter the wait is known only within bounds.
        long knownAt;
        long dueEarliest;
        long dueLatest;
        Reason reason;
        Letter letter = Letter.NONE;
        boolean told;
        /** A ledger of an earlier run lists it. */
        boolean listed;
        /** It came from an earlier run, and need not linger. */
        boolean resumed;

        Entry(TestContent content, int index) {
            this.content = content;
            this.index = index;
        }

        boolean isEnded() {
            return where.compareTo(Where.LANDED) >= 0;
        }

        boolean isOpen() {
            return where != Where.UNREAD && !isEnded();
        }

        @Override
        public String toString() {
            return index + ":" + where + (content.key() == null ? "" : "/" + content.key());
        }
    }

    static final class Request {
        final List<Entry> entries = new ArrayList<>();
        boolean answered;
    }

    private final RunOptions options;
    private final VirtualTime time;
    /** Calls block while time goes on: what was planned before is then done after, so the order is not told strictly. */
    private final boolean blocking;

    private final boolean takesTerminal;
    private final boolean takesGivenUp;
    final Entry[] entries;

    private final List<Request> inFlight = new ArrayList<>();
    private final Deque<List<Entry>> urgent = new ArrayDeque<>();
    private int read;
    private boolean sourceAsked;
    private boolean sourceEnded;
    private boolean sourceFailed;
    private boolean failed;
    private boolean cutOff;
    private boolean started;
    private boolean ended;
    private boolean letterFailed;
    private boolean letterUnderWay;
    private long firstRequestAt = -1;
    private long deadlineAt = Long.MAX_VALUE;
    private long holdEarliest;
    private long holdLatest;
    private long idleSince = -1;
    private long waited;
    private long requests;
    private int rounds;
    private String violation;

    Auditor(
            RunOptions options,
            VirtualTime time,
            boolean blocking,
            boolean takesTerminal,
            boolean takesGivenUp,
            List<TestContent> contents) {
        this.options = options;
        this.time = time;
        this.blocking = blocking;
        this.takesTerminal = takesTerminal;
        this.takesGivenUp = takesGivenUp;
        this.entries = new Entry[contents.size()];
        for (int i = 0; i < entries.length; i++) {
            Entry e = new Entry(contents.get(i), i);
            entries[i] = e;
            e.content.onDiscard(content -> discarded(e));
        }
    }

    String violation() {
        return violation;
    }

    boolean hasEnded() {
        return ended;
    }

    void violated(String what) {
        if (violation == null) {
            violation = "at " + time.now() + " ms: " + what + "\n" + Arrays.toString(entries);
        }
    }

    // ---- A run begins, is stopped, or fails

    void begin() {
        started = true;
        ended = false;
        failed = false;
        cutOff = false;
        letterFailed = false;
        idleSince = -1;
        urgent.clear();
        for (Entry e : entries) {
            e.told = false;
            boolean revived = e.where == Where.GIVEN_UP && e.letter == Letter.NONE;
            if (revived) {
                e.redeliveries = 0;
                e.stalledRounds = 0;
            }
            if (revived || e.isOpen()) {
                if (e.maybeLanded && !mayResend(e)) {
                    giveUp(e, Reason.UNKNOWN_OUTCOME);
                } else if (e.attempts == 0) {
                    e.where = Where.READ;
                } else {
                    e.where = Where.WAITING;
                    e.resumed = true;
                    if (e.redeliveries == 0) {
                        e.knownAt = time.now();
                        e.dueEarliest = time.now();
                        e.dueLatest = time.now();
                    }
                }
            } else if (e.letter == Letter.FAILED && takes(e)) {
                e.letter = Letter.READY;
            }
        }
    }

    /** The deadline needs nobody to tell it. */
    private void passTime() {
        if (started && !ended && !cutOff && time.now() >= deadlineAt) {
            if (failed) {
                leaveInFlightPending();
            } else {
                cutOff(Reason.TIMEOUT);
            }
        }
    }

    /** The deadline of a run that has failed ends the wait for requests beside the one that failed. */
    private void leaveInFlightPending() {
        sourceFailed |= sourceAsked; // What it gives now, nobody takes.
        for (Request request : inFlight) {
            for (Entry e : request.entries) {
                e.maybeLanded = true;
                e.where = Where.PENDING;
                rounds = Math.max(rounds, e.attempts);
            }
        }
        inFlight.clear();
    }

    void stopped(boolean atOnce, boolean beforeStart) {
        if (!beforeStart) {
            passTime();
        }
        if (ended) {
            return;
        }
        if (!cutOff) {
            cutOff(Reason.SHUTDOWN);
        }
        if (atOnce) {
            for (Entry e : entries) {
                if (e.letter == Letter.READY || e.letter == Letter.UNDER_WAY) {
                    e.letter = Letter.FAILED;
                }
            }
            letterUnderWay = false;
        }
    }

    private void cutOff(Reason reason) {
        cutOff = true;
        sourceFailed |= sourceAsked; // What it gives now, nobody takes.
        for (Request request : inFlight) {
            for (Entry e : request.entries) {
                e.maybeLanded = true;
                rounds = Math.max(rounds, e.attempts);
            }
        }
        inFlight.clear();
        urgent.clear();
        for (Entry e : entries) {
            if (e.isOpen()) {
                giveUp(e, reason);
            }
        }
    }

    // ---- Reading

    void asksSource() {
        passTime();
        if (ended || cutOff || failed || sourceFailed) {
            violated("the body is read on although the run reads no more");
        }
        sourceAsked = true;
        if (blocking) {
            return;
        }
        int pending = pendingResidue();
        if (pending > 0 && pending >= options.maxPendingResidue()) {
            violated("the body is read on while " + pending + " items wait");
        }
        int live = 1;
        for (Entry e : entries) {
            if (e.isOpen() || e.letter == Letter.READY || e.letter == Letter.UNDER_WAY) {
                live++;
            }
        }
        if (live > (long) options.parallelRequests() * options.batchSize() + options.maxPendingResidue()) {
            violated(live + " items are in memory");
        }
    }

    /** The source hands out the next item; false if the run has ended meanwhile and does not take it. */
    boolean sourceGives() {
        passTime();
        sourceAsked = false;
        if (cutOff || ended) {
            return false;
        }
        Entry e = entries[read++];
        e.where = Where.READ;
        if (e.content.refusal() != null) {
            terminate(e, e.content.refusal().reason());
        } else if (options.envelopeBytes() + e.content.bytes() > options.batchBytes()) {
            terminate(e, Reason.TOO_LARGE);
        }
        return true;
    }

    void sourceEnds() {
        passTime();
        sourceAsked = false;
        sourceEnded = !cutOff && !ended;
    }

    void sourceFails() {
        passTime();
        sourceAsked = false;
        sourceFailed = true;
    }

    int itemsRead() {
        return read;
    }

    private int pendingResidue() {
        int pending = 0;
        for (Entry e : entries) {
            if (e.where == Where.WAITING
                    || e.where == Where.READ && isHeld(e)
                    || e.letter == Letter.READY
                    || e.letter == Letter.UNDER_WAY) {
                pending++;
            }
        }
        return pending;
    }

    private int waitingOrDead() {
        int pending = 0;
        for (Entry e : entries) {
            boolean waits = e.where == Where.WAITING && !isHeld(e);
            if (waits || e.letter == Letter.READY || e.letter == Letter.UNDER_WAY) {
                pending++;
            }
        }
        return pending;
    }

    /** Another item of the key is out, or an earlier one has not ended. */
    private boolean isHeld(Entry e) {
        if (e.content.key() == null) {
            return false;
        }
        for (Entry other : entries) {
            if (other != e && e.content.key().equals(other.content.key())) {
                if (other.where == Where.IN_FLIGHT || other.isOpen() && other.index < e.index) {
                    return true;
                }
            }
        }
        return false;
    }

    // ---- Requests

    Request sent(List<Item> items) {
        passTime();
        Request request = new Request();
        long now = time.now();
        if (ended || cutOff || failed) {
            violated("a request is sent after the run has " + (failed ? "failed" : "been cut off"));
        }
        if (inFlight.size() >= options.parallelRequests()) {
            violated("too many requests in flight");
        }
        if (items.isEmpty() || items.size() > options.batchSize()) {
            violated("a request of " + items.size() + " items");
        }
        long bytes = options.envelopeBytes();
        Where from = null;
        long last = -1;
        for (Item item : items) {
            Entry e = entries[(int) item.index()];
            use(e);
            if (!e.isOpen() || e.where == Where.IN_FLIGHT) {
                violated("item " + e + " is sent");
            }
            if (from != null && from != e.where) {
                violated("a request mixes " + from + " and " + e.where);
            }
            from = e.where;
            if (e.index <= last) {
                violated("item " + e + " is sent after item " + last + " of the same request");
            }
            last = e.index;
            bytes += e.content.bytes();
            if (isHeld(e)) {
                violated("item " + e + " is sent although another of its key has not ended");
            }
            e.attempts++;
            if (item.attempts() != e.attempts || item.maybeLanded() != e.maybeLanded) {
                violated("item " + e + " shows attempts " + item.attempts() + ", unknown " + item.maybeLanded());
            }
            request.entries.add(e);
        }
        if (bytes > options.batchBytes()) {
            violated("a request of " + bytes + " bytes");
        }
        List<Content> contents = items.stream().map(Item::content).toList();
        for (int i = 1; i < contents.size(); i++) {
            if (!options.requestRule().allows(contents.subList(0, i), contents.get(i))) {
                violated("a request that the rule does not allow");
            }
        }
        if (from == Where.READ) {
            freshSent(contents, bytes);
        } else if (from == Where.WAITING) {
            residueSent(request.entries, contents, bytes);
        } else {
            urgentSent(request.entries);
        }
        if (inFlight.isEmpty() && idleSince >= 0) {
            waited += now - idleSince;
        }
        if (firstRequestAt < 0) {
            firstRequestAt = now;
            if (options.redeliveryTimeoutMillis() > 0) {
                deadlineAt = now + options.redeliveryTimeoutMillis();
            }
        }
        for (Entry e : request.entries) {
            e.where = Where.IN_FLIGHT;
        }
        requests++;
        inFlight.add(request);
        return request;
    }

    private void freshSent(List<Content> sent, long bytes) {
        if (blocking) {
            return;
        }
        if (time.now() < holdEarliest) {
            violated("fresh items are sent at a time when they are held back until " + holdEarliest);
        }
        if (!urgent.isEmpty()) {
            violated("fresh items go before halves or victims");
        }
        if (residueMustGo()) {
            violated("fresh items go before due residue");
        }
        int pending = pendingResidue();
        if (options.maxPendingResidue() == 0 && waitingOrDead() > 0) {
            violated("fresh items are sent while others wait");
        }
        boolean noMore = sourceEnded || sourceFailed || pending > 0 && pending >= options.maxPendingResidue();
        if (takesTerminal || takesGivenUp) {
            noMore |= options.maxPendingResidue() < entries.length; // A letter may have been taken in this moment.
        }
        if (sent.size() < options.batchSize()
                && !noMore
                && bytes + largestNext() <= options.batchBytes()
                && allowsAnyNext(sent)) {
            violated("a request of fresh items has room left");
        }
    }

    /** Whether the rule allows whichever item would be next into a request of fresh items. */
    private boolean allowsAnyNext(List<Content> sent) {
        for (Entry e : entries) {
            boolean mayBeNext = e.where == Where.READ && !sent.contains(e.content) || e.index == read;
            if (mayBeNext && !options.requestRule().allows(sent, e.content)) {
                return false;
            }
        }
        return true;
    }

    /** The bytes of the item that would be next into a request of fresh items: read ahead, or the next unread one. */
    private long largestNext() {
        long most = 0;
        for (Entry e : entries) {
            if (e.where == Where.READ || e.index == read) {
                most = Math.max(most, e.content.bytes());
            }
        }
        return most;
    }

    private void residueSent(List<Entry> sent, List<Content> contents, long bytes) {
        long now = time.now();
        long dueFirst = Long.MAX_VALUE;
        long own = 0;
        for (Entry e : sent) {
            if (e.dueEarliest > now) {
                violated("item " + e + " is sent at a time when it waits until " + e.dueEarliest);
            }
            if (e.dueEarliest < dueFirst) {
                dueFirst = e.dueEarliest;
                own = e.dueEarliest - e.knownAt;
            }
        }
        if (blocking) {
            return;
        }
        if (!urgent.isEmpty()) {
            violated("due residue goes before halves or victims");
        }
        int lastIndex = sent.get(sent.size() - 1).index;
        long nextBytes = 0;
        boolean endedByRule = false;
        for (Entry e : entries) {
            if (e.where != Where.WAITING || sent.contains(e) || isHeld(e)) {
                continue;
            }
            if (e.dueLatest <= now) {
                nextBytes = Math.max(nextBytes, e.content.bytes());
                endedByRule |= !options.requestRule().allows(contents, e.content);
                if (e.index < lastIndex) {
                    violated("item " + e + " is due and is passed over");
                }
            }
        }
        boolean full = sent.size() == options.batchSize() || bytes + nextBytes > options.batchBytes() || endedByRule;
        if (full || jitter() != Jitter.NONE || sent.stream().anyMatch(e -> e.resumed)) {
            return;
        }
        for (Entry e : entries) {
            if (e.where == Where.WAITING
                    && !isHeld(e)
                    && e.dueLatest > now
                    && e.knownAt < dueFirst
                    && e.dueLatest <= dueFirst + own / 10) {
                violated("a request of residue does not wait for item " + e);
            }
        }
    }

    private void urgentSent(List<Entry> sent) {
        if (blocking ? !urgent.remove(sent) : !sent.equals(urgent.poll())) {
            violated("halves or victims " + sent + " are sent out of order or not as they were");
        }
    }

    // ---- Replies

    /** To be called just before the run gets the reply. */
    void answered(Request request, Reply reply, boolean backOffFails) {
        passTime();
        if (request.answered) {
            return;
        }
        request.answered = true;
        if (!inFlight.remove(request)) {
            return; // Late.
        }
        if (inFlight.isEmpty()) {
            idleSince = time.now();
        }
        for (Entry e : request.entries) {
            rounds = Math.max(rounds, e.attempts);
        }
        List<Entry> all = request.entries;
        if (reply instanceof Reply.Verdicts r) {
            if (r.verdicts().size() == all.size()) {
                judge(all, r.verdicts().stream().map(Verdict::kind).toList(), r.hintMillis(), backOffFails);
            } else {
                judgeAll(all, Verdict.Kind.UNKNOWN, r.hintMillis(), backOffFails);
            }
        } else if (reply instanceof Reply.Throttled r) {
            judgeAll(all, Verdict.Kind.RESIDUE, r.hintMillis(), backOffFails);
        } else if (reply instanceof Reply.Terminal) {
            judgeAll(all, Verdict.Kind.TERMINAL, 0, backOffFails);
        } else if (reply instanceof Reply.TooLarge) {
            halve(all, Verdict.Kind.TOO_LARGE);
        } else if (reply instanceof Reply.Rejected r) {
            boolean maybe = !r.nothingLanded();
            if (maybe && !(options.isolateRejected() && all.stream().allMatch(this::mayResend))) {
                judgeAll(all, Verdict.Kind.UNKNOWN, 0, backOffFails);
            } else if (!options.isolateRejected()) {
                judgeAll(all, Verdict.Kind.TERMINAL, 0, backOffFails);
            } else {
                all.forEach(e -> e.maybeLanded |= maybe);
                halve(all, Verdict.Kind.TERMINAL);
            }
        } else if (reply instanceof Reply.Refused) {
            fail(all, false);
        } else if (reply instanceof Reply.TransportFailed r) {
            if (options.retryTransportFailures()) {
                Verdict.Kind kind = r.nothingLanded() ? Verdict.Kind.RESIDUE : Verdict.Kind.UNKNOWN;
                judgeAll(all, kind, r.hintMillis(), backOffFails);
            } else {
                fail(all, !r.nothingLanded());
            }
        }
    }

    private void fail(List<Entry> all, boolean maybe) {
        failed = true;
        for (Entry e : all) {
            e.where = Where.PENDING;
            e.maybeLanded |= maybe;
        }
    }

    private void halve(List<Entry> all, Verdict.Kind ofOne) {
        if (all.size() == 1) {
            judgeAll(all, ofOne, 0, false);
            return;
        }
        int middle = all.size() - all.size() / 2;
        urgent.push(List.copyOf(all.subList(middle, all.size())));
        urgent.push(List.copyOf(all.subList(0, middle)));
        all.forEach(e -> e.where = Where.URGENT);
    }

    private void judgeAll(List<Entry> all, Verdict.Kind kind, long hint, boolean backOffFails) {
        List<Verdict.Kind> kinds = new ArrayList<>();
        all.forEach(e -> kinds.add(kind));
        judge(all, kinds, hint, backOffFails);
    }

    private void judge(List<Entry> all, List<Verdict.Kind> kinds, long hint, boolean backOffFails) {
        int landed = 0;
        boolean culprit = false;
        for (int i = 0; i < all.size(); i++) {
            Verdict.Kind kind = kinds.get(i);
            if (kind == Verdict.Kind.LANDED || kind == Verdict.Kind.ALREADY && all.get(i).maybeLanded) {
                landed++;
            }
            culprit |= kind == Verdict.Kind.TERMINAL || kind == Verdict.Kind.TOO_LARGE || kind == Verdict.Kind.ALREADY;
        }
        List<Entry> atOnce = new ArrayList<>();
        List<Entry> residue = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            Entry e = all.get(i);
            switch (kinds.get(i)) {
                case LANDED -> e.where = Where.LANDED;
                case ALREADY -> {
                    if (e.maybeLanded) {
                        e.where = Where.LANDED;
                    } else {
                        terminate(e, Reason.REJECTED);
                    }
                }
                case TERMINAL -> terminate(e, Reason.REJECTED);
                case TOO_LARGE -> terminate(e, Reason.TOO_LARGE);
                case UNKNOWN -> {
                    e.maybeLanded = true;
                    if (mayResend(e)) {
                        residue.add(e);
                    } else {
                        giveUp(e, Reason.UNKNOWN_OUTCOME);
                    }
                }
                case VICTIM -> (culprit ? atOnce : residue).add(e);
                case NOT_REACHED -> (landed > 0 ? atOnce : residue).add(e);
                case RESIDUE -> residue.add(e);
            }
        }
        long earliest = Long.MAX_VALUE;
        long latest = Long.MAX_VALUE;
        for (Entry e : residue) {
            if (redeliver(e, landed == 0, hint, backOffFails)) {
                earliest = Math.min(earliest, e.dueEarliest);
                latest = Math.min(latest, e.dueLatest);
            }
        }
        if (!atOnce.isEmpty()) {
            urgent.push(atOnce);
            atOnce.forEach(e -> e.where = Where.URGENT);
        }
        boolean tellsOfCapacity = all.get(0).attempts == 1 || all.size() * 5 >= options.batchSize();
        if (earliest != Long.MAX_VALUE && landed * 2 < all.size() && tellsOfCapacity) {
            holdEarliest = Math.max(holdEarliest, earliest);
            holdLatest = Math.max(holdLatest, latest);
        }
    }

    private boolean redeliver(Entry e, boolean stalled, long hint, boolean backOffFails) {
        if (stalled) {
            e.stalledRounds++;
        }
        int most = options.maximumRedeliveries();
        if (most >= 0) {
            boolean over = options.countOnlyStalledRounds()
                    ? e.stalledRounds > most || e.redeliveries + 1 > 4 * most
                    : e.redeliveries + 1 > most;
            if (over) {
                giveUp(e, Reason.REDELIVERIES_EXHAUSTED);
                return false;
            }
        }
        if (backOffFails) {
            failed = true;
            e.where = Where.PENDING;
            return false;
        }
        ExponentialBackOff backOff = (ExponentialBackOff) ((RandomRun.TestBackOff) options.backOff()).backOff();
        int step = options.countOnlyStalledRounds() ? Math.max(1, e.stalledRounds) : e.redeliveries + 1;
        double full = backOff.delayMillis();
        for (int i = 1; i < step && full < backOff.maximumMillis(); i++) {
            full *= backOff.multiplier();
        }
        full = Math.min(full, backOff.maximumMillis());
        double least =
                switch (jitter()) {
                    case NONE -> full;
                    case EQUAL -> full / 2;
                    case FULL -> 0;
                };
        long now = time.now();
        long earliest = now + Math.max(hint, (long) Math.floor(least));
        if (earliest >= deadlineAt) {
            giveUp(e, Reason.TIMEOUT);
            return false;
        }
        e.redeliveries++;
        e.where = Where.WAITING;
        e.resumed = false;
        e.knownAt = now;
        e.dueEarliest = earliest;
        e.dueLatest = now + Math.max(hint, (long) Math.floor(full));
        return true;
    }

    private Jitter jitter() {
        return ((ExponentialBackOff) ((RandomRun.TestBackOff) options.backOff()).backOff()).jitter();
    }

    private boolean mayResend(Entry e) {
        return options.unknownOutcome() == UnknownOutcome.RETRY
                || options.unknownOutcome() == UnknownOutcome.AUTO && e.content.safeToResend();
    }

    // ---- Ends of items

    private void terminate(Entry e, Reason reason) {
        e.where = Where.TERMINAL;
        e.reason = reason;
        e.letter = takes(e) ? Letter.READY : Letter.NONE;
    }

    private void giveUp(Entry e, Reason reason) {
        e.where = Where.GIVEN_UP;
        e.reason = e.maybeLanded ? Reason.UNKNOWN_OUTCOME : reason;
        e.letter = takes(e) ? Letter.READY : Letter.NONE;
    }

    private boolean takes(Entry e) {
        return e.where == Where.TERMINAL ? takesTerminal : e.where == Where.GIVEN_UP && takesGivenUp;
    }

    /** From here on its bytes may be anything: nobody may be left who could look at them. */
    private void discarded(Entry e) {
        if (e.content.isDiscarded()
                || e.where != Where.LANDED
                || e.attempts != 1
                || e.listed
                || e.told
                || options.retainEnded()) {
            violated("item " + e + " is discarded");
        }
    }

    private void use(Entry e) {
        if (e.content.isDiscarded()) {
            violated("item " + e + " is used after it was discarded");
        }
    }

    void told(LedgerItem item) {
        passTime();
        Entry e = entries[(int) item.index()];
        use(e);
        if (e.told || !e.isEnded()) {
            violated("the end of item " + e + " is told" + (e.told ? " twice" : ""));
        }
        e.told = true;
    }

    void delivering(LedgerItem item) {
        passTime();
        Entry e = entries[(int) item.index()];
        if (ended || letterUnderWay || e.letter != Letter.READY) {
            violated("dead letter " + e + " goes out" + (letterUnderWay ? " beside another" : ", " + e.letter));
        }
        check(item, e);
        e.letter = Letter.UNDER_WAY;
        letterUnderWay = true;
    }

    void delivered(int index, boolean good) {
        passTime();
        Entry e = entries[index];
        if (ended || e.letter != Letter.UNDER_WAY) {
            return;
        }
        e.letter = good ? Letter.DELIVERED : Letter.FAILED;
        letterFailed |= !good;
        letterUnderWay = false;
    }

    // ---- No run sleeps while it could go on

    void beforeTimePasses() {
        if (!started || ended || blocking || time.now() >= deadlineAt) {
            return;
        }
        if (failed || cutOff) {
            if (inFlight.isEmpty() && !letterUnderWay) {
                violated("the run has nothing to wait for and does not end");
            }
            return;
        }
        if (inFlight.size() >= options.parallelRequests()) {
            return;
        }
        long now = time.now();
        if (!urgent.isEmpty()) {
            violated("halves or victims wait");
        }
        if (residueMustGo()) {
            violated("due residue does not go");
        }
        boolean open = letterUnderWay;
        boolean fresh = false;
        for (Entry e : entries) {
            open |= e.isOpen();
            fresh |= e.where == Where.READ && !isHeld(e);
        }
        int pending = pendingResidue();
        boolean readable = !sourceEnded && !sourceFailed && (pending == 0 || pending < options.maxPendingResidue());
        boolean mayGo = now >= holdLatest && (options.maxPendingResidue() > 0 || waitingOrDead() == 0);
        if (mayGo && (fresh || readable)) {
            violated("fresh items could go");
        }
        if (!open && (sourceEnded || sourceFailed)) {
            violated("nothing is left and the run does not end");
        }
    }

    /** Whether a full request of residue is due, or a smaller one that has lingered; false where jitter hides it. */
    private boolean residueMustGo() {
        int due = 0;
        long dueFirst = Long.MAX_VALUE;
        long window = 0;
        for (Entry e : entries) {
            if (e.where != Where.WAITING || isHeld(e)) {
                continue;
            }
            if (e.dueLatest <= time.now()) {
                due++;
            }
            long until = e.dueLatest + (e.dueLatest - e.knownAt) / 10;
            if (e.dueLatest < dueFirst && jitter() == Jitter.NONE) {
                window = until;
            } else if (e.dueLatest == dueFirst || jitter() != Jitter.NONE) {
                window = Math.max(window, until);
            }
            dueFirst = Math.min(dueFirst, e.dueLatest);
        }
        return due >= options.batchSize() || due > 0 && lingersUntil(dueFirst, window) <= time.now();
    }

    private long lingersUntil(long dueFirst, long window) {
        if (jitter() != Jitter.NONE) {
            return window;
        }
        long until = dueFirst;
        for (Entry e : entries) {
            if (e.where == Where.WAITING && !isHeld(e) && e.knownAt <= dueFirst && e.dueLatest <= window) {
                until = Math.max(until, e.dueLatest);
            }
        }
        return until;
    }

    // ---- The end

    void ended(RunEnd end) {
        passTime();
        if (ended) {
            violated("the run ends twice");
        }
        ended = true;
        Ledger ledger = end.ledger();
        int[] count = new int[Where.values().length];
        for (Entry e : entries) {
            count[e.where.ordinal()]++;
            if (e.where == Where.IN_FLIGHT) {
                violated("item " + e + " is in flight at the end");
            }
        }
        int landed = count[Where.LANDED.ordinal()];
        int terminal = count[Where.TERMINAL.ordinal()];
        int givenUp = count[Where.GIVEN_UP.ordinal()];
        int pending = read - landed - terminal - givenUp;
        if (ledger.items() != read
                || ledger.landed() != landed
                || ledger.terminal() != terminal
                || ledger.givenUp() != givenUp
                || ledger.pending() != pending) {
            violated("expected of " + read + " items " + landed + " landed, " + terminal + " terminal, " + givenUp
                    + " given up, " + pending + " pending: " + ledger);
        }
        if (ledger.landed() + ledger.terminal() + ledger.givenUp() + ledger.pending() != ledger.items()) {
            violated("the columns do not add up: " + ledger);
        }
        boolean[] listed = new boolean[entries.length];
        list(ledger.landedItems(), Outcome.LANDED, listed);
        list(ledger.terminalItems(), Outcome.TERMINAL, listed);
        list(ledger.givenUpItems(), Outcome.GIVEN_UP, listed);
        list(ledger.pendingItems(), Outcome.PENDING, listed);
        for (Entry e : entries) {
            boolean kept = options.retainEnded() || e.where != Where.LANDED && e.letter != Letter.DELIVERED;
            if (listed[e.index] != (e.where != Where.UNREAD && kept)) {
                violated("item " + e + (listed[e.index] ? " is listed" : " is not listed"));
            }
            if (e.letter == Letter.READY || e.letter == Letter.UNDER_WAY) {
                violated("dead letter " + e + " is " + e.letter + " at the end");
            }
        }
        if (pending > 0 && (!failed || cutOff)) {
            violated("items are pending although the run did not fail");
        }
        if ((end.failure() != null) != failed) {
            violated("the run failed with " + end.failure());
        }
        if ((end.inputFailure() != null) != sourceFailed) {
            violated("the input failed with " + end.inputFailure());
        }
        if ((end.deadLetterFailure() != null) != letterFailed) {
            violated("a dead letter failed with " + end.deadLetterFailure());
        }
        boolean early = failed || cutOff || sourceFailed;
        if (ledger.inputExhausted() ? read != entries.length || sourceFailed : !early || sourceEnded) {
            violated("inputExhausted is " + ledger.inputExhausted() + " after " + read + " of " + entries.length);
        }
        sourceEnded |= ledger.inputExhausted();
        if (ledger.requests() != requests || ledger.rounds() != rounds) {
            violated("expected " + requests + " requests, " + rounds + " rounds: " + ledger);
        }
        long elapsed = firstRequestAt < 0 ? 0 : time.now() - firstRequestAt;
        if (!blocking && (ledger.waitedMillis() != waited || ledger.elapsedMillis() != elapsed)) {
            violated("expected " + waited + " ms waited of " + elapsed + ": " + ledger);
        }
        long inTimeline = 0;
        for (Round round : ledger.timeline()) {
            inTimeline += round.requests();
            if (round.landed() + round.terminal() + round.residue() + round.unknown() != round.items()) {
                violated("a round does not add up: " + round);
            }
        }
        if (inTimeline != requests) {
            violated("the timeline has " + inTimeline + " of " + requests + " requests");
        }
        if (time.timersLeft() > 0) {
            violated("a timer is left");
        }
    }

    private void list(List<LedgerItem> items, Outcome column, boolean[] listed) {
        for (LedgerItem item : items) {
            Entry e = entries[(int) item.index()];
            if (item.outcome() != column || listed[e.index]) {
                violated("item " + e + " stands in " + column + (listed[e.index] ? " too" : ""));
            }
            listed[e.index] = true;
            e.listed = true;
            check(item, e);
            Delivery delivery =
                    switch (e.letter) {
                        case DELIVERED -> Delivery.DELIVERED;
                        case FAILED -> Delivery.FAILED;
                        default -> Delivery.NONE;
                    };
            if (item.delivery() != delivery) {
                violated("dead letter " + e + " is " + e.letter + ", in the ledger " + item.delivery());
            }
        }
    }

    private void check(LedgerItem item, Entry e) {
        use(e);
        Outcome outcome =
                switch (e.where) {
                    case LANDED -> Outcome.LANDED;
                    case TERMINAL -> Outcome.TERMINAL;
                    case GIVEN_UP -> Outcome.GIVEN_UP;
                    default -> Outcome.PENDING;
                };
        boolean dead = outcome == Outcome.TERMINAL || outcome == Outcome.GIVEN_UP;
        if (item.content() != e.content
                || item.outcome() != outcome
                || item.attempts() != e.attempts
                || item.reason() != (dead ? e.reason : null)
                || item.maybeLanded() != (e.maybeLanded && outcome != Outcome.LANDED)) {
            violated("expected item " + e + ", attempts " + e.attempts + ", " + e.reason + ", unknown " + e.maybeLanded
                    + ": " + item);
        }
    }
}
