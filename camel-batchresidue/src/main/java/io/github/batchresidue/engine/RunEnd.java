/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

/**
 * How a run ended.
 *
 * @param ledger what became of every item
 * @param state what is needed to go on with the run
 * @param failure why the run failed: the cause of the transport failure or refusal; null if it did not
 * @param inputFailure why the source could not be read any further; null if it could
 * @param deadLetterFailure the first failure of a dead-letter endpoint; null if there was none
 * @param cutOff what ended the run before it had ended by itself, {@code TIMEOUT} or {@code SHUTDOWN}; null if nothing did
 */
public record RunEnd(
        Ledger ledger,
        RunState state,
        Throwable failure,
        Exception inputFailure,
        Throwable deadLetterFailure,
        Reason cutOff) {}
