/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.camel.EndpointStatistics.Total;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Round;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.apache.camel.spi.annotations.DevConsole;
import org.apache.camel.support.console.AbstractDevConsole;

/** Shows the endpoints with their totals, and the runs in progress with their last rounds. */
@DevConsole(
        name = "batchresidue",
        displayName = "Batch Residue",
        description = "Endpoints that send in bulk, their totals and runs in progress")
public class BatchResidueConsole extends AbstractDevConsole {

    /** Option: the most endpoints to show, and of each the most runs; a whole number. */
    public static final String LIMIT = "limit";

    private static final int DEFAULT_LIMIT = 100;

    public BatchResidueConsole() {
        super(
                "camel",
                "batchresidue",
                "Batch Residue",
                "Endpoints that send in bulk, their totals and runs in progress");
    }

    @Override
    protected String doCallText(Map<String, Object> options) {
        StringBuilder text = new StringBuilder();
        for (BatchResidueEndpoint endpoint : endpoints(options)) {
            text.append(withOptions(endpoint))
                    .append(" (")
                    .append(idOf(endpoint))
                    .append(")");
            text.append(System.lineSeparator());
            text.append("    ").append(totals(endpoint)).append(System.lineSeparator());
            for (RunProgress run : runs(endpoint, options)) {
                text.append("    exchange ")
                        .append(run.exchangeId())
                        .append(": ")
                        .append(numbers(run))
                        .append(System.lineSeparator());
                run.latest()
                        .forEach(step ->
                                text.append("        ").append(numbers(step)).append(System.lineSeparator()));
            }
        }
        return text.toString();
    }

    @Override
    protected Map<String, Object> doCallJson(Map<String, Object> options) {
        return Map.of(
                "endpoints",
                endpoints(options).stream()
                        .map(endpoint -> {
                            Map<String, Object> json = new LinkedHashMap<>();
                            json.put("id", idOf(endpoint));
                            json.put("endpoint", endpoint.toString());
                            json.put("delegate", endpoint.getDelegate());
                            json.put("options", endpoint.printableOptions());
                            json.putAll(totals(endpoint));
                            json.put(
                                    "runs",
                                    runs(endpoint, options).stream()
                                            .map(BatchResidueConsole::json)
                                            .toList());
                            return json;
                        })
                        .toList());
    }

    /** Tells apart what may differ only in options of the delegate, which are not shown. */
    private static String idOf(BatchResidueEndpoint endpoint) {
        return Integer.toHexString(System.identityHashCode(endpoint));
    }

    private static String withOptions(BatchResidueEndpoint endpoint) {
        StringJoiner options = new StringJoiner("&", "?", "").setEmptyValue("");
        endpoint.printableOptions().forEach((name, value) -> options.add(name + "=" + value));
        return endpoint.toString() + options;
    }

    private static Map<String, Object> json(RunProgress run) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("exchangeId", run.exchangeId());
        json.putAll(numbers(run));
        json.put(
                "timeline",
                run.latest().stream().map(BatchResidueConsole::numbers).toList());
        return json;
    }

    private static Map<String, Object> totals(BatchResidueEndpoint endpoint) {
        EndpointStatistics statistics = endpoint.statistics();
        Map<String, Object> totals = new LinkedHashMap<>();
        totals.put("items", statistics.items());
        totals.put("landed", statistics.get(Total.LANDED));
        totals.put("terminal", statistics.get(Total.TERMINAL));
        totals.put("givenUp", statistics.get(Total.GIVEN_UP));
        totals.put("pending", statistics.get(Total.PENDING));
        totals.put("resent", statistics.get(Total.RESENT));
        totals.put("waiting", endpoint.getItemsWaiting());
        totals.put("requests", statistics.get(Total.REQUESTS));
        totals.put("rounds", statistics.get(Total.ROUNDS));
        totals.put("waits", statistics.get(Total.WAITS));
        totals.put("waitedMillis", statistics.get(Total.WAITED_MILLIS));
        totals.put("runsEnded", statistics.get(Total.RUNS));
        totals.put("runsInProgress", endpoint.getRunsInProgress());
        return totals;
    }

    private static Map<String, Object> numbers(RunProgress run) {
        Map<String, Object> numbers = new LinkedHashMap<>();
        if (run.routeId() != null) {
            numbers.put("routeId", run.routeId());
        }
        numbers.put("elapsedMillis", run.elapsedMillis());
        numbers.put("inFlight", run.inFlight());
        numbers.put("waiting", run.waiting());
        return numbers;
    }

    private static Map<String, Object> numbers(RunProgress.Step step) {
        Round round = step.round();
        Map<String, Object> numbers = new LinkedHashMap<>();
        numbers.put("atMillis", round.atMillis());
        numbers.put("waitMillis", round.waitMillis());
        numbers.put("items", round.items());
        numbers.put("landed", round.landed());
        numbers.put("terminal", round.terminal());
        numbers.put("residue", round.residue());
        numbers.put("unknown", round.unknown());
        if (step.nextWaitMillis() >= 0) {
            numbers.put("nextWaitMillis", step.nextWaitMillis());
        }
        Failure failure = step.failure();
        if (failure != null && failure.status() != 0) {
            numbers.put("status", failure.status());
        }
        if (failure != null && failure.code() != null) {
            numbers.put("code", failure.code());
        }
        return numbers;
    }

    private List<BatchResidueEndpoint> endpoints(Map<String, Object> options) {
        return getCamelContext().getEndpoints().stream()
                .map(DelegateCall::unwrap)
                .filter(BatchResidueEndpoint.class::isInstance)
                .map(BatchResidueEndpoint.class::cast)
                .sorted(Comparator.comparing(BatchResidueConsole::withOptions))
                .limit(limit(options))
                .toList();
    }

    /** The oldest first. */
    private static List<RunProgress> runs(BatchResidueEndpoint endpoint, Map<String, Object> options) {
        return endpoint.runsInProgress()
                .sorted(Comparator.comparing(RunProgress::elapsedMillis).reversed())
                .limit(limit(options))
                .toList();
    }

    private static int limit(Map<String, Object> options) {
        Object limit = options.get(LIMIT);
        try {
            return limit == null ? DEFAULT_LIMIT : Math.max(0, Integer.parseInt(limit.toString()));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(LIMIT + "=" + limit + ": expected a whole number", e);
        }
    }
}
