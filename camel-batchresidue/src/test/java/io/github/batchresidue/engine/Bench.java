/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import io.github.batchresidue.engine.ExponentialBackOff.Jitter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;

/**
 * A run on a bench: items are letters, replies are played from a script, time is virtual, and what was sent is noted as
 * {@code "1000 cdef"}: at 1000 ms a request with the items c, d, e, f. The wait is 1000, 2000, 4000 ... without jitter.
 *
 * <p>A reply is written with one sign for each item: {@code +} landed, {@code r} residue, {@code t} terminal, {@code L}
 * too large, {@code v} victim, {@code u} unknown, {@code a} already. When the script is over, everything lands.
 */
final class Bench implements Source, Transport, DeadLetters {

    static final Failure BUSY = new Failure(429, "busy", "try later");
    static final Failure BAD = new Failure(400, "bad", "never");

    final VirtualTime time = new VirtualTime();
    final RunOptions.Builder options =
            RunOptions.builder().batchSize(6).backOff(new ExponentialBackOff(1000, 2, 60_000, Jitter.NONE));
    final List<String> requests = new ArrayList<>();
    final List<String> letters = new ArrayList<>();
    final List<Consumer<Reply>> open = new ArrayList<>();
    final Set<Character> detached = new HashSet<>();
    final List<Character> discarded = new ArrayList<>();
    final List<RunEnd> ends = new ArrayList<>();
    Transport transport = this;
    DeadLetters deadLetters = DeadLetters.NONE;
    Source source = this;
    Observer observer = Observer.NONE;
    DoubleSupplier random = () -> 0;
    Run run;

    private final Deque<Object> script = new ArrayDeque<>();
    private final Map<Character, Object> keys = new HashMap<>();
    private final Map<Character, Long> safeUntil = new HashMap<>();
    private final Map<Character, Refusal> refusals = new HashMap<>();
    private String items = "";
    private int read;
    private long latency;
    private boolean byHand;

    record Letter(
            char name,
            Object key,
            BooleanSupplier safe,
            Refusal refusal,
            Set<Character> detached,
            List<Character> discarded)
            implements Content {
        @Override
        public void discard() {
            discarded.add(name);
        }

        @Override
        public void detach() {
            detached.add(name);
        }

        @Override
        public boolean safeToResend() {
            return safe.getAsBoolean();
        }

        @Override
        public Object body() {
            return name;
        }

        @Override
        public long bytes() {
            return 1;
        }
    }

    Bench items(String names) {
        items = names;
        return this;
    }

    /** These items have the same key. */
    Bench key(String names) {
        names.chars().forEach(name -> keys.put((char) name, names));
        return this;
    }

    /** These items may be sent again after an unknown outcome. */
    Bench safe(String names) {
        return safeUntil(names, Long.MAX_VALUE);
    }

    /** These items may be sent again after an unknown outcome before this time. */
    Bench safeUntil(String names, long millis) {
        names.chars().forEach(name -> safeUntil.put((char) name, millis));
        return this;
    }

    Bench refused(char name, Reason reason) {
        refusals.put(name, new Refusal(reason, BAD));
        return this;
    }

    /** What comes back, in this order: signs as above, or a {@link Reply}, or a {@link RuntimeException} to throw. */
    Bench replies(Object... replies) {
        script.addAll(List.of(replies));
        return this;
    }

    /** Replies come so much later; without this they come during the call. */
    Bench latency(long millis) {
        latency = millis;
        return this;
    }

    /** Replies come when the test gives them to {@link #open}. */
    Bench byHand() {
        byHand = true;
        return this;
    }

    Bench start() {
        return start(RunState.NEW);
    }

    Bench start(RunState state) {
        run = new Run(
                options.build(),
                new Run.Collaborators(source, transport, deadLetters, time, random, observer),
                state,
                ends::add);
        run.start();
        return this;
    }

    /** Runs to the end and gives it. */
    RunEnd end() {
        if (run == null) {
            start();
        }
        time.run();
        return end(ends.size() == 1);
    }

    private RunEnd end(boolean once) {
        if (!once) {
            throw new AssertionError("the run has ended " + ends.size() + " times: " + requests);
        }
        return ends.get(0);
    }

    /** Goes on with the run that has just ended. */
    RunEnd resume() {
        RunState state = end(ends.size() == 1).state();
        ends.clear();
        start(state);
        time.run();
        return end(ends.size() == 1);
    }

    void answer(int request, Object reply) {
        open.get(request).accept(replyFor(sent.get(request), reply));
    }

    private final List<List<Item>> sent = new ArrayList<>();

    @Override
    public void send(List<Item> request, Transport.Answer reply) {
        requests.add(time.now() + " " + names(request));
        sent.add(request);
        open.add(reply);
        if (byHand) {
            return;
        }
        Object next = script.isEmpty() ? "+".repeat(request.size()) : script.remove();
        if (next instanceof RuntimeException e) {
            throw e;
        }
        if (latency == 0) {
            reply.accept(replyFor(request, next));
        } else {
            time.in(latency, () -> reply.accept(replyFor(request, next)));
        }
    }

    private static Reply replyFor(List<Item> request, Object next) {
        if (next instanceof Reply reply) {
            return reply;
        }
        return verdicts((String) next, 0);
    }

    static Reply verdicts(String signs, long hintMillis) {
        return new Reply.Verdicts(
                signs.chars().mapToObj(sign -> verdict((char) sign)).toList(), hintMillis);
    }

    private static Verdict verdict(char sign) {
        return switch (sign) {
            case '+' -> Verdict.landed();
            case 'r' -> Verdict.residue(BUSY);
            case 't' -> Verdict.terminal(BAD);
            case 'L' -> Verdict.tooLarge(BAD);
            case 'v' -> Verdict.victim(BUSY);
            case 'n' -> Verdict.notReached(BUSY);
            case 'u' -> Verdict.unknown(BUSY);
            case 'a' -> Verdict.already(BAD);
            default -> throw new IllegalArgumentException("sign " + sign);
        };
    }

    @Override
    public Content next() throws Exception {
        return read == items.length() ? null : content(items.charAt(read++));
    }

    private Content content(char name) {
        return new Letter(
                name,
                keys.get(name),
                () -> time.now() < safeUntil.getOrDefault(name, 0L),
                refusals.get(name),
                detached,
                discarded);
    }

    @Override
    public boolean exhausted() {
        return read == items.length();
    }

    @Override
    public boolean takes(Outcome outcome) {
        return true;
    }

    @Override
    public void deliver(List<LedgerItem> items, Consumer<Throwable> done) {
        letters.add(time.now() + " " + items.stream().map(Bench::describe).collect(Collectors.joining(", ")));
        done.accept(null);
    }

    static String names(List<Item> items) {
        return items.stream().map(item -> item.content().body().toString()).collect(Collectors.joining());
    }

    /** The items of a column, by name. */
    static String column(List<LedgerItem> items) {
        return items.stream().map(item -> item.body().toString()).collect(Collectors.joining());
    }

    /** Items that did not land, with their reason. */
    static List<String> dead(Ledger ledger) {
        List<LedgerItem> all = new ArrayList<>(ledger.terminalItems());
        all.addAll(ledger.givenUpItems());
        return all.stream().map(Bench::describe).toList();
    }

    static String describe(LedgerItem item) {
        return item.body() + " " + item.outcome() + " " + item.reason();
    }
}
