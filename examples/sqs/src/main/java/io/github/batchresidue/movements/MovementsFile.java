/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.movements;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A file of account movements, each a message as SQS knows it.
 *
 * @param byAccount the texts that a queue can take, in their order
 * @param bad how many no queue can take
 */
record MovementsFile(Path path, Map<String, List<String>> byAccount, int bad) {

    private static final int ACCOUNTS = 60;
    private static final int EVERY_BAD = 97;
    private static final String UNSENDABLE = "\\u0001";

    static MovementsFile write(Path path, int movements) throws IOException {
        Random random = new Random(42);
        Map<String, List<String>> byAccount = new LinkedHashMap<>();
        List<String> lines = new ArrayList<>(movements);
        int bad = 0;
        for (int i = 0; i < movements; i++) {
            String account = "account-" + random.nextInt(ACCOUNTS);
            String text = account + " movement " + i + " of " + (random.nextInt(20_000) - 10_000) / 100.0;
            boolean isBad = i % EVERY_BAD == EVERY_BAD - 1;
            if (isBad) {
                bad++;
            } else {
                byAccount.computeIfAbsent(account, name -> new ArrayList<>()).add(text);
            }
            lines.add("{\"MessageBody\":\"" + text + (isBad ? UNSENDABLE : "") + "\",\"MessageGroupId\":\"" + account
                    + "\"}");
        }
        Files.createDirectories(path.getParent());
        Files.write(path, lines);
        return new MovementsFile(path, byAccount, bad);
    }

    int acceptable() {
        return byAccount.values().stream().mapToInt(List::size).sum();
    }

    int movements() {
        return acceptable() + bad;
    }
}
