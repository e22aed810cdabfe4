/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.github.tomakehurst.wiremock.http.Fault;
import java.util.List;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.component.http.HttpClientConfigurer;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.hc.client5.http.impl.DefaultHttpRequestRetryStrategy;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.core5.util.TimeValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the HTTP client below a delegate repeats by itself, counted at the server. */
class HttpDelegatesTest {

    private static final String DELETE = "{\"delete\":{\"_index\":\"books\",\"_id\":\"1\"}}\n";

    private final WireMockServer server = new WireMockServer(
            WireMockConfiguration.options().bindAddress("127.0.0.1").dynamicPort());
    private final CamelContext context = new DefaultCamelContext();
    private ProducerTemplate template;
    private String url;

    @BeforeEach
    void start() {
        server.start();
        context.start();
        template = context.createProducerTemplate();
        url = "http://127.0.0.1:" + server.port() + "/_bulk";
    }

    @AfterEach
    void stop() {
        context.stop();
        server.stop();
    }

    static Stream<ResponseDefinitionBuilder> troubles() {
        return Stream.of(
                aResponse().withStatus(429),
                aResponse().withStatus(503),
                aResponse().withStatus(502),
                aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER),
                aResponse().withFault(Fault.EMPTY_RESPONSE));
    }

    @ParameterizedTest
    @MethodSource("troubles")
    void aDelegatesClientRepeatsNothing(ResponseDefinitionBuilder trouble) {
        server.stubFor(any(anyUrl()).willReturn(trouble));

        assertThat(send(url + "?maximumRedeliveries=0").getException()).isNotNull();

        assertThat(requests()).isEqualTo(1);
    }

    @Test
    void anotherStepOfTheSameUriKeepsItsClient() {
        server.stubFor(any(anyUrl()).willReturn(aResponse().withStatus(503)));
        send(url + "?maximumRedeliveries=0");
        assertThat(requests()).isEqualTo(1);

        template.request(url, exchange -> exchange.getMessage().setBody(DELETE));

        assertThat(requests()).as("one of ours, and two of the default client").isEqualTo(3);
    }

    @Test
    void aRetryStrategyOfTheUsersIsFollowed() {
        server.stubFor(any(anyUrl()).willReturn(aResponse().withStatus(503)));
        context.getRegistry().bind("three", threeRetries());

        send(url + "?maximumRedeliveries=0&httpClient.retryStrategy=#three");

        assertThat(requests()).isEqualTo(4);
    }

    @Test
    void aConfigurerOfTheUsersHasTheLastWord() {
        server.stubFor(any(anyUrl()).willReturn(aResponse().withStatus(503)));
        context.getRegistry()
                .bind("configurer", (HttpClientConfigurer) builder -> builder.setRetryStrategy(threeRetries()));

        send(url + "?maximumRedeliveries=0&httpClientConfigurer=#configurer");

        assertThat(requests()).isEqualTo(4);
    }

    @Test
    void aClientBuilderOfTheUsersIsLeftAsItIs() {
        server.stubFor(any(anyUrl()).willReturn(aResponse().withStatus(503)));
        context.getRegistry().bind("builder", HttpClientBuilder.create().setRetryStrategy(threeRetries()));

        send(url + "?maximumRedeliveries=0&clientBuilder=#builder");

        assertThat(requests()).isEqualTo(4);
    }

    @Test
    void otherOptionsOfTheClientAreKept() {
        server.stubFor(any(anyUrl()).willReturn(aResponse().withFixedDelay(2000).withStatus(200)));

        Exchange done = send(url + "?httpClient.responseTimeout=100");

        assertThat(done.getException()).isInstanceOf(java.net.SocketTimeoutException.class);
        assertThat(requests()).isEqualTo(1);
    }

    private Exchange send(String delegate) {
        return template.request(
                "batchresidue:" + delegate, exchange -> exchange.getMessage().setBody(DELETE));
    }

    private static DefaultHttpRequestRetryStrategy threeRetries() {
        return new DefaultHttpRequestRetryStrategy(3, TimeValue.ofMilliseconds(1), List.of(), List.of(503)) {
            @Override
            public TimeValue getRetryInterval(
                    org.apache.hc.core5.http.HttpResponse response,
                    int execCount,
                    org.apache.hc.core5.http.protocol.HttpContext context) {
                return TimeValue.ofMilliseconds(1);
            }

            @Override
            protected boolean handleAsIdempotent(org.apache.hc.core5.http.HttpRequest request) {
                return true;
            }
        };
    }

    private int requests() {
        return server.getAllServeEvents().size();
    }
}
