/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.books;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file of operations in the form of a {@code _bulk} request, two lines each. Some can never be accepted.
 *
 * @param operations how many
 * @param bad how many have a year that is no number
 * @param taken how many want to create a book that an earlier line has indexed
 */
record BooksFile(Path path, int operations, int bad, int taken) {

    private static final int BAD_EVERY = 2500;
    private static final int TAKEN_EVERY = 3001;

    static BooksFile write(Path path, int operations) throws IOException {
        Files.createDirectories(path.getParent());
        int bad = 0;
        int taken = 0;
        try (BufferedWriter out = Files.newBufferedWriter(path)) {
            for (int i = 1; i <= operations; i++) {
                boolean isBad = i % BAD_EVERY == 0;
                boolean isTaken = !isBad && i % TAKEN_EVERY == 0;
                bad += isBad ? 1 : 0;
                taken += isTaken ? 1 : 0;
                String action =
                        isTaken ? "{\"create\":{\"_id\":\"book-1\"}}" : "{\"index\":{\"_id\":\"book-" + i + "\"}}";
                String year = isBad ? "\"unknown\"" : Integer.toString(1900 + i % 125);
                out.write(action + "\n{\"title\":\"The story of number " + i + "\",\"year\":" + year + ",\"text\":\""
                        + "once upon a time ".repeat(1 + i % 20) + "\"}\n");
            }
        }
        return new BooksFile(path, operations, bad, taken);
    }

    long acceptable() {
        return (long) operations - bad - taken;
    }
}
