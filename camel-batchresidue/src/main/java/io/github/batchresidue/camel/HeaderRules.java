/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.camel.Message;

/** Which of the caller's headers go along: a left-over one must not steer a request or a dead letter elsewhere. */
final class HeaderRules {

    private static final String[] STEERING = {"Camel", "Content-", "Transfer-"};

    private HeaderRules() {}

    /**
     * The names of the option {@code delegateHeaders}, a comma list; header names know no case.
     *
     * @throws IllegalArgumentException naming the option if a name has an asterisk
     */
    static Set<String> names(String list) {
        if (list == null) {
            return Set.of();
        }
        if (list.indexOf('*') >= 0) {
            throw new IllegalArgumentException("delegateHeaders=" + list
                    + ": an asterisk stands for no name; write each header that the delegate needs, such as"
                    + " Content-Encoding,CamelHttpMethod (headers without Camel, Content- or Transfer- pass anyway)");
        }
        return Arrays.stream(list.split(","))
                .map(String::trim)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toCollection(() -> new TreeSet<>(String.CASE_INSENSITIVE_ORDER)));
    }

    /** Leaves what may reach the delegate. */
    static void keepForDelegate(Message message, Set<String> allowed) {
        message.getHeaders().keySet().removeIf(name -> isSteering(name, STEERING.length) && !allowed.contains(name));
    }

    /** Leaves what may reach a dead-letter endpoint. */
    static void keepForDeadLetter(Message message) {
        message.getHeaders().keySet().removeIf(name -> isSteering(name, 1));
    }

    private static boolean isSteering(String name, int prefixes) {
        return Arrays.stream(STEERING, 0, prefixes)
                .anyMatch(prefix -> name.regionMatches(true, 0, prefix, 0, prefix.length()));
    }
}
