/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.benchmarks;

/** What the server has received since it began to count: so a contestant that loses or repeats something is found out. */
final class Delivery {

    /** What the server does with documents beside counting them. */
    enum Mode {
        /** All are taken. */
        COUNTING,
        /** All are taken, and each has to come exactly once. */
        CHECKING,
        /** Every tenth is rejected when it comes first; each has to land exactly once. */
        REJECTING_ONCE
    }

    private static final byte REJECTED = 1;
    private static final byte LANDED = 2;

    private final Mode mode;
    private final int expected;
    private final byte[] states;
    private int requests;
    private long operations;
    private long documentBytes;
    private long landed;
    private long repeated;

    Delivery(int expected, Mode mode) {
        this.mode = mode;
        this.expected = expected;
        this.states = new byte[mode == Mode.COUNTING ? 0 : expected];
    }

    boolean isReadingNumbers() {
        return mode != Mode.COUNTING;
    }

    /** Takes a document; false if it is rejected. */
    synchronized boolean take(int number) {
        if (mode == Mode.REJECTING_ONCE && number % 10 == 3 && states[number] == 0) {
            states[number] = REJECTED;
            return false;
        }
        if (states[number] == LANDED) {
            repeated++;
        } else {
            states[number] = LANDED;
            landed++;
        }
        return true;
    }

    synchronized void received(int requestOperations, long requestDocumentBytes) {
        requests++;
        operations += requestOperations;
        documentBytes += requestDocumentBytes;
    }

    synchronized int requests() {
        return requests;
    }

    /** Documents that were rejected and never came again. */
    synchronized long lost() {
        return mode == Mode.COUNTING ? expected - operations : expected - landed;
    }

    /** @throws IllegalStateException if something came too often, or in other bytes */
    synchronized void verify(long expectedBytes) {
        long each = expectedBytes / expected;
        if (documentBytes != operations * each) {
            throw new IllegalStateException(
                    operations + " documents with " + documentBytes + " bytes, expected " + each + " bytes each");
        }
        if (repeated > 0 || operations > expected && mode != Mode.REJECTING_ONCE) {
            throw new IllegalStateException(operations + " documents came, of " + expected + "; " + repeated
                    + " came again after they had landed");
        }
    }
}
