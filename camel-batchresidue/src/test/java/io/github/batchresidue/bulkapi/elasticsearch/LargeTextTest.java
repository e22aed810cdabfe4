/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.heap.SmallHeapJvm;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.Test;

/** A text much larger than the memory goes to a server, with rejections on the way. */
class LargeTextTest {

    private static final long BYTES = 2L << 30;

    @Test
    void twoGigabytesPassInAHeapOf128Megabytes() throws Exception {
        assertThat(SmallHeapJvm.run(128, SmallHeap.class)).contains("all landed, some in a later round");
    }

    /** Runs in a JVM of its own. */
    static final class SmallHeap {

        public static void main(String[] arguments) throws Exception {
            System.setProperty("sun.net.httpserver.nodelay", "true"); // An answer in two pieces would wait for 40 ms.
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
            server.setExecutor(Executors.newCachedThreadPool());
            server.createContext("/_bulk", SmallHeap::answer);
            server.start();
            CamelContext context = new DefaultCamelContext();
            context.start();
            Text text = new Text();
            long begun = System.nanoTime();
            Exchange done = context.createProducerTemplate()
                    .request(
                            "batchresidue:http://127.0.0.1:"
                                    + server.getAddress().getPort()
                                    + "/_bulk?parallelRequests=2&redeliveryDelay=3000&backOffMultiplier=1",
                            exchange -> exchange.getMessage().setBody(text));
            if (done.getException() != null) {
                throw done.getException();
            }
            Ledger ledger = done.getMessage().getBody(Ledger.class);
            System.out.printf(
                    "%d operations of %d bytes in %d requests and %d ms%n",
                    ledger.items(),
                    text.given,
                    ledger.requests(),
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
            if (ledger.landed() == text.operations && ledger.rounds() > 1 && text.given >= BYTES) {
                System.out.println("all landed, some in a later round");
            }
            context.stop();
            server.stop(0);
            System.exit(0);
        }

        /** Of a full request every fiftieth operation is rejected: thousands wait at once, each from another piece of text. */
        private static void answer(HttpExchange exchange) throws IOException {
            int operations = 0;
            try (InputStream body = exchange.getRequestBody()) {
                byte[] buffer = new byte[64 * 1024];
                for (int read = body.read(buffer); read >= 0; read = body.read(buffer)) {
                    for (int i = 0; i < read; i++) {
                        operations += buffer[i] == '\n' ? 1 : 0;
                    }
                }
            }
            operations /= 2;
            boolean isFresh =
                    exchange.getRequestHeaders().getFirst("Content-Length").length() > 5;
            StringBuilder answer = new StringBuilder("{\"errors\":true,\"items\":[");
            for (int i = 0; i < operations; i++) {
                answer.append(i == 0 ? "" : ",")
                        .append(
                                operations > 900 && i % 50 == 0
                                        ? "{\"index\":{\"status\":429,\"error\":{\"type\":\"es_rejected_execution_exception\"}}}"
                                        : "{\"index\":{\"status\":201}}");
            }
            byte[] bytes = answer.append("]}").toString().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(bytes);
            }
        }
    }

    /** Made as it is read. */
    private static final class Text extends InputStream {

        private final String filling = "x".repeat(1000);
        private byte[] operation = {};
        private int at;
        private long operations;
        private long given;

        @Override
        public int read() {
            throw new UncheckedIOException(new IOException("too slow"));
        }

        @Override
        public int read(byte[] into, int from, int most) {
            if (at == operation.length) {
                if (given >= BYTES) {
                    return -1;
                }
                operation = ("{\"index\":{\"_index\":\"books\",\"_id\":\"" + operations + "\"}}\n{\"text\":\"" + filling
                                + "\"}\n")
                        .getBytes(StandardCharsets.UTF_8);
                operations++;
                at = 0;
            }
            int read = Math.min(most, operation.length - at);
            System.arraycopy(operation, at, into, from, read);
            at += read;
            given += read;
            return read;
        }
    }
}
