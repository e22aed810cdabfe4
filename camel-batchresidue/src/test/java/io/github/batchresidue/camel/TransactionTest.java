/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchresidue.engine.Ledger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.CamelContext;
import org.apache.camel.CamelExecutionException;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.spring.spi.SpringTransactionPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** In a transaction everything stays on the thread that it is bound to, and a failure rolls it back. */
class TransactionTest {

    private static final String STEP = "batchresidue:direct:table?bulkApi=#words&batchSize=2&redeliveryDelay=1";

    private final DriverManagerDataSource database =
            new DriverManagerDataSource("jdbc:h2:mem:transactions;DB_CLOSE_DELAY=-1");
    private final JdbcTemplate jdbc = new JdbcTemplate(database);
    private final CamelContext context = new DefaultCamelContext();
    private final Set<Thread> threads = Collections.synchronizedSet(new HashSet<>());
    private final List<String> sentOutsideTheTransaction = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger throttledOnce = new AtomicInteger(1);

    @BeforeEach
    void start() throws Exception {
        jdbc.execute("create table orders (id varchar(10))");
        SpringTransactionPolicy required = new SpringTransactionPolicy(new DataSourceTransactionManager(database));
        required.setPropagationBehaviorName("PROPAGATION_REQUIRED");
        context.getRegistry().bind("required", required);
        context.getRegistry().bind("words", new WordApi());
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:in")
                        .transacted("required")
                        .process(exchange -> jdbc.update("insert into orders values ('received')"))
                        .to(STEP + "&terminalUri=direct:dead")
                        .process(exchange -> jdbc.update("insert into orders values ('done')"));
                from("direct:undelivered")
                        .transacted("required")
                        .process(exchange -> jdbc.update("insert into orders values ('received')"))
                        .to(STEP);
                for (String marking : List.of("rollback", "rollback-last")) {
                    from("direct:" + marking + "-by-the-delegate")
                            .transacted("required")
                            .process(exchange -> jdbc.update("insert into orders values ('received')"))
                            .to("batchresidue:direct:" + marking + "-table?bulkApi=#words")
                            .process(exchange -> jdbc.update("insert into orders values ('done')"));
                    from("direct:" + marking + "-by-a-dead-letter")
                            .transacted("required")
                            .process(exchange -> jdbc.update("insert into orders values ('received')"))
                            .to(STEP + "&deadLetterUri=direct:" + marking)
                            .process(exchange -> jdbc.update("insert into orders values ('done')"));
                    from("direct:" + marking + "-table").to("direct:table").to("direct:" + marking);
                }
                from("direct:rollback").markRollbackOnly();
                from("direct:rollback-last").markRollbackOnlyLast();
                from("direct:stopping")
                        .transacted("required")
                        .to("batchresidue:direct:stopping-table?bulkApi=#words")
                        .process(exchange -> jdbc.update("insert into orders values ('done')"));
                from("direct:stopping-table").to("direct:table").stop();
                // Each dead letter is a row of the same transaction.
                from("direct:dead").errorHandler(noErrorHandler()).process(exchange -> {
                    note();
                    jdbc.update(
                            "insert into orders values (?)",
                            exchange.getMessage().getBody(String.class));
                });
                from("direct:table").errorHandler(noErrorHandler()).process(exchange -> {
                    note();
                    WordService.answering(word -> switch (word) {
                                case "bad" -> "mapping";
                                case "busy" -> throttledOnce.getAndDecrement() > 0 ? "residue" : "landed";
                                case "fail" -> throw new IllegalArgumentException("gateway");
                                default -> "landed";
                            })
                            .process(exchange);
                });
            }
        });
        context.start();
    }

    private void note() {
        threads.add(Thread.currentThread());
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            sentOutsideTheTransaction.add(Thread.currentThread().getName());
        }
    }

    @AfterEach
    void stop() {
        context.stop();
        jdbc.execute("drop table orders");
    }

    private List<String> rows() {
        return jdbc.queryForList("select id from orders", String.class);
    }

    private Ledger request(String route, String... words) {
        return context.createProducerTemplate().requestBody(route, List.of(words), Ledger.class);
    }

    private void assertEverythingHappenedInTheTransaction() {
        assertThat(threads).containsExactly(Thread.currentThread());
        assertThat(sentOutsideTheTransaction).isEmpty();
    }

    @Test
    void everythingHappensInTheTransactionAndIsCommitted() {
        Ledger ledger = request("direct:in", "a", "busy", "bad", "c");

        assertThat(ledger.landed()).isEqualTo(3);
        assertThat(ledger.rounds()).isEqualTo(2);
        assertEverythingHappenedInTheTransaction();
        assertThat(rows()).containsExactly("received", "bad", "done");
    }

    @Test
    void aTransportFailureRollsBackWhatTheRouteAndTheDeadLettersWrote() {
        assertThatThrownBy(() -> request("direct:in", "a", "bad", "fail", "d"))
                .isInstanceOf(CamelExecutionException.class)
                .hasRootCauseMessage("gateway")
                .extracting(e -> BatchResidueException.of(e).orElseThrow().getLedger())
                .returns(1L, Ledger::landed)
                .returns(1L, Ledger::terminal)
                .returns(2L, Ledger::pending);
        assertEverythingHappenedInTheTransaction();
        assertThat(rows()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "rollback-by-the-delegate, a",
        "rollback-last-by-the-delegate, a",
        "rollback-by-a-dead-letter, bad",
        "rollback-last-by-a-dead-letter, bad"
    })
    void aMarkForRollbackThatADelegateOrADeadLetterRouteSetsRollsBack(String route, String word) {
        Ledger ledger = request("direct:" + route, word, "b", "c");

        assertThat(ledger.items()).isEqualTo(3);
        assertThat(ledger.landed() + ledger.terminal()).isEqualTo(3);
        assertThat(rows()).isEmpty();
    }

    @Test
    void consumersWithTransactionsOfTheirOwnFindTheMarkToo() {
        Exchange marked = context.createProducerTemplate()
                .request("batchresidue:direct:rollback-table?bulkApi=#words", exchange -> exchange.getMessage()
                        .setBody(List.of("a")));

        assertThat(marked.isRollbackOnly()).isTrue();
        assertThat(marked.getException()).isNull();
    }

    @Test
    void aDelegatesRouteThatStopsEndsTheRequestOnly() {
        assertThat(request("direct:stopping", "a", "b").landed()).isEqualTo(2);
        assertThat(rows()).containsExactly("done");
    }

    @Test
    void undeliveredItemsRollBackToo() {
        Exchange failed = context.createProducerTemplate()
                .request("direct:undelivered", exchange -> exchange.getMessage().setBody(List.of("a", "bad")));

        assertThat(BatchResidueException.of(failed).orElseThrow().getLedger().landed())
                .isEqualTo(1);
        assertEverythingHappenedInTheTransaction();
        assertThat(rows()).isEmpty();
    }
}
