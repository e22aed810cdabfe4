/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

import java.util.List;
import java.util.function.Consumer;

/** Performs one request. */
@FunctionalInterface
public interface Transport {

    /**
     * Sends the items in this order and hands over what came back, exactly once, during the call or later and from any
     * thread. A second reply is ignored. A thrown exception, or null for a reply, counts as
     * {@link Reply.TransportFailed} of which something may have landed. For requests in parallel the call has to return
     * before the reply is there.
     */
    void send(List<Item> items, Answer reply);

    /** Takes the reply to one request. */
    interface Answer extends Consumer<Reply> {

        /**
         * Whether the request may still begin. To be asked by a transport that has let it wait after the call, for a free
         * thread perhaps; if not, nothing may be sent, and no reply is waited for.
         */
        boolean isWanted();
    }
}
