/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.JsonProblem;
import io.github.batchresidue.bulkapi.RawJson;
import io.github.batchresidue.engine.Content;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reason;
import io.github.batchresidue.engine.Refusal;
import io.github.batchresidue.engine.Source;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.BaseStream;
import org.apache.camel.Exchange;
import org.apache.camel.StreamCache;
import org.apache.camel.WrappedFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The items of a body, read one by one as the run asks for them.
 *
 * <p>An element that was taken from the body becomes an item whatever happens: one that can never be sent has a {@link
 * Content#refusal()}. When the body cannot be read any
 * further, {@link #next()} says so as often as it is called; it never goes on behind the gap. The body is left as it was,
 * apart from iterators and streams, which are used up and closed.
 */
final class ItemSource implements Source, AutoCloseable {

    /** Where the elements are before they are read. */
    private enum Home {
        /** In the caller's memory. */
        MEMORY,
        /** In a file, or wherever a stream cache has put them. */
        STORED,
        /** Elsewhere, and they can be had again: reading may wait. */
        ELSEWHERE,
        /** Elsewhere, and they can be had only once: reading may wait. */
        PASSING
    }

    private record Refused(Object body, Refusal refusal) implements BulkItem {
        @Override
        public long bytes() {
            return 0;
        }
    }

    /** An element that was taken from the body when the JVM failed: it is accounted for, and the run fails with this. */
    private record Unmade(Object body, Error error) implements BulkItem {
        @Override
        public long bytes() {
            throw error;
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(ItemSource.class);
    private static final int[] BYTE_ORDER_MARK = {0xEF, 0xBB, 0xBF};

    private final Object body;
    private final Home home;
    private final BulkApi api;
    /** What items may take their parts from. */
    private final Exchange origin;
    /** Null if the body is no text. */
    private final InputStream text;
    /** Null until the first element of a text is asked for. */
    private Iterator<?> elements;

    private long index;
    private boolean ended;
    private Exception failure;
    private boolean hasWarned;
    private final AtomicBoolean closed = new AtomicBoolean();

    private ItemSource(Object body, Home home, BulkApi api, Exchange origin, InputStream text, Iterator<?> elements) {
        this.body = body;
        this.home = home;
        this.api = api;
        this.origin = origin;
        this.text = text;
        this.elements = elements;
    }

    /**
     * Opens a body, and reads nothing of it yet.
     *
     * @param exchange tells the charset of bytes, and its type converters open what wraps a file or stream
     * @param origin the same exchange as far as the API may see it
     * @throws IllegalArgumentException if the body is of a type that nobody can read
     * @throws IOException if a file cannot be opened
     */
    static ItemSource of(Object body, Exchange exchange, BulkApi api, Exchange origin) throws IOException {
        InputStream text = BodyText.open(body instanceof StreamCache cache ? ownView(cache, exchange) : body, exchange);
        if (text != null) {
            return new ItemSource(body, home(body), api, origin, text, null);
        }
        Iterator<?> elements = body == null ? Collections.emptyIterator() : api.wholeRequest(body);
        if (elements == null) {
            elements = elements(body);
        }
        return new ItemSource(body, home(body), api, origin, null, elements);
    }

    /** Camel rewinds the cache itself when it redelivers the exchange; the run then goes on where it was. */
    private static StreamCache ownView(StreamCache cache, Exchange exchange) throws IOException {
        cache.reset();
        return cache.copy(exchange);
    }

    private static Iterator<?> elements(Object body) {
        if (body instanceof Map || body instanceof ObjectNode) {
            return List.of(body).iterator();
        }
        if (body instanceof JsonNode node && (node.isNull() || node.isMissingNode())) {
            return Collections.emptyIterator();
        }
        if (body instanceof Iterator<?> iterator) {
            return iterator;
        }
        if (body instanceof BaseStream<?, ?> stream) {
            return stream.iterator();
        }
        if (body instanceof Object[] array) {
            return Arrays.asList(array).iterator();
        }
        if (body instanceof Iterable<?> iterable && (body instanceof ArrayNode || !(body instanceof JsonNode))) {
            return iterable.iterator();
        }
        throw new IllegalArgumentException("a body of type " + body.getClass().getName()
                + " cannot be read as items: expected a collection, an array of objects, an Iterable, Iterator or Stream,"
                + " a Map, JSON (String, byte[], ByteBuffer, InputStream, Reader, File, Path, Jackson array or object)"
                + " or a whole request of the bulk API; put a single item of another type into a list");
    }

    private static Home home(Object body) {
        if (body instanceof StreamCache
                || body instanceof File
                || body instanceof Path
                || body instanceof WrappedFile<?> wrapped && wrapped.getFile() instanceof File) {
            return Home.STORED;
        }
        if (body instanceof InputStream
                || body instanceof Reader
                || body instanceof Iterator
                || body instanceof BaseStream) {
            return Home.PASSING;
        }
        boolean isLazy = body instanceof Iterable && !(body instanceof Collection) && !(body instanceof JsonNode);
        return isLazy || body instanceof WrappedFile ? Home.ELSEWHERE : Home.MEMORY;
    }

    /** Whether the caller holds the whole body in memory anyway, so that the ledger may hold its items too. */
    boolean isInMemory() {
        return home == Home.MEMORY;
    }

    /** Whether the body cannot be read by anybody else after this. */
    boolean isReadOnce() {
        return home == Home.PASSING;
    }

    @Override
    public Content next() throws Exception {
        if (failure != null) {
            throw failure;
        }
        try {
            if (!hasNext()) {
                return null;
            }
            Content item = item(elements.next());
            index++;
            return item;
        } catch (Throwable e) {
            failure = cannotRead(e);
            throw failure;
        }
    }

    @Override
    public boolean exhausted() {
        if (ended) {
            return true;
        }
        if (failure != null || mayWait() || closed.get()) {
            return false;
        }
        try {
            return !hasNext();
        } catch (Throwable e) {
            failure = cannotRead(e);
            return false;
        }
    }

    /**
     * Closes what was opened, and the caller's iterator or stream; a stream cache stays as it is.
     * Happens by itself when the last item has been read. May be called at any time, by any thread and more than once.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        closeQuietly(elements);
        closeQuietly(text);
        boolean isClosed = text != null || elements == body; // A text closes what it was opened of.
        if (mayWait() && !isClosed) { // A caller's collection or map may be closeable for reasons of its own.
            closeQuietly(body);
        }
    }

    /** Lets go whoever blocks on reading a body that may wait for ever. Takes as long as its close does. */
    void letGo() {
        if (mayWait()) {
            close();
        }
    }

    /** What was read does not depend on it any more. */
    private static void closeQuietly(Object resource) {
        if (resource instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Throwable e) {
                LOG.debug(
                        "Cannot close {} after its items were read",
                        resource.getClass().getName(),
                        e);
            }
        }
    }

    private boolean mayWait() {
        return home == Home.ELSEWHERE || home == Home.PASSING;
    }

    private boolean hasNext() throws IOException {
        if (ended) {
            return false;
        }
        if (elements == null) {
            elements = elementsOfText();
        }
        if (elements.hasNext()) {
            return true;
        }
        ended = true;
        close();
        return false;
    }

    private Iterator<?> elementsOfText() throws IOException {
        skipByteOrderMark(text);
        Iterator<?> whole = api.wholeRequest(text);
        return whole == null ? new JsonElements(text) : whole;
    }

    private static void skipByteOrderMark(InputStream text) throws IOException {
        text.mark(BYTE_ORDER_MARK.length);
        for (int expected : BYTE_ORDER_MARK) {
            if (text.read() != expected) {
                text.reset();
                return;
            }
        }
    }

    private BulkItem item(Object element) {
        if (element instanceof JsonElements.Element cut) {
            return cut.problem() == null ? itemOf(cut.json()) : refused(cut.json(), cut.problem());
        }
        return itemOf(element);
    }

    private BulkItem itemOf(Object element) {
        if (element == null) {
            return refused(null, "it is null");
        }
        try {
            BulkItem item = api.item(element, index, origin);
            return item == null ? notMade(element, "gives null", new IllegalStateException()) : item;
        } catch (InvalidItemException e) {
            String why = e.getMessage();
            return refused(element, why == null ? maker() + " refuses it without saying why" : why);
        } catch (StackOverflowError e) {
            return refused(element, "it is nested too deep, or holds itself");
        } catch (Error e) {
            return new Unmade(RawJson.body(element), e);
        } catch (Throwable e) {
            return notMade(element, "throws " + e.getClass().getName(), e);
        }
    }

    /** The bulk API is at fault. */
    private BulkItem notMade(Object element, String what, Throwable thrown) {
        warnOnce(thrown);
        return refused(element, "no item can be made of it: " + maker() + " " + what);
    }

    private String maker() {
        return "item() of " + api.getClass().getName();
    }

    /** The bulk API may be at fault. Of the exception its place alone is told: its message may quote the item. */
    private void warnOnce(Throwable e) {
        if (!hasWarned) {
            hasWarned = true;
            LOG.warn(
                    "No item can be made of item {} of a body, nor perhaps of later ones: {}",
                    index,
                    e.getClass().getName(),
                    Place.of(e));
        }
    }

    private BulkItem refused(Object element, String problem) {
        Failure why = new Failure(0, null, "item " + index + ": " + problem);
        return new Refused(RawJson.body(element), new Refusal(Reason.REJECTED, why));
    }

    private IOException cannotRead(Throwable e) {
        Throwable cause = e instanceof UncheckedIOException unchecked ? unchecked.getCause() : e;
        if (JsonProblem.isQuotedBy(cause)) {
            return new IOException(
                    "the body cannot be read at item " + index + ": " + JsonProblem.of(cause), Place.of(cause));
        }
        String what =
                cause instanceof IOException && cause.getMessage() != null ? cause.getMessage() : cause.toString();
        return new IOException("the body cannot be read at item " + index + ": " + what, cause);
    }
}
