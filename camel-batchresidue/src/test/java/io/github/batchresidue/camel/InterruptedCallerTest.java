/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.test.junit5.CamelTestSupport;
import org.junit.jupiter.api.Test;

/** A caller that is interrupted while it waits leaves; the run goes on and keeps the law. */
class InterruptedCallerTest extends CamelTestSupport {

    private final WordService service = WordService.answering(this::answer);
    private final CountDownLatch secondRequest = new CountDownLatch(1);
    private final CountDownLatch callerIsGone = new CountDownLatch(1);

    private String answer(String word) {
        if (secondRequest.getCount() > 0) {
            return word.equals("a") ? "landed" : "residue";
        }
        return word.startsWith("t") ? "mapping" : "landed";
    }

    @Override
    protected RouteBuilder createRouteBuilder() {
        context.getRegistry().bind("words", new WordApi());
        return new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:in")
                        .to("batchresidue:direct:table?bulkApi=#words&redeliveryDelay=1&jitter=NONE"
                                + "&deadLetterUri=direct:dead");
                // On threads of its own: the caller's is to wait.
                from("direct:table")
                        .threads(1)
                        .process(exchange -> {
                            if (service.requests().size() == 1) {
                                secondRequest.countDown();
                                callerIsGone.await();
                            }
                        })
                        .process(service);
                from("direct:dead").to("mock:dead");
            }
        };
    }

    @Test
    void laterRequestsAndDeadLettersGoTheirWay() throws Exception {
        MockEndpoint dead = getMockEndpoint("mock:dead");
        dead.expectedBodiesReceived("t1");
        Thread caller = new Thread(() ->
                template.send("direct:in", exchange -> exchange.getMessage().setBody(List.of("a", "b", "t1"))));
        caller.start();
        assertThat(secondRequest.await(20, TimeUnit.SECONDS)).isTrue();

        caller.interrupt();
        caller.join(TimeUnit.SECONDS.toMillis(20));
        callerIsGone.countDown();

        assertThat(caller.isAlive()).isFalse();
        dead.assertIsSatisfied();
        assertThat(service.requests()).containsExactly(List.of("a", "b", "t1"), List.of("b", "t1"));
    }
}
