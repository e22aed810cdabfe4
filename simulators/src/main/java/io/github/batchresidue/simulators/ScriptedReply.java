/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.simulators;

import java.util.HashMap;
import java.util.Map;

/**
 * One answer of a simulated service, written out. Immutable.
 *
 * @param status HTTP status; not looked at if there is a fault
 * @param headers header fields beside those that the service always sends; one of the same name replaces them
 * @param body the body as it goes over the wire
 * @param fault what happens instead of an answer; null if the answer is sent
 */
public record ScriptedReply(int status, Map<String, String> headers, String body, Fault fault) {

    /** What happens to a request instead of an answer. */
    public enum Fault {
        /** The connection is reset after the request has been read. */
        RESET,
        /** No answer comes until the simulator is closed. */
        HANG
    }

    public ScriptedReply {
        headers = Map.copyOf(headers);
    }

    /** An answer with this status and body and no further header. */
    public static ScriptedReply of(int status, String body) {
        return new ScriptedReply(status, Map.of(), body, null);
    }

    /** No answer. */
    public static ScriptedReply of(Fault fault) {
        return new ScriptedReply(0, Map.of(), "", fault);
    }

    /** The same answer with one more header field. */
    public ScriptedReply withHeader(String name, String value) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(name, value);
        return new ScriptedReply(status, more, body, fault);
    }
}
