/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Map;
import org.apache.camel.InvalidPayloadException;
import org.apache.camel.Message;

/** The answer of a delegate other than the SDK's client: a map, or JSON in any form, with the members of the service's own. */
public final class JsonAnswer {

    private JsonAnswer() {}

    /** Its members; none if the body is no object, or no JSON, or followed by something else. */
    public static Map<?, ?> of(Message message, ObjectMapper mapper) {
        if (message.getBody() instanceof Map<?, ?> map) {
            return map;
        }
        Map<?, ?> map;
        try {
            map = message.getBody() instanceof JsonNode node
                    ? mapper.convertValue(node, Map.class)
                    : mapper.readerFor(Map.class)
                            .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                            .readValue(message.getMandatoryBody(byte[].class));
        } catch (IOException | InvalidPayloadException | RuntimeException e) {
            return Map.of(); // Not JSON, no object, no body: whatever it is, it names no item.
        }
        return map == null ? Map.of() : map;
    }
}
