/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.engine.Item;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.Observer;
import java.util.List;
import org.apache.camel.Exchange;

/** Sees what one run does, the exchanges of its requests and its end included. Called from many threads. */
interface RunObserver extends Observer {

    /** A request goes out: its exchange has been made, and the items are written next. */
    default void requesting(List<Item> items, Exchange request) {}

    /** The run has ended; nothing of it is seen any more but what other threads are late with. */
    default void finished(Ledger ledger) {}
}
