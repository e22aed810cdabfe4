/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.contacts;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * A file of contacts, one JSON object a line, the same in every run. Every hundredth has no last name, which an org does
 * not take.
 *
 * @param path where it is
 * @param contacts how many lines it has
 * @param nameless how many of them have no last name
 */
record ContactsFile(Path path, int contacts, int nameless) {

    private static final int NAMELESS_EVERY = 100;
    private static final List<String> FIRST_NAMES = List.of("Ada", "Bela", "Cleo", "Dag", "Edda", "Finn", "Gro", "Ivo");
    private static final List<String> LAST_NAMES = List.of("Alder", "Birch", "Cedar", "Elm", "Hazel", "Maple", "Rowan");

    static ContactsFile write(Path path, int contacts) throws IOException {
        Files.createDirectories(path.getParent());
        Random random = new Random(42);
        int nameless = 0;
        try (BufferedWriter out = Files.newBufferedWriter(path)) {
            for (int i = 0; i < contacts; i++) {
                ObjectNode contact = JsonNodeFactory.instance
                        .objectNode()
                        .put("Customer_Number__c", customerNumber(i))
                        .put("FirstName", FIRST_NAMES.get(random.nextInt(FIRST_NAMES.size())));
                if (i % NAMELESS_EVERY == NAMELESS_EVERY / 2 + 3) {
                    nameless++;
                } else {
                    contact.put("LastName", LAST_NAMES.get(random.nextInt(LAST_NAMES.size())));
                }
                out.write(
                        contact.put("Email", customerNumber(i) + "@example.com").toString());
                out.write('\n');
            }
        }
        return new ContactsFile(path, contacts, nameless);
    }

    /** What names the contact of a line, counted from 0. */
    static String customerNumber(int line) {
        return String.format(Locale.ROOT, "c-%05d", line);
    }
}
