/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What one reply does to the items of its request. */
final class Settlement {

    private static final double NOT_DRAWN = -1;
    /** Far longer than anybody waits, and far from overflow when added to a time. */
    private static final long LONGEST_WAIT = Long.MAX_VALUE / 4;

    private final Run run;
    private final RunOptions options;
    private final OpenItems open;
    private final Sending sending;
    private final long now;
    private final long deadlineAt;
    private double draw = NOT_DRAWN;
    private List<Wait> begun = List.of();
    /** Nothing landed. */
    private boolean stalled;
    /** Some item of the request is why others did not land. */
    private boolean culprit;

    private final List<Item> atOnce = new ArrayList<>(0);

    private long landed;
    private long terminal;
    private long unknown;
    private Failure firstFailure;

    /** @param now when the reply is there, rounded up: waits count from here */
    Settlement(Run run, Sending sending, long now) {
        this.run = run;
        this.options = run.options;
        this.open = run.open;
        this.sending = sending;
        this.now = now;
        this.deadlineAt = run.requests.deadlineAt();
    }

    void settle(Reply reply) {
        if (reply instanceof Reply.Verdicts r) {
            int items = sending.items.size();
            List<Verdict> verdicts = r.verdicts();
            each(verdicts.size() == items ? verdicts : Failures.miscounted(items, verdicts.size()), r.hintMillis());
        } else if (reply instanceof Reply.Throttled r) {
            all(Verdict.residue(r.failure()), r.hintMillis());
        } else if (reply instanceof Reply.TooLarge r) {
            halveOr(Verdict.tooLarge(r.failure()));
        } else if (reply instanceof Reply.Terminal r) {
            all(Verdict.terminal(r.failure()), 0);
        } else if (reply instanceof Reply.Rejected r) {
            settleRejected(r);
        } else if (reply instanceof Reply.Refused r) {
            leavePending(true, r.failure());
            run.fail(r.cause());
        } else if (reply instanceof Reply.TransportFailed r) {
            settleTransportFailure(r);
        }
    }

    private void settleRejected(Reply.Rejected rejected) {
        List<Item> items = sending.items;
        if (rejected.nothingLanded()) {
            if (options.isolateRejected()) {
                halveOr(Verdict.terminal(rejected.failure()));
            } else {
                all(Verdict.terminal(rejected.failure()), 0);
            }
        } else if (options.isolateRejected() && run.mayResendUnknown(items)) {
            items.forEach(item -> item.maybeLanded = true);
            halveOr(Verdict.terminal(rejected.failure()));
        } else {
            all(Verdict.unknown(rejected.failure()), 0);
        }
    }

    private void settleTransportFailure(Reply.TransportFailed failed) {
        if (options.retryTransportFailures()) {
            Failure failure = failed.failure();
            all(failed.nothingLanded() ? Verdict.residue(failure) : Verdict.unknown(failure), failed.hintMillis());
        } else {
            leavePending(failed.nothingLanded(), failed.failure());
            run.fail(failed.cause());
        }
    }

    private void all(Verdict verdict, long hintMillis) {
        each(Collections.nCopies(sending.items.size(), verdict), hintMillis);
    }

    private void each(List<Verdict> verdicts, long hintMillis) {
        List<Item> items = sending.items;
        lookAtAll(verdicts);
        for (int i = 0; i < items.size(); i++) {
            Item item = items.get(i);
            note(item, verdicts.get(i).failure());
            try {
                settle(item, verdicts.get(i), hintMillis);
            } catch (Throwable e) {
                open.residue().addDue(item); // A back-off or content that throws must not lose the item.
                run.fail(e);
            }
        }
        if (!atOnce.isEmpty()) {
            open.addUrgent(atOnce);
        }
        holdBackFresh();
    }

    /** What the verdicts on the others mean for one. */
    private void lookAtAll(List<Verdict> verdicts) {
        List<Item> items = sending.items;
        stalled = true;
        for (int i = 0; i < items.size(); i++) {
            Verdict verdict = verdicts.get(i);
            switch (verdictOn(items.get(i), verdict)) {
                case LANDED -> stalled = false;
                case TERMINAL, TOO_LARGE -> culprit = true;
                default -> {}
            }
            // A duplicate bars the others, be it our own or not.
            culprit |= verdict.kind() == Verdict.Kind.ALREADY;
        }
    }

    private void settle(Item item, Verdict verdict, long hintMillis) {
        switch (verdictOn(item, verdict)) {
            case LANDED -> {
                landed++;
                run.land(item, verdict.result());
            }
            case TERMINAL -> {
                terminal++;
                run.terminate(item, Reason.REJECTED);
            }
            case TOO_LARGE -> {
                terminal++;
                run.terminate(item, Reason.TOO_LARGE);
            }
            case UNKNOWN -> {
                unknown++;
                item.maybeLanded = true;
                if (run.mayResendUnknown(item)) {
                    redeliver(item, hintMillis);
                } else {
                    run.giveUp(item, Reason.UNKNOWN_OUTCOME);
                }
            }
            case VICTIM -> atOnceIf(culprit, item, hintMillis);
            case NOT_REACHED -> atOnceIf(!stalled, item, hintMillis);
            default -> redeliver(item, hintMillis);
        }
    }

    private void atOnceIf(boolean othersAreWhy, Item item, long hintMillis) {
        if (othersAreWhy) {
            atOnce.add(item);
        } else {
            redeliver(item, hintMillis);
        }
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
    private void halveOr(Verdict onSingle) {
        List<Item> items = sending.items;
        if (items.size() == 1) {
            all(onSingle, 0);
            return;
        }
        items.forEach(item -> note(item, onSingle.failure()));
        int middle = (items.size() + 1) / 2;
        open.addUrgent(items.subList(middle, items.size()));
        open.addUrgent(items.subList(0, middle));
    }

    private void leavePending(boolean nothingLanded, Failure said) {
        for (Item item : sending.items) {
            note(item, said);
            if (!nothingLanded) {
                unknown++;
                item.maybeLanded = true;
            }
            open.residue().addDue(item);
        }
    }

    private void redeliver(Item item, long hintMillis) {
        if (stalled) {
            item.stalledRounds++;
        }
        if (isExhausted(item)) {
            run.giveUp(item, Reason.REDELIVERIES_EXHAUSTED);
            return;
        }
        int redelivery = options.countOnlyStalledRounds() ? Math.max(1, item.stalledRounds) : item.redeliveries + 1;
        if (draw == NOT_DRAWN) {
            draw = run.draw();
        }
        long previous = item.wait == null ? 0 : item.wait.backOffMillis;
        long backOff = options.backOff().delayMillis(redelivery, previous, draw);
        long dueAt = now + Math.min(LONGEST_WAIT, Math.max(0, Math.max(backOff, hintMillis)));
        if (dueAt >= deadlineAt) {
            run.giveUp(item, Reason.TIMEOUT);
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
        begun.forEach(open.residue()::add);
        if (!begun.isEmpty() && landed * 2 < sending.items.size() && tellsOfCapacity()) {
            run.holdFreshUntil(earliestDue());
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

    /** How many items landed. */
    long landed() {
        return landed;
    }

    /** How many are refused for good. */
    long terminal() {
        return terminal;
    }

    /** Of how many nobody knows. */
    long unknown() {
        return unknown;
    }

    /** What stands for the round if not everything landed; null if everything did. */
    Failure firstFailure() {
        return firstFailure;
    }

    /** The shortest wait that began; -1 if none did. */
    long nextWaitMillis() {
        return begun.isEmpty() ? -1 : earliestDue() - now;
    }
}
