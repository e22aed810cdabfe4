/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.ItemKey;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Texts of bulk requests, made up or given, and the operations that the reader finds in them. */
final class BulkTexts {

    static final ObjectMapper JSON = new ObjectMapper();
    static final OperationKeys KEYS = new OperationKeys(ItemKey.FROM_API, null);

    private static final String[] TEXTS = {
        "a", "ä", "漢字", "😀", "\"", "\\", "\n", "\t", "/", " ", "{", "}", "\u0000", "\u2028"
    };

    private BulkTexts() {}

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** All operations of a text. */
    static List<BulkItem> operations(String text) {
        return operations(new ByteArrayInputStream(utf8(text)));
    }

    static List<BulkItem> operations(InputStream text) {
        List<BulkItem> operations = new ArrayList<>();
        new OperationReader(text, KEYS, false).forEachRemaining(operations::add);
        return operations;
    }

    /** One operation of a made-up text, in its lines. */
    record Made(Action action, String index, String id, String actionLine, String source) {

        /** The lines with the line ends given. */
        String text(String lineEnd) {
            return source == null ? actionLine + lineEnd : actionLine + lineEnd + source + lineEnd;
        }
    }

    /** An operation of any kind, with ids that need escapes and spellings that a serializer would not choose. */
    static Made made(Random random) throws Exception {
        Action action = Action.values()[random.nextInt(4)];
        String index = random.nextBoolean() ? null : "books-" + random.nextInt(3);
        String id = random.nextInt(4) == 0 ? null : text(random, 8);
        List<String> metadata = new ArrayList<>();
        if (index != null) {
            metadata.add("\"_index\":" + space(random) + JSON.writeValueAsString(index));
        }
        if (id != null) {
            metadata.add("\"_id\"" + space(random) + ":" + quoted(random, id));
        }
        if (random.nextInt(4) == 0) {
            metadata.add("\"routing\":" + random.nextInt(100));
        }
        if (random.nextInt(8) == 0) {
            metadata.add("\"dynamic_templates\":{\"a\":\"keyword\"}");
        }
        String line = space(random) + "{" + space(random) + "\"" + action.word() + "\":{" + String.join(",", metadata)
                + space(random) + "}}" + space(random);
        String source = "{\"doc\":{\"text\":" + quoted(random, text(random, 300)) + ",\"n\":1.50e+2}}";
        return new Made(action, index, id, line, action.hasSource() ? source : null);
    }

    private static String space(Random random) {
        return random.nextInt(6) == 0 ? " " : "";
    }

    private static String text(Random random, int most) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(most); i >= 0; i--) {
            text.append(random.nextBoolean() ? "x" + i : TEXTS[random.nextInt(TEXTS.length)]);
        }
        return text.toString();
    }

    private static String quoted(Random random, String text) throws Exception {
        return random.nextBoolean()
                ? JSON.writeValueAsString(text)
                : JSON.writeValueAsString(text).replace("x", "\\u0078");
    }
}
