/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.benchmarks;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;

/** The JSON of an answer, in the words of Elasticsearch. */
public enum AnswerText {
    /** With full results. */
    FULL(
            "{\"took\":1,\"errors\":",
            "{\"index\":{\"_index\":\"books\",\"_id\":\"b7ZxApkBq2V1Zk0Yc3Rw\",\"_version\":1,\"result\":\"created\","
                    + "\"_shards\":{\"total\":2,\"successful\":1,\"failed\":0},\"_seq_no\":1,\"_primary_term\":1,"
                    + "\"status\":201}}",
            "{\"index\":{\"_index\":\"books\",\"_id\":\"b7ZxApkBq2V1Zk0Yc3Rw\"," + AnswerText.ERROR + "}}"),
    /** As {@code filter_path=errors,items.*.status,items.*.error} leaves it. */
    FILTERED("{\"errors\":", "{\"index\":{\"status\":201}}", "{\"index\":{" + AnswerText.ERROR + "}}");

    private static final String ERROR =
            "\"status\":429,\"error\":{\"type\":\"es_rejected_execution_exception\",\"reason\":\"rejected execution of"
                    + " coordinating operation [coordinating_and_primary_bytes=53687091, replica_bytes=0,"
                    + " all_bytes=53687091, coordinating_operation_bytes=1024,"
                    + " max_coordinating_and_primary_bytes=53687091]\"}";

    private final String start;
    private final byte[] created;
    private final byte[] refused;

    AnswerText(String start, String created, String refused) {
        this.start = start;
        this.created = created.getBytes(StandardCharsets.UTF_8);
        this.refused = refused.getBytes(StandardCharsets.UTF_8);
    }

    /** An answer for so many operations, of which some were rejected for lack of capacity. */
    byte[] of(int operations, BitSet rejected) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(operations * (created.length + 1) + 64);
        out.writeBytes((start + !rejected.isEmpty() + ",\"items\":[").getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < operations; i++) {
            if (i > 0) {
                out.write(',');
            }
            out.writeBytes(rejected.get(i) ? refused : created);
        }
        out.writeBytes(new byte[] {']', '}'});
        return out.toByteArray();
    }
}
