/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.github.batchresidue.engine.Ledger;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.ExchangePattern;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.http.HttpEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ResourceHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What stands in our URI arrives at the delegate as it would if the delegate stood alone. */
class DelegateUriEncodingTest {

    private final CamelContext context = new DefaultCamelContext();
    private final ProbeComponent probe = new ProbeComponent();

    @BeforeEach
    void start() {
        context.getRegistry().bind("words", new WordApi());
        context.addComponent("probe", probe);
        context.start();
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    private BatchResidueEndpoint endpoint(String uri) throws Exception {
        BatchResidueEndpoint endpoint = context.getEndpoint(uri, BatchResidueEndpoint.class);
        endpoint.takePlan();
        return endpoint;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a+b",
                "a%20b",
                "100%",
                "a b",
                "a=b=c",
                "#bean",
                "grüße",
                "RAW(a+b%20c)",
                "RAW(a&b=c)",
                "RAW(a)b)",
                "RAW{a)b&c}",
                "a?b",
                "mock:x?y=z",
                "RAW(mock:x?y=RAW(z&z))",
                "/path/{id}",
                "^[a-z]+$"
            })
    void aValueReachesTheDelegateAsIfItStoodAlone(String value) throws Exception {
        ProbeComponent alone = new ProbeComponent();
        context.addComponent("alone", alone);
        context.getEndpoint("alone:table?value=" + value);

        endpoint("batchresidue:probe:table?bulkApi=#words&value=" + value + "&batchSize=5");

        assertThat(probe.endpoint().options).isEqualTo(alone.endpoint().options).containsKey("value");
        assertThat(probe.endpoint().path).isEqualTo("table");
    }

    @ParameterizedTest
    @CsvSource({
        "batchresidue:probe:table, table",
        "batchresidue://probe:table, table",
        "batchresidue:probe://table, table",
        "batchresidue:probe:a table, a table",
        "batchresidue:probe:a%20table, a table",
        "batchresidue:probe:a/b#c, a/b#c",
        "batchresidue:probe:grün, grün"
    })
    void aPathReachesTheDelegate(String uri, String path) throws Exception {
        endpoint(uri + "?bulkApi=#words");

        assertThat(probe.endpoint().path).isEqualTo(path);
    }

    @Test
    void ownOptionsStayAndMayBeRaw() throws Exception {
        BatchResidueEndpoint endpoint = endpoint("batchresidue:probe:table?bulkApi=#words&batchSize=RAW(7)"
                + "&value=v&deadLetterUri=RAW(mock:dead?retainFirst=1&retainLast=2)&redeliveryDelay=2s");

        assertThat(endpoint.getConfiguration().getBatchSize()).isEqualTo(7);
        assertThat(endpoint.getConfiguration().getRedeliveryDelay()).isEqualTo(2000);
        assertThat(endpoint.getConfiguration().getDeadLetterUri()).isEqualTo("mock:dead?retainFirst=1&retainLast=2");
        assertThat(probe.endpoint().options).containsOnlyKeys("value");
    }

    @Test
    void optionsOfTheBulkApiMayBeRaw() throws Exception {
        endpoint("batchresidue:probe:raw?bulkApi=words&bulkApi.language=RAW(a&b%)&bulkApi.dialect=x");

        assertThat(WordApiProvider.MADE.get("probe://raw").options())
                .containsExactly(entry("dialect", "x"), entry("language", "a&b%"));
    }

    @Test
    void placeholdersStandForTheDelegateAndForValues() throws Exception {
        Properties properties = new Properties();
        properties.putAll(Map.of("target", "probe:table?value=a+b", "pw", "x)y&%", "size", "4"));
        context.getPropertiesComponent().setInitialProperties(properties);

        BatchResidueEndpoint endpoint =
                endpoint("batchresidue:{{target}}?bulkApi=#words&password=RAW({{pw}})&batchSize={{size}}");

        assertThat(probe.endpoint().path).isEqualTo("table");
        assertThat(probe.endpoint().options).containsOnly(entry("value", "a b"), entry("password", "x)y&%"));
        assertThat(endpoint.getConfiguration().getBatchSize()).isEqualTo(4);
    }

    @Test
    void thePrefixForcesAnyNameOntoTheDelegate() throws Exception {
        BatchResidueEndpoint endpoint = endpoint("batchresidue:probe:table?bulkApi=#words&batchSize=3"
                + "&delegate.batchSize=99&delegate.lazyStartProducer=true&delegate.exchangePattern=InOnly");

        assertThat(probe.endpoint().options).containsOnly(entry("batchSize", "99"));
        assertThat(probe.endpoint().isLazyStartProducer()).isTrue();
        assertThat(probe.endpoint().getExchangePattern()).isEqualTo(ExchangePattern.InOnly);
        assertThat(endpoint.getConfiguration().getBatchSize()).isEqualTo(3);
        assertThat(endpoint.isLazyStartProducer()).isFalse();
    }

    @Test
    void withoutThePrefixTheyAreOurOwn() throws Exception {
        BatchResidueEndpoint endpoint =
                endpoint("batchresidue:probe:table?bulkApi=#words&lazyStartProducer=true&exchangePattern=InOut");

        assertThat(endpoint.isLazyStartProducer()).isTrue();
        assertThat(endpoint.getExchangePattern()).isEqualTo(ExchangePattern.InOut);
        assertThat(probe.endpoint().isLazyStartProducer()).isFalse();
    }

    @Test
    void repeatedOptionsAndPrefixesReachTheDelegate() throws Exception {
        endpoint("batchresidue:probe:table?bulkApi=#words&value=1&value=2&extra.a=x&extra.b.c=RAW(y&y)&value=3");

        assertThat(probe.endpoint().options).containsEntry("value", List.of("1", "2", "3"));
        assertThat(probe.endpoint().extras).containsOnly(entry("a", "x"), entry("b.c", "y&y"));
    }

    @Test
    void namesAreKeptAsTheyAre() throws Exception {
        endpoint("batchresidue:probe:table?bulkApi=#words&extra.c%20d=2");

        assertThat(probe.endpoint().extras).containsOnly(entry("c d", "2"));
    }

    @Test
    void anHttpDelegateKeepsItsQueryAndItsMultiValueOptions() throws Exception {
        BatchResidueEndpoint endpoint = endpoint(
                "batchresidue:http://127.0.0.1:1/index/_bulk?bulkApi=#words&batchSize=5&pipeline=a b&refresh=wait_for"
                        + "&connectTimeout=1234&httpClient.cookieSpec=strict");

        HttpEndpoint http = (HttpEndpoint) HttpDelegates.withoutRetries(context, endpoint.getDelegateUri());
        HttpEndpoint alone =
                context.getEndpoint("http://127.0.0.1:1/index/_bulk?pipeline=a b&refresh=wait_for", HttpEndpoint.class);
        assertThat(http.getHttpUri()).isEqualTo(alone.getHttpUri());
        assertThat(http.getConnectTimeout()).isEqualTo(1234);
    }

    @Test
    void aDelegateMayBeABeanOrALogicalName() throws Exception {
        Endpoint table = context.getEndpoint("probe:table?value=v");
        context.getRegistry().bind("orders", table);

        assertThat(endpoint("batchresidue:ref:orders?bulkApi=#words").getDelegateUri())
                .isEqualTo("ref:orders");
        assertThat(endpoint("batchresidue:orders?bulkApi=#words").getDelegateUri())
                .isEqualTo("orders");
        assertThat(probe.endpoint()).isSameAs(table);
    }

    @Test
    void theSameUriIsTheSameEndpoint() throws Exception {
        BatchResidueEndpoint endpoint = endpoint("batchresidue:probe:table?bulkApi=words&value=RAW(a&b)&batchSize=5");

        assertThat(context.getEndpoint("batchresidue:probe:table?batchSize=5&bulkApi=words&value=RAW(a&b)"))
                .isSameAs(endpoint);
        assertThat(context.getEndpoint("batchresidue://probe:table?bulkApi=words&value=RAW(a&b)&batchSize=5"))
                .isSameAs(endpoint);
        assertThat(context.getEndpoint("batchresidue:probe:table?bulkApi=words&value=RAW(a&c)&batchSize=5"))
                .isNotEqualTo(endpoint);
    }

    @Test
    void aDynamicStepPassesOptionsToo() throws Exception {
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:dynamic")
                        .toD("batchresidue:probe:${header.table}?bulkApi=#words&value=RAW(a+${header.more})");
            }
        });

        Object ledger = context.createFluentProducerTemplate()
                .withBody(List.of("a"))
                .withHeader("table", "table")
                .withHeader("more", "b%")
                .to("direct:dynamic")
                .request(Object.class);

        assertThat(ledger).isInstanceOf(Ledger.class);
        assertThat(probe.endpoint().options).containsOnly(entry("value", "a+b%"));
    }

    @Test
    void yamlPassesOptionsUnchanged() throws Exception {
        load("encoding.yaml", """
                - route:
                    from:
                      uri: direct:in
                      steps:
                        - to:
                            uri: batchresidue:probe:table
                            parameters:
                              bulkApi: "#words"
                              batchSize: 5
                              value: a+b
                              other: 100%
                              password: "RAW(p)w&z)"
                              extra.x: "RAW(a b)"
                """);

        assertOptions();
    }

    @Test
    void xmlPassesOptionsUnchanged() throws Exception {
        load("encoding.xml", """
                <routes xmlns="http://camel.apache.org/schema/xml-io">
                  <route>
                    <from uri="direct:in"/>
                    <to uri="batchresidue:probe:table?bulkApi=#words&amp;batchSize=5&amp;value=a+b&amp;other=100%&amp;password=RAW(p)w&amp;z)&amp;extra.x=RAW(a b)"/>
                  </route>
                </routes>
                """);

        assertOptions();
    }

    private void load(String name, String text) throws Exception {
        PluginHelper.getRoutesLoader(context).loadRoutes(ResourceHelper.fromString(name, text));
    }

    private void assertOptions() {
        assertThat(probe.endpoint().options)
                .containsOnly(entry("value", "a b"), entry("other", "100%"), entry("password", "p)w&z"));
        assertThat(probe.endpoint().extras).containsOnly(entry("x", "a b"));
    }
}
