/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.engine.Ledger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.camel.BindToRegistry;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.test.junit5.CamelTestSupport;
import org.junit.jupiter.api.Test;

/** The reference run through a route, with waits a tenth as long. */
class ReferenceRunRouteTest extends CamelTestSupport {

    @BindToRegistry("words")
    private final WordApi words = new WordApi();

    private final List<String> takes = new ArrayList<>(List.of("ab", "c", "de", "f"));
    private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
    private final List<Long> repliedAt = Collections.synchronizedList(new ArrayList<>());
    private final List<Long> askedAt = Collections.synchronizedList(new ArrayList<>());

    @Override
    protected RouteBuilder createRouteBuilder() {
        return new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:in").to("batchresidue:direct:table?bulkApi=#words&redeliveryDelay=100&jitter=NONE");
                from("direct:table").process(ReferenceRunRouteTest.this::table);
            }
        };
    }

    private void table(Exchange exchange) {
        askedAt.add(System.nanoTime());
        List<?> items = exchange.getMessage().getBody(List.class);
        requests.add(items.stream().map(String::valueOf).collect(Collectors.joining()));
        String taken = takes.remove(0);
        exchange.getMessage()
                .setBody(items.stream()
                        .collect(Collectors.toMap(
                                item -> item, item -> taken.contains((String) item) ? "landed" : "residue")));
        repliedAt.add(System.nanoTime());
    }

    @Test
    void onlyTheResidueGoesAgainAndNeverTooEarly() {
        Exchange done = template.request(
                "direct:in", exchange -> exchange.getMessage().setBody(List.of("a", "b", "c", "d", "e", "f")));

        assertThat(done.getException()).isNull();
        assertThat(requests).containsExactly("abcdef", "cdef", "def", "f");
        for (int i = 0; i < 3; i++) {
            assertThat(askedAt.get(i + 1) - repliedAt.get(i))
                    .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(100L << i));
        }
        Ledger ledger = done.getMessage().getBody(Ledger.class);
        assertThat(ledger.landed()).isEqualTo(6);
        assertThat(ledger.rounds()).isEqualTo(4);
        assertThat(ledger.requests()).isEqualTo(4);
        assertThat(done.getMessage().getHeaders())
                .containsAllEntriesOf(Map.of(
                        BatchResidueConstants.ITEM_COUNT, 6L,
                        BatchResidueConstants.LANDED_COUNT, 6L,
                        BatchResidueConstants.TERMINAL_COUNT, 0L,
                        BatchResidueConstants.GIVEN_UP_COUNT, 0L,
                        BatchResidueConstants.PENDING_COUNT, 0L,
                        BatchResidueConstants.ROUNDS, 4,
                        BatchResidueConstants.REQUESTS, 4L,
                        BatchResidueConstants.GAVE_UP, false));
    }
}
