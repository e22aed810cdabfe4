/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import java.util.Map;
import software.amazon.awssdk.core.SdkPojo;

/** Members of what an answer holds, by the service's own names: of an object of the SDK's, or of a map. */
final class Members {

    private Members() {}

    /** Null if there is none, also of what has no members. */
    static Object of(Object object, String name) {
        if (object instanceof Map<?, ?> map) {
            return map.get(name);
        }
        return object instanceof SdkPojo pojo && pojo.sdkFieldNameToField().containsKey(name)
                ? pojo.sdkFieldNameToField().get(name).getValueOrDefault(pojo)
                : null;
    }

    /** As text; null if there is none. */
    static String text(Object object, String name) {
        Object value = of(object, name);
        return value == null ? null : value.toString();
    }

    /** Whether a value says something where a name or a code is due: a text that is not empty, or a number. */
    static boolean isWord(Object value) {
        return value instanceof Number || value instanceof CharSequence text && !text.isEmpty();
    }
}
