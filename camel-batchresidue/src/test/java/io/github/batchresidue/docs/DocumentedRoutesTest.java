/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchresidue.camel.BatchResidueConstants;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.simulators.CapacityTable;
import io.github.batchresidue.simulators.CapacityTables;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.spi.Resource;
import org.apache.camel.support.PluginHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** Runs what the README, the component page and the guide show. */
class DocumentedRoutesTest {

    private static final List<Map<String, String>> ORDERS =
            List.of(Map.of("pk", "o-1"), Map.of("pk", ""), Map.of("pk", "o-3"), Map.of("pk", "hot"));

    private final CapacityTables tables = new CapacityTables();
    private final CapacityTable table = tables.createTable("orders").starve("hot");
    private final DynamoDbClient client = OneAttemptClient.of(DynamoDbClient.builder()
            .endpointOverride(tables.endpoint())
            .region(Region.EU_WEST_1)
            .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("key", "secret"))));
    private final CamelContext context = new DefaultCamelContext();

    @BeforeEach
    void bind() {
        context.getRegistry().bind("dynamoDb", client);
    }

    @AfterEach
    void stop() throws Exception {
        context.stop();
        client.close();
        tables.close();
    }

    /** The same route in each language, with faster and fewer redeliveries as defaults of the component. */
    @ParameterizedTest
    @ValueSource(
            strings = {"orders.yaml", "orders.xml", "OrdersRoute", "OrdersEndpointDslRoute", "kamelet-orders.yaml"})
    void storesWhatItCanAndRoutesTheRest(String route) throws Exception {
        limitRedeliveries();

        assertScenario(route, 1);
    }

    /** The same with a redelivery policy that the route's own file declares: it has one redelivery more. */
    @ParameterizedTest
    @ValueSource(
            strings = {"patient-orders.yaml", "patient-orders.xml", "PatientOrdersRoute", "patient-kamelet-orders.yaml"
            })
    void takesThePolicyThatIsDeclaredBesideIt(String route) throws Exception {
        limitRedeliveries();

        assertScenario(route, 2);
    }

    private void assertScenario(String route, int redeliveries) throws Exception {
        int attempts =
                2 + redeliveries; // Once with an order that is refused together with all others, then without it.
        switch (route) {
            case "OrdersRoute" -> context.addRoutes(new OrdersRoute());
            case "OrdersEndpointDslRoute" -> context.addRoutes(new OrdersEndpointDslRoute());
            case "PatientOrdersRoute" -> context.addRoutes(new PatientOrdersRoute());
            default -> load(route);
        }
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:refused").to("mock:refused");
                from("direct:later").to("mock:later");
            }
        });
        context.start();

        Exchange done = send();

        assertThat(done.getException()).isNull();
        assertThat(done.getMessage().getHeader(BatchResidueConstants.LANDED_COUNT))
                .isEqualTo(2L);
        assertThat(done.getMessage().getBody(Ledger.class).rounds()).isEqualTo(attempts);
        assertThat(table.items()).hasSize(2);
        assertThat(received("mock:refused"))
                .extracting(letter -> letter.getMessage().getBody())
                .containsExactly(ORDERS.get(1));
        assertThat(received("mock:later")).singleElement().satisfies(letter -> {
            assertThat(letter.getMessage().getBody()).isEqualTo(ORDERS.get(3));
            assertThat(letter.getMessage().getHeader(BatchResidueConstants.ATTEMPTS))
                    .isEqualTo(attempts);
        });
    }

    @Test
    void theLedgerIsOnTheExceptionThatAnErrorHandlerCaught() throws Exception {
        limitRedeliveries();
        context.addRoutes(new LedgerRoute());
        context.start();

        Exchange done = send();

        assertThat(done.getException()).isNull();
        assertThat(done.getMessage().getBody()).isEqualTo(ORDERS);
        assertThat(table.items()).hasSize(2);
    }

    static Stream<Object> ordersInEachForm() {
        String text = ORDERS.stream()
                .map(order -> "{\"pk\":\"" + order.get("pk") + "\"}")
                .collect(joining("\n"));
        return Stream.of(ORDERS, text, new ByteArrayInputStream(text.getBytes(UTF_8)));
    }

    @ParameterizedTest
    @MethodSource("ordersInEachForm")
    void deadLettersGoIntoAFileAsJson(Object orders, @TempDir Path folder) throws Exception {
        limitRedeliveries();
        context.getPropertiesComponent().addInitialProperty("dead.letters", folder.toString());
        context.addRoutes(new OrdersRoute());
        context.addRoutes(new DeadLettersRoute());
        context.start();

        Exchange done = send(orders);

        assertThat(done.getException()).isNull();
        assertThat(folder.resolve("orders.ndjson")).hasContent("{\"pk\":\"\"}");
    }

    @Test
    void theLedgerIsConvertedToJsonWhateverTheItemsAre() throws Exception {
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:orders")
                        .to("batchresidue:aws2-ddb:orders?throwExceptionOnUndelivered=false")
                        .convertBodyTo(String.class);
            }
        });
        context.start();

        Exchange done = send(List.of(put("o-1"), put("")));

        assertThat(done.getException()).isNull();
        JsonNode ledger = new ObjectMapper().readTree(done.getMessage().getBody(String.class));
        assertThat(ledger.get("landed").asInt()).isEqualTo(1);
        assertThat(ledger.at("/terminalItems/0/item").asText()).isEqualTo(put("").toString());
    }

    private static WriteRequest put(String key) {
        return WriteRequest.builder()
                .putRequest(put -> put.item(Map.of("pk", AttributeValue.fromS(key))))
                .build();
    }

    private void limitRedeliveries() {
        context.getComponent("batchresidue", io.github.batchresidue.camel.BatchResidueComponent.class)
                .getConfiguration()
                .setMaximumRedeliveries(1);
    }

    private void load(String name) throws Exception {
        Resource resource = PluginHelper.getResourceLoader(context).resolveResource("classpath:docs/" + name);
        PluginHelper.getRoutesLoader(context).loadRoutes(resource);
    }

    private Exchange send() {
        return send(ORDERS);
    }

    private Exchange send(Object orders) {
        return context.createProducerTemplate()
                .request("direct:orders", exchange -> exchange.getMessage().setBody(orders));
    }

    private List<Exchange> received(String mock) {
        return context.getEndpoint(mock, MockEndpoint.class).getExchanges();
    }
}
