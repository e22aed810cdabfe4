/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.contacts;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.batchresidue.camel.BatchResidueConstants;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.simulators.SalesforceObject;
import io.github.batchresidue.simulators.SalesforceOrg;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.main.Main;

/**
 * Runs {@link ContactsRoute}: a file of contacts goes into a simulated org that holds some of them already, locks rows, ends
 * sessions, is over its limit for a moment and loses an answer. Exits with 0 only if the org holds every acceptable contact
 * once and the file of dead letters all others.
 */
public final class SyncContacts implements AutoCloseable {

    static final Path DIRECTORY = Path.of("target", "salesforce");
    private static final Path DEAD_LETTERS = DIRECTORY.resolve("dead-letters.ndjson");
    private static final int CONTACTS = 2000;
    private static final int KNOWN_EVERY = 10;
    private static final int LOCKED_EVERY = 25;
    private static final int REQUESTS_OF_A_SESSION = 4;
    /** The third of these is locked for longer than anybody tries. */
    private static final int[] TIMES_LOCKED = {1, 2, 100, 3};

    private final SalesforceOrg org;
    private final SalesforceObject contacts;
    private final PrintStream out;
    private final Progress progress;
    /** Finds the routes in the package of the class. */
    private final Main camel = new Main(SyncContacts.class);

    SyncContacts(SalesforceOrg org, PrintStream out) {
        this.org = org;
        this.contacts = org.createObject("Contact").requires("LastName").unique("Customer_Number__c");
        this.out = out;
        this.progress = new Progress(out);
        camel.addOverrideProperty("contacts.org", org.endpoint().toString());
        camel.addOverrideProperty("contacts.directory", DIRECTORY.toString());
        // Camel notifies every event notifier that it finds in the registry.
        camel.bind("progress", progress);
        camel.start();
    }

    public static void main(String[] args) {
        boolean isOk = false;
        try (SalesforceOrg org = new SalesforceOrg();
                SyncContacts sync = new SyncContacts(org, System.out)) {
            isOk = sync.send(ContactsFile.write(DIRECTORY.resolve("contacts.ndjson"), CONTACTS))
                    .isEmpty();
        } catch (Exception e) {
            System.out.println("NOT OK: " + e);
        }
        System.exit(isOk ? 0 : 1);
    }

    /** Sends a file and tells what came of it; gives what is not as it should be. */
    List<String> send(ContactsFile file) throws Exception {
        int known = 0;
        for (int i = 0; i < file.contacts(); i += KNOWN_EVERY) {
            contacts.insert(Map.of("Customer_Number__c", ContactsFile.customerNumber(i), "LastName", "of last year"));
            known++;
        }
        int locked = 0;
        for (int i = 7; i < file.contacts(); i += LOCKED_EVERY) {
            int times = TIMES_LOCKED[locked % TIMES_LOCKED.length];
            contacts.lock("Customer_Number__c", ContactsFile.customerNumber(i), times);
            locked++;
        }
        org.sessionsLast(REQUESTS_OF_A_SESSION).limitRequests(1).loseAnswers(1);
        Files.write(DEAD_LETTERS, new byte[0]);
        out.printf(
                Locale.ROOT,
                "%n%,d contacts in %s, %d of them without a last name. The org knows %d already, has %d rows%n"
                        + "locked, ends a session after %d requests, is over its limit once and loses an answer.%n%n",
                file.contacts(),
                file.path(),
                file.nameless(),
                known,
                locked,
                REQUESTS_OF_A_SESSION);
        progress.printHead();
        Exchange done = camel.getCamelContext()
                .createProducerTemplate()
                .request("direct:contacts", exchange -> exchange.getMessage()
                        .setBody(file.path().toFile()));
        Ledger ledger = done.getProperty(BatchResidueConstants.LEDGER, Ledger.class);
        if (ledger == null) {
            throw new IllegalStateException("nothing was sent", done.getException());
        }
        List<String> deadLetters = Files.readAllLines(DEAD_LETTERS);
        printSummary(ledger, known, deadLetters);
        List<String> problems = problems(file, done, ledger, deadLetters.size());
        out.println(problems.isEmpty() ? "OK: every contact is accounted for." : "NOT OK: " + problems);
        return problems;
    }

    private void printSummary(Ledger ledger, int known, List<String> deadLetters) {
        out.printf(
                Locale.ROOT,
                "%n  ledger: %,d items, %,d landed, %d terminal, %d given up, %d pending%n",
                ledger.items(),
                ledger.landed(),
                ledger.terminal(),
                ledger.givenUp(),
                ledger.pending());
        out.printf(
                Locale.ROOT,
                "  org: %,d contacts, %d of them from before; %d times a row was locked, %d sessions%n",
                contacts.records().size(),
                known,
                contacts.lockedOut(),
                org.logins());
        out.printf(
                Locale.ROOT,
                "  %d requests in %.1f s, at most %d for one contact%n",
                ledger.requests(),
                ledger.elapsedMillis() / 1000.0,
                ledger.rounds());
        out.printf("%nThe dead letters, in %s:%n", DEAD_LETTERS);
        deadLetters.stream()
                .limit(4)
                .forEach(line -> out.println("  " + line.substring(0, Math.min(150, line.length())) + " …"));
        out.println();
    }

    private List<String> problems(ContactsFile file, Exchange done, Ledger ledger, long deadLetters) {
        List<String> problems = new ArrayList<>();
        if (done.getException() != null) {
            problems.add("the run failed: " + done.getException());
        }
        requireEqual("lines of the file", file.contacts(), "items read", ledger.items(), problems);
        requireEqual("without a last name", file.nameless(), "terminal", ledger.terminal(), problems);
        requireEqual(
                "terminal and given up", ledger.terminal() + ledger.givenUp(), "dead letters", deadLetters, problems);
        requireEqual("pending", ledger.pending(), "none", 0, problems);
        requireEqual("requests of the ledger", ledger.requests(), "requests seen", progress.requests(), problems);
        // The file says an e-mail address for each contact; those from before had none.
        List<String> arrived = contacts.records().stream()
                .filter(contact -> contact.has("Email"))
                .map(SyncContacts::customerNumberOf)
                .toList();
        requireEqual("landed", ledger.landed(), "contacts in the org", arrived.size(), problems);
        requireEqual(
                "contacts",
                arrived.size(),
                "customer numbers",
                arrived.stream().distinct().count(),
                problems);
        return problems;
    }

    private static String customerNumberOf(JsonNode contact) {
        return contact.get("Customer_Number__c").textValue();
    }

    private static void requireEqual(String one, long a, String other, long b, List<String> problems) {
        if (a != b) {
            problems.add(one + " (" + a + ") differs from " + other + " (" + b + ")");
        }
    }

    @Override
    public void close() {
        camel.stop();
    }
}
