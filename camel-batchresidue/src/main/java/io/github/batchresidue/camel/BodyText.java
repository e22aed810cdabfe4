/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.camel.Exchange;
import org.apache.camel.StreamCache;
import org.apache.camel.WrappedFile;
import org.apache.camel.support.ExchangeHelper;
import org.apache.camel.util.IOHelper;

/** Opens a body that is a text as a stream of UTF-8. */
final class BodyText {

    private BodyText() {}

    /**
     * Opens the text. Bytes are taken for UTF-8 unless the exchange names another charset.
     *
     * @return a stream that supports {@code mark} and is to be closed; null if the body is no text
     * @throws IllegalArgumentException if nobody knows the charset
     */
    static InputStream open(Object body, Exchange exchange) throws IOException {
        if (body instanceof CharSequence text) {
            return encode(new StringReader(text.toString()));
        }
        if (body instanceof Reader reader) {
            return encode(reader);
        }
        InputStream bytes = openBytes(body, exchange);
        if (bytes == null) {
            return null;
        }
        try {
            return toUtf8(bytes, charset(exchange));
        } catch (IllegalArgumentException e) {
            IOHelper.close(bytes);
            throw e;
        }
    }

    private static InputStream toUtf8(InputStream bytes, Charset charset) {
        if (!charset.equals(StandardCharsets.UTF_8)) {
            return encode(new InputStreamReader(bytes, charset.newDecoder()));
        }
        boolean supportsMark = bytes.getClass() == ByteArrayInputStream.class; // A subclass may be a stream cache.
        return supportsMark ? bytes : new BufferedInputStream(bytes);
    }

    private static InputStream openBytes(Object body, Exchange exchange) throws IOException {
        if (body instanceof byte[] bytes) {
            return new ByteArrayInputStream(bytes);
        }
        if (body instanceof ByteBuffer buffer) {
            return open(buffer);
        }
        if (body instanceof InputStream in) {
            return in;
        }
        if (body instanceof Path path) {
            return Files.newInputStream(path);
        }
        if (body instanceof File file) {
            return Files.newInputStream(file.toPath());
        }
        if (body instanceof WrappedFile<?> wrapped && wrapped.getFile() instanceof File file) {
            return Files.newInputStream(file.toPath());
        }
        if (body instanceof WrappedFile || body instanceof StreamCache) {
            return exchange.getContext().getTypeConverter().tryConvertTo(InputStream.class, exchange, body);
        }
        return null;
    }

    private static InputStream open(ByteBuffer buffer) {
        ByteBuffer own = buffer.duplicate();
        if (own.hasArray()) {
            return new ByteArrayInputStream(own.array(), own.arrayOffset() + own.position(), own.remaining());
        }
        byte[] bytes = new byte[own.remaining()];
        own.get(bytes);
        return new ByteArrayInputStream(bytes);
    }

    private static InputStream encode(Reader reader) {
        return new BufferedInputStream(new Utf8InputStream(reader));
    }

    private static Charset charset(Exchange exchange) {
        String name = ExchangeHelper.getCharsetName(exchange, false);
        if (name == null) {
            String contentType = ExchangeHelper.getContentType(exchange);
            name = contentType == null ? null : IOHelper.getCharsetNameFromContentType(contentType);
        }
        try {
            return name == null ? StandardCharsets.UTF_8 : Charset.forName(name);
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            throw new IllegalArgumentException(
                    "the body cannot be read: its charset is given as '" + name + "', which is not known here", e);
        }
    }
}
