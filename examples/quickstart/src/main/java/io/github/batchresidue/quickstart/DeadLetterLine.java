/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.quickstart;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import io.github.batchresidue.camel.BatchResidueConstants;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.camel.Body;
import org.apache.camel.Header;

/** What the dead-letter files say of an item; the item comes last, for it may be long. */
public final class DeadLetterLine {

    private static final ObjectReader JSON =
            new ObjectMapper().reader().with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /** One line, to be written as JSON. */
    public Map<String, Object> of(
            @Header(BatchResidueConstants.ITEM_INDEX) long index,
            @Header(BatchResidueConstants.ATTEMPTS) int attempts,
            @Header(BatchResidueConstants.REASON) String reason,
            @Header(BatchResidueConstants.ERROR_CODE) String code,
            @Header(BatchResidueConstants.ERROR_MESSAGE) String message,
            @Body String item) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("index", index);
        line.put("attempts", attempts);
        line.put("reason", reason);
        line.put("code", code);
        line.put("message", message);
        line.put("item", jsonOrText(item));
        return line;
    }

    private static Object jsonOrText(String item) {
        try {
            return JSON.readTree(item);
        } catch (JsonProcessingException e) {
            return item;
        }
    }
}
