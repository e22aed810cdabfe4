/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.benchmarks;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;

/**
 * The loop that one writes by hand with Apache HttpClient: a buffer for each request, the answer read with Jackson's
 * streaming parser, and what was rejected kept aside and sent when the rest is through and the wait is over.
 */
final class HandWritten implements Contestant {

    private static final ContentType NDJSON = ContentType.create("application/x-ndjson");
    private static final JsonFactory JSON = new JsonFactory();
    private static final ObjectWriter WRITER = new ObjectMapper().writer();

    private final CloseableHttpClient client =
            HttpClients.custom().disableAutomaticRetries().build();
    private final String url;
    private final long waitMillis;
    private final boolean isKeepingBuffer;
    private Buffer request = new Buffer(0);
    private Buffer residue = new Buffer(0);
    /** Where each operation of the request ends. */
    private final int[] ends = new int[BATCH];

    private int operations;
    private long lastRejection;

    /** @param isKeepingBuffer whether all requests are made in one buffer, and sent from it without a copy */
    HandWritten(String url, long waitMillis, boolean isKeepingBuffer) {
        this.isKeepingBuffer = isKeepingBuffer;
        this.url = url + "?" + FILTER_PATH;
        this.waitMillis = waitMillis;
    }

    @Override
    public void sendDocuments(List<byte[]> json) throws Exception {
        for (byte[] document : json) {
            request.write(Documents.ACTION_LINE, 0, Documents.ACTION_LINE.length);
            request.write(document, 0, document.length);
            endOperation();
        }
        finish();
    }

    @Override
    public void sendMaps(List<Map<String, Object>> maps) throws Exception {
        for (Map<String, Object> map : maps) {
            request.write(Documents.ACTION_LINE, 0, Documents.ACTION_LINE.length);
            WRITER.writeValue(request, map);
            endOperation();
        }
        finish();
    }

    private void endOperation() throws IOException {
        request.write('\n');
        ends[operations++] = request.size();
        if (operations == BATCH) {
            post(request.size());
            clear();
        }
    }

    private void clear() {
        if (isKeepingBuffer) {
            request.reset();
        } else {
            request = new Buffer(request.size());
        }
    }

    @Override
    public void sendText(InputStream bulkText, int operations) throws Exception {
        sendOperations(bulkText);
    }

    private void sendOperations(InputStream bulkText) throws IOException, InterruptedException {
        int searched = 0;
        int lines = 0;
        while (request.readFrom(bulkText)) {
            byte[] bytes = request.bytes();
            int to = request.size();
            for (; searched < to; searched++) {
                if (bytes[searched] == '\n' && ++lines % 2 == 0) {
                    ends[operations++] = searched + 1;
                    if (operations == BATCH) {
                        post(searched + 1);
                        request.removeFirst(searched + 1);
                        to = request.size();
                        searched = -1;
                    }
                }
            }
        }
        finish();
    }

    private void finish() throws IOException, InterruptedException {
        if (operations > 0) {
            post(request.size());
        }
        clear();
        while (residue.size() > 0) {
            Thread.sleep(Math.max(0, lastRejection + waitMillis - System.currentTimeMillis()));
            Buffer again = residue;
            residue = new Buffer(0);
            sendOperations(again.toInputStream());
        }
    }

    private void post(int length) throws IOException {
        HttpPost post = new HttpPost(url);
        byte[] body = isKeepingBuffer ? request.bytes() : Arrays.copyOf(request.bytes(), length);
        post.setEntity(new ByteArrayEntity(body, 0, length, NDJSON));
        client.execute(post, answer -> {
            readAnswer(answer);
            return null;
        });
        operations = 0;
    }

    private void readAnswer(ClassicHttpResponse answer) throws IOException {
        if (answer.getCode() != 200) {
            throw new IOException("HTTP status " + answer.getCode());
        }
        int item = 0;
        try (InputStream body = answer.getEntity().getContent();
                JsonParser parser = JSON.createParser(body)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.FIELD_NAME && parser.currentName().equals("status")) {
                    int status = parser.nextIntValue(0);
                    if (status == 429) {
                        keep(item);
                    } else if (status >= 300) {
                        throw new IOException("item " + item + ": status " + status);
                    }
                    item++;
                }
            }
        }
        if (item != operations) {
            throw new IOException(item + " results for " + operations + " operations");
        }
    }

    private void keep(int item) {
        int from = item == 0 ? 0 : ends[item - 1];
        residue.write(request.bytes(), from, ends[item] - from);
        lastRejection = System.currentTimeMillis();
    }

    @Override
    public void close() throws IOException {
        client.close();
    }

    /** Gives its bytes away without a copy. */
    private static final class Buffer extends ByteArrayOutputStream {

        private static final int CHUNK = 64 * 1024;

        Buffer(int size) {
            super(size);
        }

        byte[] bytes() {
            return buf;
        }

        /** Appends what can be read at once; false at the end. */
        boolean readFrom(InputStream in) throws IOException {
            if (buf.length - count < CHUNK) {
                buf = Arrays.copyOf(buf, buf.length + Math.max(buf.length, CHUNK));
            }
            int read = in.read(buf, count, CHUNK);
            count += Math.max(read, 0);
            return read >= 0;
        }

        void removeFirst(int length) {
            System.arraycopy(buf, length, buf, 0, count - length);
            count -= length;
        }

        InputStream toInputStream() {
            return new ByteArrayInputStream(buf, 0, count);
        }
    }
}
