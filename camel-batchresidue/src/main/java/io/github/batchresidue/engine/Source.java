/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.engine;

/** Where a run reads its items, one after the other. Used by one thread at a time. */
public interface Source {

    /** A source without items. */
    Source EMPTY = new Source() {
        @Override
        public Content next() {
            return null;
        }

        @Override
        public boolean exhausted() {
            return true;
        }
    };

    /**
     * The next item, or null when there is none left. May block while the input is read: that holds up neither replies
     * nor waits nor the end of the run.
     *
     * @throws Exception if the input cannot be read any further; the run then ends what it has read and fails
     */
    Content next() throws Exception;

    /** True if it is known without waiting that nothing is left. */
    boolean exhausted();
}
