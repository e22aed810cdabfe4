/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.camel.Exchange;
import org.apache.camel.ExchangePattern;
import org.apache.camel.ExchangePropertyKey;
import org.apache.camel.support.ExchangeHelper;
import org.apache.camel.support.UnitOfWorkHelper;

/** Exchanges that belong to the caller's: traces and transactions reach them, a state of failure does not. */
final class ChildExchanges {

    private ChildExchanges() {}

    static Exchange of(Exchange parent) {
        Exchange child = ExchangeHelper.createCorrelatedCopy(parent, false);
        child.setPattern(ExchangePattern.InOut);
        child.setException(null);
        child.setRollbackOnly(false);
        child.setRollbackOnlyLast(false);
        child.setRouteStop(false);
        child.getExchangeExtension().setRedeliveryExhausted(false);
        // A caller that no longer waits is marked like this, and the run goes on: routes drop what is marked.
        child.getExchangeExtension().setInterrupted(false);
        child.getExchangeExtension().setErrorHandlerHandled(null);
        child.getExchangeExtension().setFailureHandled(false);
        child.removeProperty(BatchResidueConstants.LEDGER);
        FailedRun.removeFrom(child);
        child.removeProperty(ExchangePropertyKey.CIRCUIT_BREAKER_RESPONSE_REJECTED);
        if (parent.isTransacted()) {
            child.getExchangeExtension().setTransacted(true);
            if (parent.getProperty(Exchange.TRANSACTION_CONTEXT_DATA) == null) {
                parent.setProperty(Exchange.TRANSACTION_CONTEXT_DATA, new ConcurrentHashMap<>());
            }
            child.setProperty(Exchange.TRANSACTION_CONTEXT_DATA, parent.getProperty(Exchange.TRANSACTION_CONTEXT_DATA));
        }
        return child;
    }

    /** What items may take their parts from: the caller's exchange with its id, as far as requests see it. */
    static Exchange seenByItems(Exchange caller, Set<String> delegateHeaders) {
        Exchange seen = caller.copy();
        seen.setExchangeId(caller.getExchangeId());
        seen.getMessage().setBody(null);
        HeaderRules.keepForDelegate(seen.getMessage(), delegateHeaders);
        return seen;
    }

    /**
     * Frees what its endpoint left to be freed when an exchange completes, such as cached streams: the parent may have a
     * million children before it completes itself.
     */
    static void cleanUp(Exchange child) {
        UnitOfWorkHelper.doneSynchronizations(
                child, child.getExchangeExtension().handoverCompletions());
    }
}
