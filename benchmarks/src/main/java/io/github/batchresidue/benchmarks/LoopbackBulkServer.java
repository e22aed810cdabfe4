/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Answers {@code POST …/_bulk} on 127.0.0.1 at once and for as little work as possible: documents are counted and not
 * parsed, answers are made beforehand. Every operation has to have two lines. One thread for each connection.
 */
final class LoopbackBulkServer implements AutoCloseable {

    private final ServerSocketChannel listener;
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final List<SocketChannel> connections = new CopyOnWriteArrayList<>();
    private volatile Delivery delivery = new Delivery(0, Delivery.Mode.COUNTING);

    LoopbackBulkServer() throws IOException {
        listener = ServerSocketChannel.open()
                .bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0));
        start("bulk-server", this::accept);
    }

    /** Where documents go to, without a query. */
    String url() {
        return baseUrl() + "/books/_bulk";
    }

    String baseUrl() {
        return "http://127.0.0.1:" + listener.socket().getLocalPort();
    }

    /** Begins to count anew. */
    Delivery expect(int documents, Delivery.Mode mode) {
        delivery = new Delivery(documents, mode);
        return delivery;
    }

    Collection<Thread> threads() {
        return threads;
    }

    private void accept() {
        while (listener.isOpen()) {
            try {
                SocketChannel connection = listener.accept();
                connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
                connections.add(connection);
                start("bulk-server-connection", () -> serve(connection));
            } catch (IOException e) {
                if (listener.isOpen()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private void serve(SocketChannel connection) {
        try (connection) {
            new BulkConnection(connection, () -> delivery).serve();
        } catch (IOException e) {
            // The client has gone.
        }
    }

    private void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (SocketChannel connection : connections) {
            connection.close();
        }
    }
}
