/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.books;

import io.github.batchresidue.camel.BatchResidueConstants;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.camel.Body;
import org.apache.camel.Header;

/** What the dead-letter file says of an operation; its two lines come last, for they may be long. */
public final class DeadLetterLine {

    /** One line, to be written as JSON. */
    public Map<String, Object> of(
            @Header(BatchResidueConstants.ITEM_INDEX) long index,
            @Header(BatchResidueConstants.OUTCOME) String outcome,
            @Header(BatchResidueConstants.ATTEMPTS) int attempts,
            @Header(BatchResidueConstants.ERROR_STATUS) Integer status,
            @Header(BatchResidueConstants.ERROR_CODE) String code,
            @Header(BatchResidueConstants.ERROR_MESSAGE) String message,
            @Body String operation) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("index", index);
        line.put("outcome", outcome);
        line.put("attempts", attempts);
        line.put("status", status);
        line.put("code", code);
        line.put("message", message);
        line.put("operation", operation.split("\\R"));
        return line;
    }
}
