/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.benchmarks;

/** In which form a contestant is given the documents. */
enum Body {
    LIST("list of JSON bytes") {
        @Override
        void send(Documents documents, Contestant contestant) throws Exception {
            contestant.sendDocuments(documents.json());
        }
    },
    STREAM("raw _bulk stream") {
        @Override
        void send(Documents documents, Contestant contestant) throws Exception {
            contestant.sendText(documents.bulkText(), documents.count());
        }
    },
    MAPS("list of maps") {
        @Override
        void send(Documents documents, Contestant contestant) throws Exception {
            contestant.sendMaps(documents.maps());
        }
    };

    private final String text;

    Body(String text) {
        this.text = text;
    }

    abstract void send(Documents documents, Contestant contestant) throws Exception;

    @Override
    public String toString() {
        return text;
    }
}
