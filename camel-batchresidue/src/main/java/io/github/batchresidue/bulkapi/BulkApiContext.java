/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;

/**
 * What a bulk API is made for.
 *
 * @param camelContext where the endpoint lives
 * @param delegate the wrapped endpoint; intercepted or mocked ones are unwrapped
 * @param options its options, without the prefix {@code bulkApi.}; each is one of the provider's
 * @param itemKey what makes two items the same record
 * @param objectMapper for JSON: the one in the registry if there is one
 */
public record BulkApiContext(
        CamelContext camelContext,
        Endpoint delegate,
        Map<String, String> options,
        ItemKey itemKey,
        ObjectMapper objectMapper) {

    /**
     * The value of an option that is a name or another text; null if it is not given.
     *
     * @throws IllegalArgumentException if it is blank, as where a property that it is taken from is
     */
    public String text(String option) {
        String text = options.get(option);
        if (text != null && text.isBlank()) {
            throw new IllegalArgumentException(
                    "bulkApi." + option + "=" + text + ": it is empty; give a value or remove it");
        }
        return text;
    }

    /**
     * The value of an option that is a whole number; null if it is not given.
     *
     * @throws IllegalArgumentException if it is none, or out of range
     */
    public Integer wholeNumber(String option, int least, int most) {
        String text = options.get(option);
        if (text == null) {
            return null;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // As said below.
        }
        throw new IllegalArgumentException(
                "bulkApi." + option + "=" + text + ": expected a whole number from " + least + " to " + most);
    }
}
