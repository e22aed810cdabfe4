/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import org.apache.camel.Exchange;

/**
 * The marks for rollback that routes of a delegate and of dead letters have set in one run: they mean the caller's
 * transaction. They are put on its exchange when the run ends; an answer that comes later finds it somewhere else.
 */
final class RollbackMarks {

    private volatile boolean isRollbackOnly;
    private volatile boolean isRollbackOnlyLast;

    void takeFrom(Exchange child) {
        if (child.isRollbackOnly()) {
            isRollbackOnly = true;
        }
        if (child.isRollbackOnlyLast()) {
            isRollbackOnlyLast = true;
        }
    }

    void putOn(Exchange caller) {
        if (isRollbackOnly) {
            caller.setRollbackOnly(true);
        }
        if (isRollbackOnlyLast) {
            caller.setRollbackOnlyLast(true);
        }
    }
}
