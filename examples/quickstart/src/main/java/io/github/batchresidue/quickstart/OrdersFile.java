/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.quickstart;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedWriter;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * A file of orders, one JSON object a line, the same in every run. Every hundredth cannot be stored in a table whose key
 * is the string {@code id}.
 *
 * @param path where it is
 * @param orders how many lines it has
 * @param invalid how many of them the table cannot take
 * @param hotIds good orders whose keys are to find no capacity
 */
record OrdersFile(Path path, int orders, int invalid, List<String> hotIds) {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Instant FIRST_ORDER_AT = Instant.parse("2026-01-05T06:00:00Z");
    private static final int INVALID_EVERY = 100;
    private static final int HOT_ORDERS = 5;
    /** More than the 400 KB of an item in DynamoDB. */
    private static final int TOO_LONG = 410 * 1024;

    static OrdersFile write(Path path, int orders) throws IOException {
        Files.createDirectories(path.getParent());
        Random random = new Random(42);
        List<String> hotIds = new ArrayList<>();
        int invalid = 0;
        try (BufferedWriter out = Files.newBufferedWriter(path)) {
            for (int i = 0; i < orders; i++) {
                ObjectNode order = order(i, random);
                String line = order.toString();
                if (i % INVALID_EVERY == INVALID_EVERY / 2) {
                    line = invalid(order, invalid);
                    invalid++;
                } else if (i >= orders / 3 && i % 25 == 3 && hotIds.size() < HOT_ORDERS) {
                    hotIds.add(order.get("id").textValue());
                }
                out.write(line);
                out.write('\n');
            }
        }
        return new OrdersFile(path, orders, invalid, List.copyOf(hotIds));
    }

    private static ObjectNode order(int number, Random random) {
        ObjectNode order = NODES.objectNode()
                .put("id", String.format(Locale.ROOT, "o-%06d", number))
                .put("customer", String.format(Locale.ROOT, "c-%04d", random.nextInt(800)))
                .put("placedAt", FIRST_ORDER_AT.plusSeconds(97L * number).toString());
        ArrayNode lines = order.putArray("lines");
        BigDecimal total = BigDecimal.ZERO;
        int products = 1 + random.nextInt(4);
        for (int i = 0; i < products; i++) {
            int quantity = 1 + random.nextInt(3);
            BigDecimal price = BigDecimal.valueOf(199 + random.nextInt(9800), 2);
            lines.addObject()
                    .put("sku", String.format(Locale.ROOT, "SKU-%05d", random.nextInt(20_000)))
                    .put("quantity", quantity)
                    .put("price", price);
            total = total.add(price.multiply(BigDecimal.valueOf(quantity)));
        }
        return order.put("total", total).put("express", random.nextInt(8) == 0);
    }

    /** The order as a table cannot take it, in one of five ways. */
    private static String invalid(ObjectNode order, int which) {
        if (which == 3) {
            return order.put("note", "x".repeat(TOO_LONG)).toString();
        }
        if (which == 4) {
            return order.toString().substring(0, 60); // Cut off in the middle, and so no JSON.
        }
        switch (which % 3) {
            case 0 -> order.remove("id");
            case 1 -> order.put("id", "");
            default -> order.put("id", 4711);
        }
        return order.toString();
    }
}
