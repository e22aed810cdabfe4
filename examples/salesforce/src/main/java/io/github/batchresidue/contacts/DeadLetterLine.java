/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.contacts;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.camel.BatchResidueConstants;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.camel.Body;
import org.apache.camel.Header;

/** What the file of dead letters says of a contact. */
public final class DeadLetterLine {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** One line, to be written as JSON. */
    public Map<String, Object> of(
            @Header(BatchResidueConstants.ITEM_INDEX) long index,
            @Header(BatchResidueConstants.ATTEMPTS) int attempts,
            @Header(BatchResidueConstants.REASON) String reason,
            @Header(BatchResidueConstants.ERROR_CODE) String code,
            @Header(BatchResidueConstants.ERROR_MESSAGE) String message,
            @Body String contact)
            throws IOException {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("index", index);
        line.put("attempts", attempts);
        line.put("reason", reason);
        line.put("code", code);
        line.put("message", message);
        line.put("contact", JSON.readTree(contact));
        return line;
    }
}
