/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.benchmarks;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Made-up documents, all of one size and each with its number as its first member, where the server can read it. The
 * same ones come as JSON, as one {@code _bulk} text and as maps.
 */
final class Documents {

    /** What each operation of a {@code _bulk} text begins with; the index stands in the URL. */
    static final byte[] ACTION_LINE = "{\"index\":{}}\n".getBytes(StandardCharsets.UTF_8);

    /** Where the number begins in a document, and how many digits it has. */
    static final int NUMBER_AT = "{\"id\":\"".length();

    static final int NUMBER_DIGITS = 10;

    private static final String[] AUTHORS = {"Ada Lovelace", "Grace Hopper", "Mary Kenneth Keller", "Karen Jones"};
    private static final String FIRST_LETTERS =
            "the analytical engine weaves algebraic patterns just as the loom does ";
    /** Texts that maps share: as many as there are, they do not all stay in the cache. */
    private static final int TEXTS = 64;

    private final List<byte[]> json;
    private final List<Map<String, Object>> maps;
    private final int size;

    /** @param size bytes of each document as JSON */
    Documents(int count, int size) {
        this.size = size;
        this.json = new ArrayList<>(count);
        this.maps = new ArrayList<>(count);
        List<String> texts = new ArrayList<>();
        int empty = text(map(0, "")).length();
        for (int i = 0; i < TEXTS; i++) {
            String endless = FIRST_LETTERS.substring(i) + FIRST_LETTERS.repeat(size / FIRST_LETTERS.length() + 1);
            texts.add(endless.substring(0, size - empty));
        }
        for (int i = 0; i < count; i++) {
            Map<String, Object> map = map(i, texts.get(i % TEXTS));
            maps.add(map);
            json.add(text(map).getBytes(StandardCharsets.UTF_8));
            if (json.get(i).length != size) {
                throw new IllegalStateException("document " + i + " has " + json.get(i).length + " bytes");
            }
        }
    }

    private static Map<String, Object> map(int number, String text) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("id", digits(number));
        map.put("author", AUTHORS[number % AUTHORS.length].substring(0, 11));
        map.put("year", 1843 + number % 100);
        map.put("price", 12.5);
        map.put("inStock", true);
        map.put("text", text);
        return map;
    }

    private static String digits(int number) {
        String digits = Integer.toString(number);
        return "0".repeat(NUMBER_DIGITS - digits.length()) + digits;
    }

    private static String text(Map<String, Object> map) {
        StringBuilder text = new StringBuilder("{");
        map.forEach((name, value) -> {
            text.append(text.length() == 1 ? "\"" : ",\"").append(name).append("\":");
            text.append(value instanceof String ? "\"" + value + "\"" : value);
        });
        return text.append('}').toString();
    }

    private Documents(List<byte[]> json, List<Map<String, Object>> maps, int size) {
        this.json = json;
        this.maps = maps;
        this.size = size;
    }

    /** The first of them. */
    Documents first(int count) {
        return new Documents(json.subList(0, count), maps.subList(0, count), size);
    }

    int size() {
        return size;
    }

    int count() {
        return json.size();
    }

    long bytes() {
        return (long) json.size() * size;
    }

    List<byte[]> json() {
        return json;
    }

    List<Map<String, Object>> maps() {
        return maps;
    }

    /** The operations as one text, made while it is read: it costs its reader one copy, as a file or socket would. */
    InputStream bulkText() {
        return new BulkText(new AbstractList<>() {
            @Override
            public byte[] get(int line) {
                return line % 3 == 0 ? ACTION_LINE : line % 3 == 1 ? json.get(line / 3) : BulkText.NEWLINE;
            }

            @Override
            public int size() {
                return 3 * json.size();
            }
        });
    }

    private static final class BulkText extends InputStream {

        static final byte[] NEWLINE = {'\n'};

        private final List<byte[]> parts;
        private int part;
        private int at;

        BulkText(List<byte[]> parts) {
            this.parts = parts;
        }

        @Override
        public int read() {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int from, int most) {
            int to = from;
            while (to < from + most && part < parts.size()) {
                byte[] bytes = parts.get(part);
                int copied = Math.min(bytes.length - at, from + most - to);
                System.arraycopy(bytes, at, into, to, copied);
                to += copied;
                at += copied;
                if (at == bytes.length) {
                    part++;
                    at = 0;
                }
            }
            return to == from && most > 0 ? -1 : to - from;
        }
    }
}
