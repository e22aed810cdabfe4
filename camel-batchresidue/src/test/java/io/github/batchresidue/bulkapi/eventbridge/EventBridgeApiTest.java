/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.eventbridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.ItemKey;
import io.github.batchresidue.bulkapi.RawJson;
import io.github.batchresidue.bulkapi.aws.Service;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequest;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;

class EventBridgeApiTest {

    private final DefaultCamelContext context = new DefaultCamelContext();
    private final Endpoint delegate =
            context.getEndpoint("aws2-eventbridge:bus?operation=putEvent&accessKey=a&secretKey=b&region=eu-west-1");

    @AfterEach
    void stop() {
        context.stop();
    }

    @Test
    void anItemIsAnEntry() throws Exception {
        BulkApi api = api(Map.of());
        PutEventsRequestEntry expected = PutEventsRequestEntry.builder()
                .source("app")
                .detailType("t")
                .detail("{\"a\":1}")
                .resources("r1", "r2")
                .time(Instant.parse("2026-01-31T12:00:00.500Z"))
                .eventBusName("bus")
                .traceHeader("Root=1")
                .build();
        String rest =
                "\"Source\":\"app\",\"DetailType\":\"t\",\"Resources\":[\"r1\",\"r2\"],\"TraceHeader\":\"Root=1\",";

        assertThat(entry(api, "{" + rest + "\"Detail\":\"{\\\"a\\\":1}\",\"Time\":1769860800.5}"))
                .isEqualTo(expected);
        assertThat(entry(api, "{" + rest + "\"Detail\":{\"a\":1},\"Time\":\"2026-01-31T13:00:00.5+01:00\"}"))
                .isEqualTo(expected);
        assertThat(entry(api, expected.toBuilder().eventBusName(null).build())).isEqualTo(expected);
        assertThat(entry(api, expected.toBuilder().eventBusName("other").build())
                        .eventBusName())
                .isEqualTo("other");
        assertThat(entry(api, "{\"Source\":\"app\"}").detail())
                .as("the service judges it")
                .isNull();
        for (Object wrong : List.of("{\"qty\":1}", "[]", "7", "{", "{\"Time\":\"noon\"}")) {
            assertThatThrownBy(() -> api.item(wrong)).isInstanceOf(InvalidItemException.class);
        }
        assertThatThrownBy(() -> api.item("{\"qty\":1}")).hasMessageContaining("bulkApi.detailType");
    }

    @Test
    void noMemberOfAnEntryIsPassedOver() {
        BulkApi api = api(Map.of());
        for (Map.Entry<String, Object> wrong : List.<Map.Entry<String, Object>>of(
                Map.entry("Resources", "r"),
                Map.entry("Resources", Map.of("a", "r")),
                Map.entry("Resources", List.of(Map.of())),
                Map.entry("Source", List.of("s")),
                Map.entry("EventBusName", Map.of()),
                Map.entry("TraceHeader", new byte[0]),
                Map.entry("Time", "noon"),
                Map.entry("Time", LocalDateTime.of(2026, 1, 31, 12, 0)),
                Map.entry("Time", 1e300),
                Map.entry("Time", Map.of()))) {
            assertThatThrownBy(() -> api.item(Map.of(wrong.getKey(), wrong.getValue())))
                    .isInstanceOf(InvalidItemException.class)
                    .hasMessageStartingWith("its " + wrong.getKey() + " is no ");
        }
    }

    @Test
    void aTimeMayBeOneOfJavas() throws Exception {
        BulkApi api = api(Map.of());
        Instant noon = Instant.parse("2026-01-31T12:00:00Z");

        for (Object time : List.of(
                noon,
                Date.from(noon),
                noon.atOffset(ZoneOffset.ofHours(2)),
                noon.atZone(ZoneId.of("Europe/Paris")),
                noon.getEpochSecond(),
                "2026-01-31T12:00:00Z")) {
            assertThat(entry(api, Map.of("Time", time)).time()).isEqualTo(noon);
        }
    }

    @Test
    void aTimeThatTheClientCannotWriteIsTheFaultOfItsEntryAlone() {
        for (Object entry : List.of(
                Map.of("Time", Instant.MAX),
                Map.of("Time", Instant.MIN),
                Map.of("Time", "+999999999-12-31T23:59:59Z"),
                PutEventsRequestEntry.builder().time(Instant.MAX).build())) {
            assertThatThrownBy(() -> api(Map.of()).item(entry))
                    .isInstanceOf(InvalidItemException.class)
                    .hasMessageContaining("Time");
        }
    }

    /** What Jackson needs a module for. */
    record Unwritable(Instant time) {}

    @Test
    void anObjectThatJacksonCannotWriteIsSaidSo() {
        assertThatThrownBy(() -> api(Map.of()).item(new Unwritable(Instant.EPOCH)))
                .isInstanceOf(InvalidItemException.class)
                .hasMessageContaining("Unwritable cannot be written as JSON")
                .hasMessageContaining("java.time.Instant");
    }

    @Test
    void aDetailKeepsItsDigits() throws Exception {
        assertThat(entry(
                                api(Map.of()),
                                new RawJson("{\"Detail\":{\"price\":12345678901234567890.10}}"
                                        .getBytes(StandardCharsets.UTF_8)))
                        .detail())
                .isEqualTo("{\"price\":12345678901234567890.10}");
    }

    @Test
    void nullAndOtherObjectsOfTheSdkAreNoEntries() {
        for (Map<String, String> options :
                List.of(Map.<String, String>of(), Map.of("source", "app", "detailType", "t"))) {
            assertThatThrownBy(() -> api(options).item(new RawJson("null".getBytes(StandardCharsets.UTF_8))))
                    .isInstanceOf(InvalidItemException.class)
                    .hasMessage("it is null");
            assertThatThrownBy(
                            () -> api(options).item(PutEventsRequest.builder().build()))
                    .isInstanceOf(InvalidItemException.class)
                    .hasMessageContaining("only a PutEventsRequestEntry is one");
        }
    }

    @Test
    void anItemIsADetailIfTheOptionsSayTheRest() throws Exception {
        BulkApi api = api(Map.of("source", "app", "detailType", "t"));

        PutEventsRequestEntry entry = entry(api, Map.of("a", 1));

        assertThat(entry)
                .isEqualTo(PutEventsRequestEntry.builder()
                        .source("app")
                        .detailType("t")
                        .detail("{\"a\":1}")
                        .eventBusName("bus")
                        .build());
        assertThatThrownBy(() -> api(Map.of("source", "app")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bulkApi.source=app and bulkApi.detailType=null: give both");
    }

    @Test
    void bytesAreCountedAsTheServiceCountsThem() throws Exception {
        PutEventsRequestEntry entry = PutEventsRequestEntry.builder()
                .source("app")
                .detailType("\u20ac")
                .detail("{}")
                .eventBusName("not counted")
                .build();

        assertThat(api(Map.of()).item(entry).bytes()).isEqualTo(3 + 3 + 2);
        assertThat(api(Map.of())
                        .item(entry.toBuilder()
                                .time(Instant.EPOCH)
                                .resources("ab", "c")
                                .build())
                        .bytes())
                .isEqualTo(8 + 14 + 3);
        assertThat(api(Map.of()).limits().maxItems()).isEqualTo(10);
        assertThat(api(Map.of()).limits().maxBytes()).as("less than 1 MB").isEqualTo(1_048_575);
    }

    @Test
    void aKeyIsAFieldOfTheDetail() throws Exception {
        BulkApi api = Service.EVENTBRIDGE.api(context, delegate, Map.of(), ItemKey.parse("/order/id"));

        assertThat(api.item("{\"Detail\":{\"order\":{\"id\":1}}}").key())
                .isNotNull()
                .isEqualTo(api.item("{\"Detail\":\"{\\\"order\\\":{\\\"id\\\":1.0}}\"}")
                        .key());
        assertThat(api.item("{\"Detail\":\"{\"}").key()).isNull();
        assertThat(api.item("{\"Source\":\"app\"}").key()).isNull();
        assertThat(api.item("{\"Detail\":\"{\"}").safeToResend()).isFalse();
    }

    @Test
    void aWholeRequestKeepsItsEnvelope() throws Exception {
        BulkApi api = api(Map.of());
        PutEventsRequest whole = PutEventsRequest.builder()
                .endpointId("abcde.veo")
                .entries(
                        PutEventsRequestEntry.builder()
                                .source("a")
                                .eventBusName("x")
                                .build(),
                        PutEventsRequestEntry.builder()
                                .source("b")
                                .eventBusName("y")
                                .build())
                .build();
        List<BulkItem> items = new ArrayList<>();
        api.wholeRequest(whole).forEachRemaining(element -> items.add(item(api, element)));
        Exchange exchange = new DefaultExchange(context);

        api.write(items, exchange);

        assertThat(exchange.getMessage().getBody()).isEqualTo(whole);
        assertThat(api.wholeRequest(Map.of("Entries", List.of()))).isNull();
    }

    @Test
    void theDelegateHasToPutEvents() {
        Endpoint other = context.getEndpoint(
                "aws2-eventbridge:bus?operation=listRules&accessKey=a&secretKey=b&region=eu-west-1");

        assertThatThrownBy(() -> Service.EVENTBRIDGE.api(context, other, Map.of(), ItemKey.FROM_API))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("operation=listRules")
                .hasMessageContaining("putEvent");
    }

    private BulkApi api(Map<String, String> options) {
        return Service.EVENTBRIDGE.api(context, delegate, options, ItemKey.FROM_API);
    }

    private static PutEventsRequestEntry entry(BulkApi api, Object element) throws InvalidItemException {
        return ((Event) api.item(element)).entry();
    }

    private static BulkItem item(BulkApi api, Object element) {
        try {
            return api.item(element);
        } catch (InvalidItemException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
