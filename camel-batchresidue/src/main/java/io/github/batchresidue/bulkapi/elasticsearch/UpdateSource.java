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

    /** Whether the update runs a script. One that cannot be read is taken for one that does: the service will judge it. */
    static boolean hasScript(Slice source) {
        try (JsonParser parser = JSON.createParser(source.bytes(), source.from(), source.length())) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return true;
            }
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                if (name.equals("script")) {
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
