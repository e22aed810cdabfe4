/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.benchmarks;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/** One kept-alive connection of the server: HTTP/1.1 with a length or in chunks. */
final class BulkConnection {

    private static final int BUFFER = 256 * 1024;

    private final SocketChannel socket;
    private final Supplier<Delivery> deliveries;
    private final OperationCounter counter = new OperationCounter();
    private final BulkAnswers answers = new BulkAnswers();
    private final ByteBuffer in =
            ByteBuffer.allocateDirect(BUFFER).order(ByteOrder.LITTLE_ENDIAN).flip();
    private final byte[] line = new byte[8 * 1024];

    private long contentLength;
    private boolean isChunked;

    BulkConnection(SocketChannel socket, Supplier<Delivery> deliveries) {
        this.socket = socket;
        this.deliveries = deliveries;
    }

    /** Answers one request after the other until the client closes. */
    void serve() throws IOException {
        while (in.hasRemaining() || read()) {
            AnswerText wanted = readHead();
            Delivery delivery = deliveries.get();
            counter.begin(delivery);
            if (isChunked) {
                readChunks();
            } else {
                readBody(contentLength);
            }
            counter.end();
            delivery.received(counter.operations(), counter.documentBytes());
            ByteBuffer answer = answers.answer(wanted, counter.operations(), counter.rejected());
            while (answer.hasRemaining()) {
                socket.write(answer);
            }
        }
    }

    /** Reads up to the body; gives what is asked for. */
    private AnswerText readHead() throws IOException {
        contentLength = 0;
        isChunked = false;
        String requestLine = readLine();
        for (String header = readLine(); !header.isEmpty(); header = readLine()) {
            if (header.regionMatches(true, 0, "Content-Length:", 0, 15)) {
                contentLength = Long.parseLong(header.substring(15).trim());
            } else if (header.regionMatches(true, 0, "Transfer-Encoding:", 0, 18)) {
                isChunked = true;
            }
        }
        return requestLine.contains("filter_path=") ? AnswerText.FILTERED : AnswerText.FULL;
    }

    private void readChunks() throws IOException {
        for (long size = readChunkSize(); size > 0; size = readChunkSize()) {
            readBody(size);
            readLine();
        }
        readLine();
    }

    private long readChunkSize() throws IOException {
        return Long.parseLong(readLine(), 16);
    }

    private void readBody(long length) throws IOException {
        long left = length;
        while (left > 0) {
            if (!in.hasRemaining() && !read()) {
                throw new EOFException();
            }
            int part = (int) Math.min(left, in.remaining());
            counter.count(in, in.position(), in.position() + part);
            in.position(in.position() + part);
            left -= part;
        }
    }

    private String readLine() throws IOException {
        int length = 0;
        while (true) {
            if (!in.hasRemaining() && !read()) {
                throw new EOFException();
            }
            byte b = in.get();
            if (b == '\n') {
                return new String(line, 0, length - 1, StandardCharsets.ISO_8859_1);
            }
            line[length++] = b;
        }
    }

    private boolean read() throws IOException {
        in.clear();
        int read = socket.read(in);
        in.flip();
        return read > 0;
    }
}
