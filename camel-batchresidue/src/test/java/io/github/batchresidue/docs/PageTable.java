/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A table of a page in {@code src-docs} that says what the code says, so that a test can hold the one against the other. On
 * the page it stands between the comment lines {@code // NAME:begin} and {@code // NAME:end}, and each row in lines of
 * its own:
 *
 * <pre>
 * |`CodeOne`, `CodeTwo` |meaning |any words
 * </pre>
 *
 * The first cell has one or more codes in backticks, the second cell what they mean; further cells are for the reader.
 */
public final class PageTable {

    private static final Path PAGES = Path.of("").toAbsolutePath().resolveSibling("src-docs");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private PageTable() {}

    /**
     * What each code of a table means.
     *
     * @param page name of the page's file without its ending
     * @throws AssertionError if there is no such table, a row is unreadable or a code has two rows
     */
    public static Map<String, String> meanings(String page, String table) {
        Map<String, String> meanings = new LinkedHashMap<>();
        for (List<String> row : rows(page, table)) {
            Matcher codes = CODE.matcher(row.get(0));
            boolean hasCode = false;
            while (codes.find()) {
                hasCode = true;
                if (meanings.put(codes.group(1), row.get(1)) != null) {
                    throw new AssertionError(page + " has two rows for " + codes.group(1) + " in " + table);
                }
            }
            if (!hasCode) {
                throw new AssertionError(page + " has a row without a code in " + table + ": " + row);
            }
        }
        return meanings;
    }

    /** A table of the code in the words of a page: {@code TOO_LARGE} is {@code too large}. */
    public static Map<String, String> words(Map<String, ? extends Enum<?>> table) {
        Map<String, String> words = new LinkedHashMap<>();
        table.forEach((code, meaning) ->
                words.put(code, meaning.name().toLowerCase(Locale.ROOT).replace('_', ' ')));
        return words;
    }

    /** The cells of the rows without the head. */
    private static List<List<String>> rows(String page, String table) {
        String text = between(read(page), "// " + table + ":begin\n", "// " + table + ":end\n", page);
        String body = between(text, "|===\n", "|===\n", page);
        List<List<String>> rows = new ArrayList<>();
        for (String line : body.split("\n")) {
            if (line.startsWith("|")) {
                List<String> cells = new ArrayList<>();
                for (String cell : line.substring(1).split("\\|", -1)) {
                    cells.add(cell.strip());
                }
                if (cells.size() < 2) {
                    throw new AssertionError(page + " has a row of one cell in " + table + ": " + line);
                }
                rows.add(cells);
            }
        }
        return rows.subList(1, rows.size());
    }

    private static String read(String page) {
        Path file = PAGES.resolve(page + ".adoc");
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError("no page " + file.getFileName(), e);
        }
    }

    private static String between(String text, String begin, String end, String page) {
        int from = text.indexOf(begin);
        int to = from < 0 ? -1 : text.indexOf(end, from + begin.length());
        if (to < 0) {
            throw new AssertionError(page + " has nothing between " + begin.strip() + " and " + end.strip());
        }
        return text.substring(from + begin.length(), to);
    }
}
