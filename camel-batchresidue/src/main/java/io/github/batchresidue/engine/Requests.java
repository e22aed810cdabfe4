/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** The requests of a run: which are in flight, and what all have taken in number and time. Touched only while stepping. */
final class Requests {

    private static final long NEVER = -1;

    private final RunOptions options;
    private final Set<Sending> inFlight = new LinkedHashSet<>();
    private Sending planned;

    private long over;
    private int rounds;
    private final Timeline timeline;

    private long firstAt;
    private long deadlineAt = Long.MAX_VALUE;
    private long idleSince = NEVER;
    private long waitedMillis;

    Requests(RunOptions options, RunState before) {
        this.options = options;
        this.over = before.requests();
        this.rounds = before.rounds();
        this.timeline = new Timeline(before.timeline());
        this.firstAt = before.firstRequestAt();
        this.waitedMillis = before.waitedMillis();
        if (firstAt != NEVER) {
            setDeadline();
        }
    }

    private void setDeadline() {
        if (options.redeliveryTimeoutMillis() > 0) {
            deadlineAt = firstAt + options.redeliveryTimeoutMillis();
        }
    }

    /** Plans a request. */
    Sending plan(Run run, List<Item> items, long now) {
        if (firstAt == NEVER) {
            firstAt = now;
            setDeadline();
        }
        // A wait is counted from a moment rounded up, and what goes at once goes before it.
        long idle = inFlight.isEmpty() && idleSince != NEVER ? Math.max(0, now - idleSince) : 0;
        waitedMillis += idle;
        for (Item item : items) {
            item.attempts++;
        }
        planned = new Sending(run, items, now, idle, deadlineAt);
        inFlight.add(planned);
        return planned;
    }

    /** Whether a request has been planned and the call has not been made. */
    boolean isPlanned() {
        return planned != null && planned.isPlanned();
    }

    /** Takes back the requests that have not gone out, not even to a thread that they waited for. */
    void takeBackTo(Consumer<Item> place) {
        for (Sending sending : List.copyOf(inFlight)) {
            if (takeBack(sending)) {
                sending.items.forEach(place);
            }
        }
    }

    /** As if it had never been planned; false if it has gone out. */
    boolean takeBack(Sending sending) {
        if (!sending.withdraw()) {
            return false;
        }
        inFlight.remove(sending);
        sending.items.forEach(item -> item.attempts--);
        waitedMillis -= sending.idleBefore;
        if (over == 0 && inFlight.isEmpty()) {
            firstAt = NEVER;
            deadlineAt = Long.MAX_VALUE;
        }
        return true;
    }

    /** Waits for no reply any more; what has gone out may have landed. */
    void abandonTo(List<Item> rest, Reason why) {
        for (Sending sending : List.copyOf(inFlight)) {
            if (!takeBack(sending)) {
                sending.abandon();
                inFlight.remove(sending);
                count(sending);
                timeline.add(round(sending, 0, 0, sending.items.size()));
                for (Item item : sending.items) {
                    item.maybeLanded = true;
                    item.failure = Failures.unanswered(why);
                }
            }
            rest.addAll(sending.items);
        }
    }

    /** Its reply is there. */
    void answered(Sending sending, long now) {
        inFlight.remove(sending);
        if (inFlight.isEmpty()) {
            idleSince = now;
        }
        count(sending);
    }

    private void count(Sending sending) {
        over++;
        for (Item item : sending.items) {
            rounds = Math.max(rounds, item.attempts);
        }
    }

    /** Adds what the reply said to the timeline. */
    Round conclude(Sending sending, long landed, long terminal, long unknown) {
        Round round = round(sending, landed, terminal, unknown);
        timeline.add(round);
        return round;
    }

    private Round round(Sending sending, long landed, long terminal, long unknown) {
        long items = sending.items.size();
        long residue = items - landed - terminal - unknown;
        long at = sending.plannedAt - firstAt;
        return new Round(1, at, sending.idleBefore, items, landed, terminal, residue, unknown);
    }

    boolean isInFlight(Sending sending) {
        return inFlight.contains(sending);
    }

    /** How many are in flight, the planned one included. */
    int inFlight() {
        return inFlight.size();
    }

    /** When the first one went out; -1 if none did. */
    long firstAt() {
        return firstAt;
    }

    /** How long ago the first one went out. */
    long elapsedMillis(long now) {
        return firstAt == NEVER ? 0 : now - firstAt;
    }

    /** When the run ends whatever has been reached; {@link Long#MAX_VALUE} if never. */
    long deadlineAt() {
        return deadlineAt;
    }

    /** How many have been answered or abandoned. */
    long over() {
        return over;
    }

    /** The most requests that one item has gone out in. */
    int rounds() {
        return rounds;
    }

    /** How long nothing was in flight between requests. */
    long waitedMillis() {
        return waitedMillis;
    }

    List<Round> timeline() {
        return timeline.rounds();
    }
}
