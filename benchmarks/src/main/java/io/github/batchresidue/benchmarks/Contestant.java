/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;

/** One way to bring documents to a {@code _bulk} URL, 1,000 per request. Used by one thread at a time. */
interface Contestant extends AutoCloseable {

    int BATCH = 1000;

    /** What is asked of an answer where the client can do with less than all of it. */
    String FILTER_PATH = "filter_path=errors,items.*.status,items.*.error";

    /** Sends documents that are there as JSON; returns when all has been done. */
    void sendDocuments(List<byte[]> json) throws Exception;

    /**
     * Sends the operations of a {@code _bulk} text.
     *
     * @param operations how many there are, for who would not know otherwise when all has been done
     */
    void sendText(InputStream bulkText, int operations) throws Exception;

    /** Sends documents that are there as maps. */
    void sendMaps(List<Map<String, Object>> maps) throws Exception;

    @Override
    void close() throws IOException;
}
