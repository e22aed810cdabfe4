/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.salesforce;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server that answers every request with the same bytes, be they HTTP or not, and hangs up. */
final class RawAnswers implements AutoCloseable {

    private static final Pattern LENGTH = Pattern.compile("content-length: *(\\d+)", Pattern.CASE_INSENSITIVE);

    private final ServerSocket socket;
    private final byte[] answer;
    private final AtomicInteger requests = new AtomicInteger();
    private final Thread thread = new Thread(this::serve, "raw answers");

    RawAnswers(String answer) throws IOException {
        this.answer = answer.getBytes(StandardCharsets.ISO_8859_1);
        this.socket = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"));
        thread.start();
    }

    String url() {
        return "http://127.0.0.1:" + socket.getLocalPort();
    }

    /** How many requests have come, whole. */
    int requests() {
        return requests.get();
    }

    private void serve() {
        while (!socket.isClosed()) {
            try (Socket connection = socket.accept()) {
                if (readRequest(connection.getInputStream())) {
                    requests.incrementAndGet();
                    connection.getOutputStream().write(answer);
                    connection.shutdownOutput();
                    connection.getInputStream().transferTo(OutputStream.nullOutputStream());
                }
            } catch (SocketException e) {
                // Closed, or the client has hung up first.
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static boolean readRequest(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                return false;
            }
            head.append((char) next);
        }
        Matcher length = LENGTH.matcher(head);
        return !length.find() || in.readNBytes(Integer.parseInt(length.group(1))).length > 0;
    }

    @Override
    public void close() throws IOException {
        socket.close();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
