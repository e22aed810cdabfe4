/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.POJONode;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/**
 * What stands in an item may be a secret. However broken an item or a body is, nothing of it is in a message of the ledger, in
 * an exception, in a header of a dead letter or in a log.
 */
class NoItemIsQuotedTest {

    private static final String SECRET = "Sesame4711";

    private final DefaultCamelContext context = new DefaultCamelContext();
    private final ConcurrentLinkedQueue<Map<String, Object>> headersOfDeadLetters = new ConcurrentLinkedQueue<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.github.batchresidue");
    private final Level level = logger.getLevel();
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

    @BeforeEach
    void start() throws Exception {
        logger.setLevel(Level.TRACE);
        logger.setAdditive(false);
        logged.start();
        logger.addAppender(logged);
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:service").setBody(constant((Object) null));
                from("direct:dead")
                        .process(letter -> headersOfDeadLetters.add(
                                new HashMap<>(letter.getMessage().getHeaders())));
            }
        });
        context.start();
    }

    @AfterEach
    void stop() {
        context.stop();
        logger.detachAppender(logged);
        logger.setLevel(level);
        logger.setAdditive(true);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dynamodb&bulkApi.table=orders",
                "dynamodb&bulkApi.table=orders&itemKey=pk",
                "elasticsearch&bulkApi.index=books",
                "elasticsearch&bulkApi.index=books&bulkApi.idField=id&itemKey=id",
                "elasticsearch&bulkApi.action=update&bulkApi.index=books&bulkApi.idField=id",
                "eventbridge",
                "eventbridge&bulkApi.source=shop&bulkApi.detailType=order",
                "firehose",
                "firehose&itemKey=id",
                "kinesis",
                "kinesis&bulkApi.partitionKey=k",
                "kinesis&bulkApi.partitionKeyField=id&itemKey=id",
                "salesforce&bulkApi.sObjectName=Account",
                "salesforce&bulkApi.sObjectName=Account&bulkApi.operation=update",
                "salesforce&bulkApi.sObjectName=Account&bulkApi.operation=upsert&bulkApi.sObjectIdName=Number__c",
                "salesforce&bulkApi.operation=delete",
                "sns&bulkApi.topicArn=arn:aws:sns:eu-west-1:123456789012:t",
                "sqs&bulkApi.queueUrl=http://127.0.0.1/1/q&itemKey=id",
                "sqs&bulkApi.queueUrl=http://127.0.0.1/1/q&bulkApi.operation=deleteMessage",
                "sqs&bulkApi.queueUrl=http://127.0.0.1/1/q&bulkApi.operation=changeMessageVisibility"
            })
    void whateverTheBulkApi(String bulkApi) {
        String uri =
                "batchresidue:direct:service?redeliveryDelay=1&maximumRedeliveries=0&deadLetterUri=direct:dead&bulkApi="
                        + bulkApi;
        List<Object> bodies = new ArrayList<>();
        bodies.addAll(brokenTexts());
        bodies.add(String.join("\n", brokenTexts()));
        bodies.addAll(wholeRequests());
        wholeRequests().forEach(text -> bodies.add(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))));
        brokenTexts().forEach(text -> bodies.add("[1," + text + ",2]"));
        brokenItems().forEach(item -> bodies.add(Collections.singletonList(item)));
        bodies.add(brokenItems());

        long refused = 0;
        for (Object body : bodies) {
            Exchange exchange = new DefaultExchange(context);
            exchange.getMessage().setBody(body);
            refused += send(uri, exchange);
        }

        assertThat(refused).as("refused items, which the law is about").isGreaterThan(5);
        assertThat(headersOfDeadLetters).isNotEmpty().noneMatch(headers -> headers.toString()
                .contains(SECRET));
        assertThat(logged.list).allSatisfy(event -> assertThat(event.getFormattedMessage()
                        + (event.getThrowableProxy() == null
                                ? ""
                                : ThrowableProxyUtil.asString(event.getThrowableProxy())))
                .doesNotContain(SECRET));
    }

    @Test
    void norByAClassifierThatFails() throws Exception {
        context.getRegistry().bind("classifier", (io.github.batchresidue.bulkapi.ItemClassifier) (item, verdict) -> {
            throw new IllegalStateException(String.valueOf(item.content().body()));
        });
        Exchange exchange = new DefaultExchange(context);
        exchange.getMessage().setBody(List.of(SECRET));

        send("batchresidue:direct:service?bulkApi=firehose&itemClassifier=#classifier", exchange);

        assertThat(logged.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .anyMatch(message -> message.contains("itemClassifier failed on item 0"))
                .noneMatch(message -> message.contains(SECRET));
        assertThat(logged.list)
                .filteredOn(event -> event.getThrowableProxy() != null)
                .isNotEmpty()
                .noneMatch(event ->
                        ThrowableProxyUtil.asString(event.getThrowableProxy()).contains(SECRET));
    }

    /** @return how many items were refused or given up */
    private long send(String uri, Exchange exchange) {
        context.createProducerTemplate().send(uri, exchange);
        if (exchange.getException() != null) {
            StringWriter trace = new StringWriter();
            exchange.getException().printStackTrace(new PrintWriter(trace));
            assertThat(trace.toString()).doesNotContain(SECRET);
        }
        Ledger ledger = exchange.getException() == null
                ? exchange.getProperty(BatchResidueConstants.LEDGER, Ledger.class)
                : BatchResidueException.of(exchange)
                        .map(BatchResidueException::getLedger)
                        .orElse(null);
        if (ledger == null) {
            return 0; // The body was refused before the first item.
        }
        assertThat(Stream.of(ledger.terminalItems(), ledger.givenUpItems(), ledger.pendingItems())
                        .flatMap(List::stream)
                        .map(LedgerItem::failure))
                .allSatisfy(failure -> assertThat(text(failure)).doesNotContain(SECRET));
        return ledger.terminal();
    }

    private static String text(Failure failure) {
        return failure == null ? "" : failure.code() + " " + failure.message();
    }

    // ---- What is broken

    private static List<String> brokenTexts() {
        return List.of(
                SECRET,
                "{\"a\":" + SECRET + "}",
                "{\"a\":\"b\"" + SECRET + "}",
                "{" + SECRET + ":1}",
                "{\"a\":0" + SECRET + "}",
                "{\"a\":true" + SECRET + "}",
                "{\"a\":\"\\q" + SECRET + "\"}",
                "{\"a\":1} " + SECRET,
                "{\"a\":\"" + SECRET,
                "[" + SECRET,
                "\"" + SECRET + "\"",
                "[\"" + SECRET + "\"]",
                "{\"" + "a".repeat(60_000) + "\":" + SECRET + "}",
                "{\"id\":{\"a\":\"" + SECRET + "\"}}",
                "{\"Data\":\"%" + SECRET + "\"}",
                "{\"Id\":\"" + SECRET + "%\"}",
                "{\"action\":\"index\",\"_id\":\"" + SECRET + "\",\"doc\":\"" + SECRET + "\"}");
    }

    private static List<String> wholeRequests() {
        String put = "{\"PutRequest\":{\"Item\":{\"pk\":{\"S\":\"a\"}}}}";
        return List.of(
                "{\"RequestItems\":{\"orders\":[" + put + "," + SECRET + "]}}",
                "{\"RequestItems\":{\"orders\":[" + put + "]" + SECRET + "}}",
                "{\"RequestItems\":{\"orders\":[{\"PutRequest\":{\"Item\":{\"pk\":{\"N\":\"" + SECRET + "\"}}}}]}}",
                "{\"RequestItems\":{\"orders\":[{\"PutRequest\":{\"Item\":{\"pk\":{\"B\":\"%" + SECRET + "\"}}}}]}}",
                "{\"RequestItems\":{\"orders\":[{\"DeleteRequest\":{\"Key\":{\"pk\":{\"BOOL\":\"" + SECRET
                        + "\"}}}}]}}",
                "{\"RequestItems\":{\"orders\":{\"Keys\":[{\"pk\":" + SECRET + "}]}}}",
                "{\"index\":{\"_index\":\"books\"}}\n" + SECRET + "\n",
                "{\"index\":{\"_index\":" + SECRET + "}}\n{}\n",
                "{\"index\":{\"_index\":\"books\"}}\n{\"a\":1}\n{\"index\":{\"_id\":\"\\q" + SECRET + "\"}}\n{}\n",
                "{\"index\":{\"_index\":\"books\"}}\n{\"a\":1}\n" + SECRET + "\n{}\n",
                "{\"Records\":[{\"Data\":\"YQ==\",\"PartitionKey\":\"k\"}," + SECRET + "]}",
                "{\"Entries\":[{\"Source\":\"s\",\"DetailType\":\"t\",\"Detail\":\"{}\"}," + SECRET + "]}");
    }

    private static List<Object> brokenItems() {
        List<Object> items = new ArrayList<>(brokenTexts());
        brokenTexts().forEach(text -> items.add(text.getBytes(StandardCharsets.UTF_8)));
        Map<String, Object> endless = new HashMap<>(Map.of("a", SECRET));
        endless.put("self", endless);
        Map<String, Object> withNull = new HashMap<>(Map.of("a", SECRET));
        withNull.put(null, SECRET);
        items.addAll(Arrays.asList(
                null,
                new Telling(),
                new Empty(),
                Map.of("a", new Telling()),
                Map.of("a", new Empty()),
                new POJONode(new Telling()),
                JsonNodeFactory.instance.objectNode().putPOJO("a", new Telling()),
                endless,
                withNull,
                new byte[] {(byte) 0xff, 'S', 'e', 's', 'a', 'm', 'e', '4', '7', '1', '1'},
                Map.of("Data", "%" + SECRET, "PartitionKey", "k"),
                Map.of("Data", new Telling(), "PartitionKey", "k"),
                Map.of("Source", "s", "DetailType", "t", "Detail", "{}", "Time", SECRET),
                Map.of("Source", "s", "DetailType", "t", "Detail", "{}", "Resources", SECRET),
                Map.of("MessageBody", "m", "DelaySeconds", SECRET),
                Map.of("MessageBody", "m", "MessageAttributes", Map.of("a", SECRET)),
                Map.of("MessageBody", "m", "MessageAttributes", Map.of("a", Map.of("BinaryValue", "%" + SECRET))),
                Map.of("Message", "m", "MessageAttributes", Map.of("a", Map.of("BinaryValue", "%" + SECRET))),
                Map.of("ReceiptHandle", "r", "VisibilityTimeout", SECRET),
                Map.of("PutRequest", Map.of("Item", Map.of("pk", Map.of("N", SECRET)))),
                Map.of("PutRequest", Map.of("Item", Map.of("pk", Map.of("B", "%" + SECRET)))),
                Map.of("DeleteRequest", Map.of("Key", Map.of("pk", SECRET))),
                Map.of("action", "index", "_id", "1", "doc", SECRET),
                Map.of("action", "index", "_id", "1", "doc", new Telling()),
                Map.of("action", "update", "_id", "1", "_version", SECRET, "doc", Map.of("a", new Telling())),
                Map.of("Id", SECRET + "%", "Name", "a"),
                Map.of("Number__c", Map.of("a", SECRET))));
        return items;
    }

    /** Tells what it holds, as classes of callers do. */
    public static final class Telling {

        public String getName() {
            throw new IllegalStateException("no name in " + SECRET);
        }

        @Override
        public String toString() {
            return SECRET;
        }
    }

    /** Nothing that Jackson would write. */
    public static final class Empty {

        @Override
        public String toString() {
            return SECRET;
        }
    }
}
