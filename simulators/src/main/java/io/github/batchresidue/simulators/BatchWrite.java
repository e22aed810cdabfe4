/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.simulators;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * One BatchWriteItem request as {@link CapacityTables} received it.
 *
 * @param atMillis when it arrived, counted from the start of the simulator by its clock
 * @param operations its operations, table by table in the order of the request
 * @param status HTTP status of the answer; 0 if there was none
 */
public record BatchWrite(long atMillis, List<Operation> operations, int status) {

    public BatchWrite {
        operations = List.copyOf(operations);
    }

    /**
     * One operation.
     *
     * @param table as the request names it
     * @param json {@code {"PutRequest":{"Item":…}}} or {@code {"DeleteRequest":{"Key":…}}} as it was on the wire
     */
    public record Operation(String table, JsonNode json) {

        /** Whether it deletes. */
        public boolean isDelete() {
            return json.has("DeleteRequest");
        }

        /** The item to put, or the key to delete, in DynamoDB JSON; missing if the operation is malformed. */
        public JsonNode attributes() {
            return isDelete()
                    ? json.path("DeleteRequest").path("Key")
                    : json.path("PutRequest").path("Item");
        }
    }
}
