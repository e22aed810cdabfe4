/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi;

import io.github.batchresidue.engine.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The options {@code retryableErrors}, {@code terminalErrors} and {@code landedErrors}: what the user says of an error
 * before the API's own table is asked. A rule is an HTTP status ({@code 429}), a class of statuses ({@code 5xx}) or an error
 * code in which {@code *} stands for anything, each on request for one operation only ({@code create:409}). Immutable.
 */
public final class ErrorRules {

    /** What an error means. */
    public enum Meaning {
        TERMINAL,
        LANDED,
        RETRYABLE
    }

    private record Rule(Meaning meaning, String operation, Pattern status, Pattern code) {

        boolean matches(String itemOperation, Failure failure) {
            if (operation != null && !operation.equals(itemOperation)) {
                return false;
            }
            return status != null
                    ? status.matcher(Integer.toString(failure.status())).matches()
                    : failure.code() != null && code.matcher(failure.code()).matches();
        }
    }

    private static final Pattern STATUS = Pattern.compile("[1-5](\\d\\d|[xX]{2})");

    /** What is meant for a status, or for a class of statuses, and is none. */
    private static final Pattern NO_STATUS = Pattern.compile("[6-9]\\d\\d|[06-9][xX]{2}|\\d{1,2}[xX]");

    private final Set<String> operations;
    private final List<Rule> rules = new ArrayList<>();

    /**
     * Reads the three options, each a comma list or null.
     *
     * @param operations those of the {@link BulkApi}
     * @throws IllegalArgumentException naming the option if a rule is empty, looks like a status and is none, or is for an
     *     operation that no item has
     */
    public ErrorRules(Set<String> operations, String terminal, String landed, String retryable) {
        this.operations = operations;
        add("terminalErrors", terminal, Meaning.TERMINAL);
        add("landedErrors", landed, Meaning.LANDED);
        add("retryableErrors", retryable, Meaning.RETRYABLE);
    }

    /** What the user says of an item's error; terminal goes before landed, landed before retryable. */
    public Optional<Meaning> ofItem(String operation, Failure failure) {
        if (rules.isEmpty()) {
            return Optional.empty(); // Asked for every item that did not land; most users give no rules.
        }
        return rules.stream()
                .filter(rule -> rule.matches(operation, failure))
                .map(Rule::meaning)
                .findFirst();
    }

    /** What the user says of the failure of a whole request; a request cannot land by its error. */
    public Optional<Meaning> ofRequest(Failure failure) {
        return rules.stream()
                .filter(rule -> rule.meaning != Meaning.LANDED && rule.matches(null, failure))
                .map(Rule::meaning)
                .findFirst();
    }

    private void add(String option, String list, Meaning meaning) {
        if (list == null) {
            return;
        }
        for (String part : list.split(",", -1)) {
            String text = part.trim();
            int colon = text.indexOf(':');
            String operation = colon < 0 ? null : text.substring(0, colon);
            String error = text.substring(colon + 1);
            if (error.isEmpty() || "".equals(operation)) {
                throw new IllegalArgumentException(option + "=" + list
                        + ": expected a list such as 429,5xx,es_rejected_*,create:409, found '" + text + "'");
            }
            if (NO_STATUS.matcher(error).matches()) {
                throw new IllegalArgumentException(option + "=" + list + ": '" + error
                        + "' is no HTTP status (100 to 599) and no class of them (1xx to 5xx)");
            }
            if (operation != null && !operations.contains(operation)) {
                throw new IllegalArgumentException(option + "=" + list + ": '" + operation
                        + "' is no operation of the bulk API; "
                        + (operations.isEmpty()
                                ? "its items have none, write '" + error + "'"
                                : "its operations: " + String.join(", ", new TreeSet<>(operations))));
            }
            boolean isStatus = STATUS.matcher(error).matches();
            rules.add(new Rule(
                    meaning,
                    operation,
                    isStatus ? Pattern.compile(error.replaceAll("[xX]", "\\\\d")) : null,
                    isStatus ? null : Pattern.compile(Pattern.quote(error).replace("*", "\\E.*\\Q"))));
        }
    }
}
