/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.engine.LedgerItem;
import org.apache.camel.CamelException;

/** Why one item ended without landing; the caught exception of its dead letter. */
public class BatchResidueItemException extends CamelException {

    private static final long serialVersionUID = 1L;

    public BatchResidueItemException(LedgerItem item) {
        super(describe(item));
    }

    private static String describe(LedgerItem item) {
        StringBuilder text = new StringBuilder()
                .append("item ")
                .append(item.index())
                .append(" is ")
                .append(item.outcome())
                .append(" (")
                .append(item.reason())
                .append(") after ")
                .append(item.attempts())
                .append(" attempts");
        if (item.failure().status() != 0) {
            text.append(", status ").append(item.failure().status());
        }
        if (item.failure().code() != null) {
            text.append(", code ").append(item.failure().code());
        }
        if (item.failure().message() != null) {
            text.append(": ").append(item.failure().message());
        }
        return text.toString();
    }

    /** It stands for what a service said, not for a place in the code. */
    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
