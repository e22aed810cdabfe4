/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.benchmarks;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Has the contestants send the same documents to the same server, all in this process and taking turns, and prints what
 * it costs each: medians over the rounds. {@code --check} ends with status 1 if the component is not as good as it is
 * meant to be; {@code --rounds=N} says how many rounds count.
 */
public final class SideBySide {

    /** The contestants. */
    private enum Name {
        A("(a) batchresidue:http"),
        B("(b) Apache HttpClient 5 by hand"),
        B_KEPT("(b+) the same with one kept buffer"),
        C("(c) Elastic BulkIngester"),
        D("(d) Camel split, aggregate, http");

        private final String text;

        Name(String text) {
            this.text = text;
        }
    }

    /** Compilers need seconds of a client's own work before they have done with it. */
    private static final int WARM_UP_ROUNDS = 6;

    /** What is shorter measures the scheduler. */
    private static final double SECONDS_OF_A_TURN = 0.5;

    private static final long WAIT_MILLIS = 200;

    private final PrintStream out = System.out;
    private final Targets targets = new Targets(out);
    private final LoopbackBulkServer server;
    private final Map<Name, Contestant> contestants = new EnumMap<>(Name.class);
    private final int rounds;

    private SideBySide(LoopbackBulkServer server, int rounds) throws Exception {
        this.server = server;
        this.rounds = rounds;
        contestants.put(Name.A, new BatchResidue(server.url(), WAIT_MILLIS));
        contestants.put(Name.B, new HandWritten(server.url(), WAIT_MILLIS, false));
        contestants.put(Name.B_KEPT, new HandWritten(server.url(), WAIT_MILLIS, true));
        contestants.put(Name.C, new ElasticIngester(server.baseUrl()));
        contestants.put(Name.D, new PlainCamel(server.url()));
    }

    public static void main(String[] args) throws Exception {
        List<String> options = List.of(args);
        int rounds = options.stream()
                .filter(option -> option.startsWith("--rounds="))
                .mapToInt(option -> Integer.parseInt(option.substring("--rounds=".length())))
                .findFirst()
                .orElse(5);
        boolean isGood;
        try (LoopbackBulkServer server = new LoopbackBulkServer()) {
            SideBySide run = new SideBySide(server, rounds);
            isGood = run.measureAll();
            for (Contestant contestant : run.contestants.values()) {
                contestant.close();
            }
        }
        System.exit(options.contains("--check") && !isGood ? 1 : 0);
    }

    private boolean measureAll() throws Exception {
        printMachine();
        measure(new Documents(300_000, 126));
        measure(new Documents(60_000, 2500));
        printMachine();
        return targets.areMet();
    }

    private void printMachine() {
        out.printf(
                Locale.ROOT,
                "Java %s, %d processors, load average %.2f%n",
                Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    private void measure(Documents documents) throws Exception {
        int size = documents.size();
        for (Body body : List.of(Body.LIST, Body.STREAM)) {
            Map<Name, Sample> costs = race(documents, body, Delivery.Mode.COUNTING, contestants.keySet());
            String what = size + " B, " + body + ": ";
            targets.atLeast(0.9, what + "items/s of (a) / (b)", ratio(costs, Name.B));
            targets.atLeast(4, what + "items/s of (a) / (c)", ratio(costs, Name.C));
            targets.atLeast(3, what + "items/s of (a) / (d)", ratio(costs, Name.D));
            targets.atMost(
                    300, what + "bytes per item of (a)", costs.get(Name.A).bytesPerItem());
        }
        Set<Name> mapTakers = Set.of(Name.A, Name.B, Name.B_KEPT);
        Map<Name, Sample> costs = race(documents, Body.MAPS, Delivery.Mode.COUNTING, mapTakers);
        targets.atLeast(0.9, size + " B, " + Body.MAPS + ": items/s of (a) / (b)", ratio(costs, Name.B));
        measureRejections(documents.first(Math.min(documents.count(), 90_000)));
    }

    /** Few enough items that all of those rejected may wait at once: then there is one wait. */
    private void measureRejections(Documents documents) throws Exception {
        Map<Name, Sample> clean = race(documents, Body.LIST, Delivery.Mode.CHECKING, contestants.keySet());
        Map<Name, Sample> rejecting = race(documents, Body.LIST, Delivery.Mode.REJECTING_ONCE, contestants.keySet());
        String what = documents.size() + " B, 10 % rejected once: without its wait / clean, ";
        targets.atMost(1.1, what + "(a)", withoutWait(rejecting, clean, Name.A));
        for (Name other : List.of(Name.B, Name.B_KEPT)) {
            targets.compare(
                    what + other.text.substring(0, other.text.indexOf(' ')), withoutWait(rejecting, clean, other));
        }
    }

    private static double withoutWait(Map<Name, Sample> rejecting, Map<Name, Sample> clean, Name name) {
        return (rejecting.get(name).seconds() - WAIT_MILLIS / 1000.0)
                / clean.get(name).seconds();
    }

    private static double ratio(Map<Name, Sample> costs, Name other) {
        return costs.get(Name.A).itemsPerSecond() / costs.get(other).itemsPerSecond();
    }

    private Map<Name, Sample> race(Documents documents, Body body, Delivery.Mode mode, Set<Name> names)
            throws Exception {
        Map<Name, List<Sample>> samples = new EnumMap<>(Name.class);
        names.forEach(name -> samples.put(name, new ArrayList<>()));
        for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
            for (Name name : samples.keySet()) {
                // Of the first round it is checked that every document comes exactly once.
                boolean isFirst = round == -WARM_UP_ROUNDS && mode == Delivery.Mode.COUNTING;
                Sample sample = turn(documents, body, contestants.get(name), isFirst ? Delivery.Mode.CHECKING : mode);
                if (round >= 0) {
                    samples.get(name).add(sample);
                }
            }
        }
        Map<Name, Sample> medians = new EnumMap<>(Name.class);
        samples.forEach((name, list) -> medians.put(name, Sample.median(list)));
        print(documents.size() + " B, " + body + ", " + mode, medians);
        return medians;
    }

    /** Sends the documents as often as it takes to be worth measuring; the sample is the mean. */
    private Sample turn(Documents documents, Body body, Contestant contestant, Delivery.Mode mode) throws Exception {
        List<Sample> sent = new ArrayList<>();
        double seconds = 0;
        while (seconds < SECONDS_OF_A_TURN) {
            Sample sample = send(documents, body, contestant, mode);
            sent.add(sample);
            seconds += sample.seconds();
        }
        return Sample.mean(sent);
    }

    private Sample send(Documents documents, Body body, Contestant contestant, Delivery.Mode mode) throws Exception {
        System.gc(); // Nobody pays for what others have left behind.
        Delivery delivery = server.expect(documents.count(), mode);
        Allocations allocations = Allocations.ofAllBut(server.threads());
        long begin = System.nanoTime();
        body.send(documents, contestant);
        double seconds = (System.nanoTime() - begin) / 1e9;
        double bytes = allocations.bytes();
        delivery.verify(documents.bytes());
        return new Sample(documents.count(), seconds, bytes / documents.count(), delivery.requests(), delivery.lost());
    }

    private void print(String title, Map<Name, Sample> medians) {
        out.printf("%n%-60s %12s %8s %9s %7s%n", title, "items/s", "B/item", "requests", "lost");
        medians.forEach((name, sample) -> out.printf(
                Locale.ROOT,
                "%-60s %,12.0f %8.0f %9d %7d%n",
                name.text,
                sample.itemsPerSecond(),
                sample.bytesPerItem(),
                sample.requests(),
                sample.lost()));
    }
}
