/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.servers.elasticmq;

import java.net.URI;
import org.apache.pekko.http.scaladsl.Http;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;

/** ElasticMQ on a free port of the loopback interface, with queues in memory. */
public final class EmbeddedElasticMq implements AutoCloseable {

    private final SQSRestServer server;
    private final URI endpoint;

    /** Starts, which takes about two seconds. */
    public EmbeddedElasticMq() {
        server = SQSRestServerBuilder.withInterface("127.0.0.1")
                .withDynamicPort()
                .start();
        Http.ServerBinding binding = server.waitUntilStarted();
        endpoint = URI.create("http://127.0.0.1:" + binding.localAddress().getPort());
    }

    /** Where clients find it. */
    public URI endpoint() {
        return endpoint;
    }

    @Override
    public void close() {
        server.stopAndWait();
    }
}
