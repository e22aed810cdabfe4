/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/** The source line of an update. */
final class UpdateSource {

    private static final JsonFactory JSON = new JsonFactory();

    private UpdateSource() {}

    /**
     * Whether the update may change a document that it has changed, or made, already: a script may count, and what an
     * {@code upsert} has made is changed by the {@code doc} beside it. One that cannot be read is taken for one that may:
     * the service will judge it.
     */
    static boolean mayChangeAgain(Slice source) {
        try (JsonParser parser = JSON.createParser(source.bytes(), source.from(), source.length())) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return true;
            }
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                if (name.equals("script") || name.equals("upsert")) {
                    return true;
                }
                parser.nextToken();
                parser.skipChildren();
            }
            return false;
        } catch (IOException e) {
            return true;
        }
    }
}
