/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.readings;

import io.github.batchresidue.camel.BatchResidueConstants;
import io.github.batchresidue.engine.Ledger;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.camel.Exchange;
import org.apache.camel.main.Main;

/**
 * Sends 500 meter readings to a service that takes twenty at a time. Exits with 0 only if the service holds each acceptable
 * reading exactly once and every other one came as a dead letter.
 */
public final class SendReadings implements AutoCloseable {

    private static final int READINGS = 500;
    private static final int UNKNOWN_METER_EVERY = 50;

    private final ReadingsServer server;
    private final PrintStream out;
    private final RefusedReadings refused = new RefusedReadings();
    private final Main camel = new Main(SendReadings.class);

    SendReadings(ReadingsServer server, PrintStream out) {
        this.server = server;
        this.out = out;
        camel.addOverrideProperty("readings.server", server.address());
        // tag::bind[]
        camel.bind("readingsApi", new ReadingsApi());
        // end::bind[]
        camel.bind("refusedReadings", refused);
        camel.start();
    }

    public static void main(String[] args) {
        boolean isOk = false;
        try (ReadingsServer server = new ReadingsServer();
                SendReadings example = new SendReadings(server, System.out)) {
            isOk = example.send().isEmpty();
        } catch (Exception e) {
            System.out.println("NOT OK: " + e);
        }
        System.exit(isOk ? 0 : 1);
    }

    /** Sends the readings and tells what came of them; gives what is not as it should be. */
    List<String> send() {
        List<Map<String, Object>> readings = IntStream.rangeClosed(1, READINGS)
                .mapToObj(i -> Map.<String, Object>of(
                        "ref", "r-" + i, "meter", (i % UNKNOWN_METER_EVERY == 0 ? "x-" : "m-") + i, "value", i / 10.0))
                .toList();
        Exchange done = camel.getCamelContext()
                .createProducerTemplate()
                .request("direct:readings", exchange -> exchange.getMessage().setBody(readings));
        Ledger ledger = done.getProperty(BatchResidueConstants.LEDGER, Ledger.class);
        if (ledger == null) {
            throw new IllegalStateException("nothing was sent", done.getException());
        }
        Map<String, Integer> stored = server.stored();
        out.printf(
                "ledger: %d items, %d landed, %d terminal, %d given up, %d pending; %d requests in %d ms%n",
                ledger.items(),
                ledger.landed(),
                ledger.terminal(),
                ledger.givenUp(),
                ledger.pending(),
                ledger.requests(),
                ledger.elapsedMillis());
        out.println("the service holds " + stored.size() + " readings");
        out.println("refused: " + refused.lines());
        List<String> problems = problems(done, ledger, stored);
        out.println(problems.isEmpty() ? "OK: every reading is accounted for." : "NOT OK: " + problems);
        return problems;
    }

    private List<String> problems(Exchange done, Ledger ledger, Map<String, Integer> stored) {
        int unknown = READINGS / UNKNOWN_METER_EVERY;
        List<String> problems = new ArrayList<>();
        if (done.getException() != null) {
            problems.add("the run failed: " + done.getException());
        }
        if (ledger.items() != READINGS || ledger.landed() + ledger.terminal() != READINGS) {
            problems.add("not every reading landed or is terminal");
        }
        if (stored.size() != ledger.landed() || stored.values().stream().anyMatch(times -> times != 1)) {
            problems.add("the service does not hold each landed reading once");
        }
        if (ledger.terminal() != unknown || refused.lines().size() != unknown) {
            problems.add("expected " + unknown + " dead letters, found "
                    + refused.lines().size());
        }
        return problems;
    }

    @Override
    public void close() {
        camel.stop();
    }
}
