/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import io.github.batchresidue.engine.Content;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.LedgerItem.Delivery;
import io.github.batchresidue.engine.Outcome;
import io.github.batchresidue.engine.Reason;
import io.github.batchresidue.engine.Round;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultExchange;
import org.apache.camel.test.junit5.CamelTestSupport;
import org.junit.jupiter.api.Test;

class LedgerConvertersTest extends CamelTestSupport {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private static final Ledger LEDGER = new Ledger(
            6,
            4,
            1,
            1,
            0,
            true,
            4,
            4,
            7000,
            7012,
            List.of(landed(0, null), landed(1, Map.of("qty", new BigDecimal("1.5")))),
            List.of(new LedgerItem(
                    3,
                    content(Map.of("a", 1)),
                    Outcome.TERMINAL,
                    1,
                    Reason.REJECTED,
                    new Failure(400, "mapper_parsing", "no \"date\""),
                    false,
                    Delivery.DELIVERED)),
            List.of(new LedgerItem(
                    5,
                    content("{\"n\": 1.10}"),
                    Outcome.GIVEN_UP,
                    4,
                    Reason.REDELIVERIES_EXHAUSTED,
                    new Failure(429, null, null),
                    false,
                    Delivery.FAILED)),
            List.of(),
            List.of(new Round(1, 0, 0, 6, 2, 0, 4, 0), new Round(3, 1000, 7000, 9, 2, 1, 6, 1)));

    private static final String JSON = "{\"items\":6,\"landed\":4,\"terminal\":1,\"givenUp\":1,\"pending\":0,"
            + "\"gaveUp\":true,\"inputExhausted\":true,"
            + "\"rounds\":4,\"requests\":4,\"waitedMillis\":7000,\"elapsedMillis\":7012,"
            + "\"landedItems\":[{\"index\":0},{\"index\":1,\"result\":{\"qty\":1.5}}],"
            + "\"terminalItems\":[{\"index\":3,\"attempts\":1,\"reason\":\"REJECTED\",\"status\":400,"
            + "\"code\":\"mapper_parsing\",\"message\":\"no \\\"date\\\"\",\"delivered\":true,\"item\":{\"a\":1}}],"
            + "\"givenUpItems\":[{\"index\":5,\"attempts\":4,\"reason\":\"REDELIVERIES_EXHAUSTED\",\"status\":429,"
            + "\"delivered\":false,\"item\":{\"n\": 1.10}}],"
            + "\"pendingItems\":[],"
            + "\"timeline\":[{\"atMillis\":0,\"waitMillis\":0,\"items\":6,\"landed\":2,\"terminal\":0,\"residue\":4,"
            + "\"unknown\":0},{\"atMillis\":1000,\"waitMillis\":7000,\"items\":9,\"landed\":2,\"terminal\":1,\"residue\":6,"
            + "\"unknown\":1,\"requests\":3}]}";

    @Test
    void convertsToJson() throws IOException {
        assertThat(convert(LEDGER, String.class)).isEqualTo(JSON);
        assertThat(convert(LEDGER, byte[].class))
                .asString(StandardCharsets.UTF_8)
                .isEqualTo(JSON);
        try (InputStream in = convert(LEDGER, InputStream.class)) {
            assertThat(in).asString(StandardCharsets.UTF_8).isEqualTo(JSON);
        }
    }

    @Test
    void convertsWithoutAnExchange() {
        assertThat(context.getTypeConverter().convertTo(String.class, LEDGER)).isEqualTo(JSON);
    }

    @Test
    void convertsToAMapInTheSameOrder() throws IOException {
        Map<?, ?> map = convert(LEDGER, Map.class);

        assertThat(MAPPER.writeValueAsString(map)).isEqualTo(JSON.replace("{\"n\": 1.10}", "{\"n\":1.1}"));
    }

    @Test
    void leavesLandedItemsOutOnlyIfTheyWereNotRetained() {
        assertThat(convert(ledger(5, List.of()), String.class)).doesNotContain("landedItems");
        assertThat(convert(ledger(0, List.of()), String.class)).contains("\"landedItems\":[]");
    }

    @Test
    void namesPendingItems() throws IOException {
        assertThat(item("x"))
                .isEqualTo(MAPPER.readTree("{\"index\":0,\"attempts\":1,\"delivered\":false,\"item\":\"x\"}"));
    }

    @Test
    void rendersItemsAsTheJsonTheyAre() throws IOException {
        assertThat(body(Map.of("a", List.of(1)))).hasToString("{\"a\":[1]}");
        assertThat(body(List.of(1, "x"))).hasToString("[1,\"x\"]");
        assertThat(body(MAPPER.readTree("{\"a\":1}"))).hasToString("{\"a\":1}");
        assertThat(body("{\"a\" : [1] }")).hasToString("{\"a\":[1]}");
        assertThat(body("{\"a\":1}".getBytes(StandardCharsets.UTF_8))).hasToString("{\"a\":1}");
        assertThat(body(new Person("Ann"))).hasToString("{\"name\":\"Ann\"}");
        assertThat(body(42)).hasToString("42");
        assertThat(body(null).isNull()).isTrue();
    }

    @Test
    void rendersAllOtherItemsAsText() throws IOException {
        for (String text : Arrays.asList(
                "",
                " ",
                "plain",
                "{\"a\":1",
                "{\"a\":1} x",
                "{\"index\":{}}\n{\"a\":1}",
                "{'a':1}",
                "NaN",
                "[".repeat(5000))) {
            assertThat(body(text).textValue()).isEqualTo(text);
        }
        assertThat(body(new byte[] {1, 2, -1}).textValue()).isEqualTo("AQL/");
        assertThat(body(new byte[] {'"', -1, '"'}).textValue()).isEqualTo("Iv8i");
        assertThat(body(new Object() {
                            @Override
                            public String toString() {
                                return "WriteRequest(…)";
                            }
                        })
                        .textValue())
                .isEqualTo("WriteRequest(…)");
    }

    @Test
    void survivesItemsThatNobodyCanWrite() throws IOException {
        Person failing = new Person("x") {
            @Override
            public String getName() {
                throw new IllegalStateException("no name");
            }
        };
        assertThat(body(failing).textValue()).isEqualTo("person");
        assertThat(body(Map.of("a", new Object())).textValue()).startsWith("{a=java.lang.Object");
        assertThat(body("half \uD800 a pair").textValue()).startsWith("half ");
        assertThat(new String(convert(pending("half \uD800 a pair"), byte[].class), StandardCharsets.UTF_8))
                .contains("\"half ? a pair\"");
    }

    @Test
    void usesTheOnlyMapperOfTheRegistry() throws IOException {
        context.getRegistry()
                .bind(
                        "mapper",
                        new ObjectMapper().setPropertyNamingStrategy(PropertyNamingStrategies.UPPER_CAMEL_CASE));
        assertThat(body(new Person("Ann"))).hasToString("{\"Name\":\"Ann\"}");

        context.getRegistry().bind("another", new ObjectMapper());
        assertThat(body(new Person("Ann"))).hasToString("{\"name\":\"Ann\"}");
    }

    private JsonNode body(Object body) throws IOException {
        return item(body).get("item");
    }

    private JsonNode item(Object body) throws IOException {
        return MAPPER.readTree(convert(pending(body), String.class))
                .get("pendingItems")
                .get(0);
    }

    private <T> T convert(Ledger ledger, Class<T> type) {
        CamelContext camelContext = context;
        Exchange exchange = new DefaultExchange(camelContext);
        return camelContext.getTypeConverter().convertTo(type, exchange, ledger);
    }

    private static Ledger pending(Object body) {
        LedgerItem item = new LedgerItem(0, content(body), Outcome.PENDING, 1, null, Failure.NONE, true, Delivery.NONE);
        return ledger(0, Collections.singletonList(item));
    }

    private static Ledger ledger(long landed, List<LedgerItem> pending) {
        return new Ledger(
                landed + pending.size(),
                landed,
                0,
                0,
                pending.size(),
                true,
                1,
                1,
                0,
                0,
                List.of(),
                List.of(),
                List.of(),
                pending,
                List.of());
    }

    private static LedgerItem landed(long index, Object result) {
        return new LedgerItem(index, content("x"), Outcome.LANDED, 1, null, Failure.NONE, false, Delivery.NONE, result);
    }

    private static Content content(Object body) {
        return new Content() {
            @Override
            public Object body() {
                return body;
            }

            @Override
            public long bytes() {
                return 0;
            }
        };
    }

    /** An item of a type of somebody's own. */
    public static class Person {

        private final String name;

        Person(String name) {
            this.name = name;
        }

        public String getName() {
            return name;
        }

        @Override
        public String toString() {
            return "person";
        }
    }
}
