/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.servers.elasticmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.camel.BatchResidueConstants;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Reason;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** The whole chain with a real server: a route, the aws2-sqs component, the SDK's client, ElasticMQ. */
class ElasticMqTest {

    private static final String QUICK = "?amazonSQSClient=#proxied&redeliveryDelay=1&maximumRedeliveryDelay=5"
            + "&maximumRedeliveries=-1&throwExceptionOnUndelivered=false";
    /** Nobody may send this character. */
    private static final String UNSENDABLE = "\u0001";

    private static EmbeddedElasticMq server;

    private final CamelContext context = new DefaultCamelContext();
    private UnreliableProxy proxy;
    private SqsClient client;
    private SqsClient proxied;
    private String queueUrl;

    @BeforeAll
    static void startServer() {
        server = new EmbeddedElasticMq();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void start() {
        proxy = new UnreliableProxy(server.endpoint(), 1);
        client = client(server.endpoint());
        proxied = client(proxy.endpoint());
        context.getRegistry().bind("proxied", proxied);
        context.start();
    }

    @AfterEach
    void stop() {
        context.stop();
        client.deleteQueue(request -> request.queueUrl(queueUrl));
        client.close();
        proxied.close();
        proxy.close();
    }

    private static SqsClient client(URI endpoint) {
        return SqsClient.builder()
                .endpointOverride(endpoint)
                .region(Region.EU_WEST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("anyone", "anything")))
                .overrideConfiguration(override -> override.retryStrategy(AwsRetryStrategy.doNotRetry()))
                .build();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 20, 60})
    void theQueueHoldsEachAcceptableMessageOnce(int failing) {
        createQueue("orders", Map.of());
        proxy.failing(failing);
        Random random = new Random(failing);
        List<String> messages = IntStream.range(0, 200)
                .mapToObj(i -> "order " + i + (random.nextInt(20) == 0 ? UNSENDABLE : ""))
                .toList();

        Ledger ledger = ledger(send("orders" + QUICK + "&parallelRequests=3", messages));

        List<String> acceptable = messages.stream()
                .filter(message -> !message.endsWith(UNSENDABLE))
                .toList();
        assertThat(drained()).containsExactlyInAnyOrderElementsOf(acceptable);
        assertThat(ledger.landed()).isEqualTo(acceptable.size());
        assertThat(ledger.terminalItems())
                .extracting(LedgerItem::body)
                .containsExactlyInAnyOrderElementsOf(messages.stream()
                        .filter(message -> message.endsWith(UNSENDABLE))
                        .toList());
        assertThat(ledger.items()).isEqualTo(200);
    }

    @Test
    void anEntryThatTheServerRefusesIsTerminalWithItsWords() {
        createQueue("orders", Map.of());

        Ledger ledger = ledger(send("orders" + QUICK, List.of("a", "b" + UNSENDABLE, "c")));

        assertThat(ledger.landed()).isEqualTo(2);
        assertThat(ledger.terminalItems()).singleElement().satisfies(item -> {
            assertThat(item.index()).isEqualTo(1);
            assertThat(item.attempts()).isEqualTo(1);
            assertThat(item.reason()).isEqualTo(Reason.REJECTED);
            assertThat(item.failure().code()).isEqualTo("InvalidAttributeValue"); // Its own; AWS has another.
        });
        assertThat(drained()).containsExactlyInAnyOrder("a", "c");
    }

    @Test
    void aFifoQueueKeepsTheOrderOfEachGroupAndHoldsNothingTwice() {
        createQueue("orders.fifo", Map.of(QueueAttributeName.FIFO_QUEUE, "true"));
        proxy.failing(20).unmentioned(20);
        Random random = new Random(7);
        Map<String, List<String>> groups = new LinkedHashMap<>();
        List<Map<String, Object>> messages = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            String group = "g" + random.nextInt(15);
            String text = group + " " + i;
            groups.computeIfAbsent(group, name -> new ArrayList<>()).add(text);
            messages.add(Map.of("MessageBody", text, "MessageGroupId", group));
        }

        Ledger ledger = ledger(
                send("orders.fifo" + QUICK + "&messageGroupIdStrategy=usePropertyValue&parallelRequests=3", messages));

        assertThat(ledger.landed()).isEqualTo(200);
        assertThat(drained().stream().collect(Collectors.groupingBy(text -> text.split(" ")[0])))
                .isEqualTo(groups);
    }

    @Test
    void equalTextsOfOneExchangeAreNotTakenForDuplicates() {
        createQueue("orders.fifo", Map.of(QueueAttributeName.FIFO_QUEUE, "true"));

        send("orders.fifo" + QUICK + "&messageGroupIdStrategy=useConstant", List.of("same", "same", "same"));

        assertThat(drained()).containsExactly("same", "same", "same");
    }

    @Test
    void anExchangeThatIsSentAgainPutsNothingTwiceIntoAFifoQueue() {
        createQueue("orders.fifo", Map.of(QueueAttributeName.FIFO_QUEUE, "true"));
        String uri = "orders.fifo" + QUICK + "&messageGroupIdStrategy=useConstant";
        Exchange first = send(uri, List.of("a", "b"));

        context.createProducerTemplate().send("batchresidue:aws2-sqs:" + uri, exchange -> {
            exchange.setExchangeId(first.getExchangeId());
            exchange.getMessage().setBody(List.of("a", "b", "c"));
        });

        assertThat(drained()).containsExactly("a", "b", "c");
    }

    @Test
    void headersArriveAsAttributes() {
        createQueue("orders", Map.of());

        context.createProducerTemplate().send("batchresidue:aws2-sqs:orders" + QUICK, exchange -> {
            exchange.getMessage().setHeader("tenant", "blue");
            exchange.getMessage().setHeader("weight", 7);
            exchange.getMessage().setBody(List.of("a"));
        });

        Message message = client.receiveMessage(
                        request -> request.queueUrl(queueUrl).messageAttributeNames("All"))
                .messages()
                .get(0);
        assertThat(message.messageAttributes().get("tenant").stringValue()).isEqualTo("blue");
        assertThat(message.messageAttributes().get("weight").stringValue()).isEqualTo("7");
    }

    @Test
    void receivedMessagesAreDeletedAlthoughSomeFailAtFirst() {
        createQueue("orders", Map.of());
        send(
                "orders" + QUICK,
                IntStream.range(0, 30).mapToObj(i -> "order " + i).toList());
        proxy.failing(40);
        List<Message> received = received();

        Ledger ledger = ledger(send("orders" + QUICK + "&operation=deleteMessage", received));

        assertThat(received).hasSize(30);
        assertThat(ledger.landed()).isEqualTo(30);
        assertThat(approximateMessages()).isZero();
    }

    @Test
    void receivedMessagesAreSeenAgainAtOnceIfTheyAreNoLongerHidden() {
        createQueue("orders", Map.of());
        send(
                "orders" + QUICK,
                IntStream.range(0, 12).mapToObj(i -> "order " + i).toList());
        proxy.failing(40);
        List<String> receipts = received().stream().map(Message::receiptHandle).toList();

        Ledger ledger = ledger(send(
                "orders" + QUICK + "&bulkApi.operation=changeMessageVisibility&bulkApi.visibilityTimeout=0", receipts));

        assertThat(ledger.landed()).isEqualTo(12);
        assertThat(received()).hasSize(12);
    }

    private void createQueue(String name, Map<QueueAttributeName, String> attributes) {
        queueUrl = client.createQueue(request -> request.queueName(name).attributes(attributes))
                .queueUrl();
    }

    private Exchange send(String queue, List<?> items) {
        Exchange done = context.createProducerTemplate()
                .send("batchresidue:aws2-sqs:" + queue, exchange -> exchange.getMessage()
                        .setBody(items));
        assertThat(done.getException()).isNull();
        return done;
    }

    private static Ledger ledger(Exchange done) {
        return done.getProperty(BatchResidueConstants.LEDGER, Ledger.class);
    }

    private int approximateMessages() {
        return client
                .getQueueAttributes(request -> request.queueUrl(queueUrl).attributeNames(QueueAttributeName.ALL))
                .attributes()
                .entrySet()
                .stream()
                .filter(attribute -> attribute.getKey().name().startsWith("APPROXIMATE_NUMBER_OF_MESSAGES"))
                .mapToInt(attribute -> Integer.parseInt(attribute.getValue()))
                .sum();
    }

    /** All that can be received now, which is hidden from then on. */
    private List<Message> received() {
        List<Message> all = new ArrayList<>();
        List<Message> some;
        do {
            some = client.receiveMessage(request ->
                            request.queueUrl(queueUrl).maxNumberOfMessages(10).visibilityTimeout(600))
                    .messages();
            all.addAll(some);
        } while (!some.isEmpty());
        return all;
    }

    private List<String> drained() {
        return Queues.drain(client, queueUrl);
    }
}
