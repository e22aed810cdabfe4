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
         * Says that the request waits for something, a free thread perhaps. It goes out only after {@link #begin()}, and the
         * run may take it back before. One that was refused as if it had never been sent may wait again.
         */
        void letWait();

        /** To be asked when a request that waited would go out; if false it must not, and no reply is waited for. */
        boolean begin();
    }
}
