/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.github.batchresidue.bulkapi.BulkApi;
import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.Limits;
import io.github.batchresidue.bulkapi.RawJson;
import io.github.batchresidue.engine.Content;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reason;
import io.github.batchresidue.engine.Refusal;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.heap.SmallHeapJvm;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.camel.Exchange;
import org.apache.camel.StreamCache;
import org.apache.camel.converter.stream.CachedOutputStream;
import org.apache.camel.converter.stream.InputStreamCache;
import org.apache.camel.converter.stream.ReaderCache;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class ItemSourceTest {

    private static final String ARRAY = "[{\"a\":1}, {\"b\":\"Zürich\"}]";
    private static final String LINES = "{\"a\":1}\n{\"b\":\"Zürich\"}\n";
    private static final List<Object> BODIES = List.of("{\"a\":1}", "{\"b\":\"Zürich\"}");

    private final DefaultCamelContext context = new DefaultCamelContext();
    private final Exchange exchange = new DefaultExchange(context);

    @TempDir
    private Path folder;

    @AfterEach
    void close() throws IOException {
        context.close();
    }

    // ---- Bodies

    @Test
    void readsCollectionsAndTheLike() throws Exception {
        List<String> list = List.of("a", "b");
        Iterable<String> iterable = list::iterator;

        for (Object body : List.of(list, new String[] {"a", "b"}, iterable, list.iterator(), list.stream())) {
            assertThat(bodies(body)).as("%s", body.getClass()).containsExactly("a", "b");
        }
        assertThat(bodies(IntStream.range(0, 3))).containsExactly(0, 1, 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {ARRAY, LINES, "\uFEFF" + ARRAY, "\uFEFF" + LINES})
    void readsTexts(String text) throws Exception {
        byte[] bytes = text.getBytes(UTF_8);
        Path file = Files.write(folder.resolve("body.json"), bytes);
        ByteBuffer part = ByteBuffer.allocate(bytes.length + 6)
                .position(3)
                .put(bytes)
                .flip()
                .position(3);

        for (Object body : List.of(
                text,
                new StringBuilder(text),
                bytes,
                part,
                part.asReadOnlyBuffer(),
                new ByteArrayInputStream(bytes),
                new BufferedReader(new StringReader(text)),
                file,
                file.toFile(),
                new InputStreamCache(bytes),
                new ReaderCache(text))) {
            assertThat(bodies(body)).as("%s", body.getClass()).isEqualTo(BODIES);
        }
        assertThat(part.position()).isEqualTo(3);
    }

    @Test
    void readsATextOfAnyLength() throws Exception {
        String value = "{\"x\":\"" + "aé漢😀".repeat(50) + "\"}";
        assertThat(bodies(String.join("\n", Collections.nCopies(1000, value))))
                .hasSize(1000)
                .containsOnly(value);
    }

    @Test
    void readsJacksonNodes() throws Exception {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        Object one = nodes.numberNode(1);
        Object object = nodes.objectNode().put("a", 1);

        assertThat(bodies(nodes.arrayNode().add(1).add(nodes.objectNode().put("a", 1))))
                .containsExactly(one, object);
        assertThat(bodies(object)).containsExactly(object);
        assertThat(bodies(nodes.nullNode())).isEmpty();
        assertThat(bodies(nodes.missingNode())).isEmpty();
    }

    @Test
    void takesASingleObjectForAnItem() throws Exception {
        Map<String, Object> map = Map.of("a", List.of(1, 2));

        assertThat(bodies(map)).containsExactly(map);
        assertThat(bodies("{\"a\":\n[1,2]}")).containsExactly("{\"a\":\n[1,2]}");
    }

    @Test
    void findsNothingInAnEmptyBody() throws Exception {
        List<Object> empty = Arrays.asList(
                null,
                "",
                "[]",
                " \n",
                new byte[0],
                List.of(),
                new Object[0],
                Stream.empty(),
                InputStream.nullInputStream());
        for (Object body : empty) {
            try (ItemSource source = open(body, new TestApi())) {
                assertThat(source.next()).isNull();
                assertThat(source.next()).isNull();
                assertThat(source.exhausted()).isTrue();
            }
        }
    }

    @Test
    void refusesWhatNobodyCanReadWithoutShowingIt() throws Exception {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        record Order(String secret) {}
        for (Object body : List.of(42, new Order("secret"), new int[] {1}, nodes.textNode("secret"))) {
            assertThatThrownBy(() -> open(body, new TestApi()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("a body of type " + body.getClass().getName() + " cannot be read as items")
                    .hasMessageNotContaining("secret");
        }
        assertThatThrownBy(() -> open(folder.resolve("none"), new TestApi())).isInstanceOf(NoSuchFileException.class);
    }

    // ---- Charsets

    @Test
    void readsBytesInTheCharsetThatTheExchangeNames() throws Exception {
        exchange.setProperty(Exchange.CHARSET_NAME, "ISO-8859-1");
        assertThat(bodies(ARRAY.getBytes(ISO_8859_1))).isEqualTo(BODIES);
        assertThat(bodies(new ByteArrayInputStream(LINES.getBytes(ISO_8859_1)))).isEqualTo(BODIES);
        assertThat(bodies(LINES)).isEqualTo(BODIES);

        exchange.removeProperty(Exchange.CHARSET_NAME);
        exchange.getIn().setHeader(Exchange.CONTENT_TYPE, "application/json; charset=UTF-16");
        assertThat(bodies(ARRAY.getBytes(UTF_16))).isEqualTo(BODIES);

        exchange.getIn().setHeader(Exchange.CONTENT_TYPE, "application/json");
        assertThat(bodies(ARRAY.getBytes(UTF_8))).isEqualTo(BODIES);
    }

    @Test
    void namesACharsetThatIsNotKnown() {
        exchange.setProperty(Exchange.CHARSET_NAME, "klingon");
        assertThatThrownBy(() -> open(new byte[0], new TestApi()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'klingon'");
    }

    @Test
    void altersNoCharacterThatIsNone() throws Exception {
        try (ItemSource source = open("{\"a\":1}\n\"\uD800\"\n", new TestApi())) {
            assertThat(source.next().body()).isEqualTo("{\"a\":1}");
            assertThatThrownBy(source::next).hasMessageContaining("cannot be read at item 1");
            assertThat(source.exhausted()).isFalse();
        }
    }

    // ---- Whole requests

    @Test
    void asksForAWholeRequestFirst() throws Exception {
        TestApi api = new TestApi() {
            @Override
            public Iterator<?> wholeRequest(Object body) {
                return body instanceof Map<?, ?> map ? map.values().iterator() : null;
            }
        };
        Map<String, Integer> map = new LinkedHashMap<>();
        map.put("x", 1);
        map.put("y", 2);

        assertThat(bodies(map, api)).containsExactly(1, 2);
        assertThat(bodies(List.of(1), api)).containsExactly(1);
    }

    @Test
    void handsTextsToTheApiAsAStreamThatCanGoBack() throws Exception {
        List<String> seen = new ArrayList<>();
        TestApi api = new TestApi() {
            @Override
            public Iterator<?> wholeRequest(Object body) {
                try {
                    InputStream in = (InputStream) body;
                    in.mark(8 * 1024);
                    seen.add(new String(in.readNBytes(8 * 1024), UTF_8));
                    in.reset();
                    return null;
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        };
        InputStream withoutMark = Files.newInputStream(Files.writeString(folder.resolve("lines"), LINES));
        for (Object body : List.of("\uFEFF" + LINES, LINES.getBytes(UTF_8), withoutMark)) {
            assertThat(bodies(body, api)).isEqualTo(BODIES);
        }
        assertThat(seen).containsExactly(LINES, LINES, LINES);
        String large = ("{\"x\":\"" + "y".repeat(1000) + "\"}\n").repeat(300);
        assertThat(bodies(large, api)).hasSize(300).containsOnly(large.substring(0, large.indexOf('\n')));
    }

    @Test
    void readsAWholeRequestToItsEndAndClosesIt() throws Exception {
        CloseableIterator lines = new CloseableIterator(List.of("x", "y"));
        TestApi api = new TestApi() {
            @Override
            public Iterator<?> wholeRequest(Object body) {
                return lines;
            }
        };

        assertThat(bodies("x\ny\n", api)).containsExactly("x", "y");
        assertThat(lines.closed).isOne();
    }

    // ---- Items that cannot be sent

    @Test
    void goesOnAfterAnElementThatCanNeverBeSent() throws Exception {
        Content[] items = all("[1, \"bad\", {}, NaN]").toArray(new Content[0]);

        assertThat(items).extracting(Content::body).containsExactly("1", "\"bad\"", "{}", "NaN");
        assertThat(items[1].refusal())
                .isEqualTo(new Refusal(Reason.REJECTED, new Failure(0, null, "item 1: it is bad")));
        assertThat(items[1].bytes()).isZero();
        assertThat(items[2].refusal()).isNull();
        assertThat(items[3].refusal().failure().message())
                .isEqualTo("item 3: no JSON: neither a number nor true, false or null, at byte 15");
    }

    @Test
    void handsBackARefusedElementAsTheCallerGaveIt() throws Exception {
        Object bad = new Object() {
            @Override
            public String toString() {
                return "bad";
            }
        };
        List<Content> items = all(Arrays.asList(bad, null, 1));

        assertThat(items.get(0).body()).isSameAs(bad);
        assertThat(items.get(1).body()).isNull();
        assertThat(items.get(1).refusal().failure().message()).isEqualTo("item 1: it is null");
        assertThat(items.get(2).refusal()).isNull();
    }

    @Test
    void goesOnAfterABrokenLine() throws Exception {
        List<Content> items = all("{\"a\":1}\n{\"b\":\n{\"c\":3}\n");

        assertThat(items).extracting(Content::body).containsExactly("{\"a\":1}", "{\"b\":", "{\"c\":3}");
        assertThat(items.get(1).refusal().failure().message())
                .isEqualTo("item 1: no JSON: the line ends inside a value, at byte 13");
    }

    // ---- Input that fails

    @Test
    void failsAtABrokenArrayAfterTheItemsBeforeIt() throws Exception {
        try (ItemSource source = open("[1,2,{\"a\":]", new TestApi())) {
            assertThat(source.next().body()).isEqualTo("1");
            assertThat(source.next().body()).isEqualTo("2");
            assertThat(source.exhausted()).isFalse();
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(source::next)
                        .isInstanceOf(IOException.class)
                        .hasMessage("the body cannot be read at item 2:"
                                + " broken JSON array: expected a value, at byte 10");
            }
            assertThat(source.exhausted()).isFalse();
        }
    }

    @Test
    void neverGoesOnBehindAGap() throws Exception {
        Iterator<Integer> iterator = new Iterator<>() {
            private int calls;

            @Override
            public boolean hasNext() {
                return true;
            }

            @Override
            public Integer next() {
                if (++calls == 2) {
                    throw new IllegalStateException("cursor lost");
                }
                return calls;
            }
        };
        try (ItemSource source = open(iterator, new TestApi())) {
            assertThat(source.next().body()).isEqualTo(1);
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(source::next)
                        .hasMessage("the body cannot be read at item 1: java.lang.IllegalStateException: cursor lost")
                        .hasCauseInstanceOf(IllegalStateException.class);
            }
            assertThat(source.exhausted()).isFalse();
        }
    }

    @Test
    void anElementOfWhichTheApiMakesNothingIsAnItemAllTheSame() throws Exception {
        TestApi api = new TestApi() {
            @Override
            public BulkItem item(Object element) throws InvalidItemException {
                if (element.equals("breaks")) {
                    throw new IllegalStateException("secret of the item");
                } else if (element.equals("refused")) {
                    throw new InvalidItemException(null);
                }
                return element.equals("nothing") ? null : new TestItem(element);
            }
        };
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(ItemSource.class);
        log.start();
        logger.addAppender(log);
        try (ItemSource source = open(List.of("a", "breaks", "nothing", "b", "refused"), api)) {
            List<Content> items = rest(source);

            String maker = "item() of " + api.getClass().getName();
            assertThat(items).extracting(Content::body).containsExactly("a", "breaks", "nothing", "b", "refused");
            assertThat(items)
                    .extracting(Content::refusal)
                    .containsExactly(
                            null,
                            refusal("item 1: no item can be made of it: " + maker
                                    + " throws java.lang.IllegalStateException"),
                            refusal("item 2: no item can be made of it: " + maker + " gives null"),
                            null,
                            refusal("item 4: " + maker + " refuses it without saying why"));
            assertThat(log.list).singleElement().satisfies(warning -> {
                assertThat(warning.getLevel()).isEqualTo(Level.WARN);
                assertThat(warning.getFormattedMessage() + ThrowableProxyUtil.asString(warning.getThrowableProxy()))
                        .contains("item 1 ", "java.lang.IllegalStateException", "ItemSourceTest.java")
                        .doesNotContain("secret");
            });
        } finally {
            logger.detachAppender(log);
        }
    }

    private static Refusal refusal(String message) {
        return new Refusal(Reason.REJECTED, new Failure(0, null, message));
    }

    @Test
    void keepsTheCauseOfAStreamThatBreaks() throws Exception {
        IOException reset = new IOException("connection reset");
        InputStream broken = new InputStream() {
            private final InputStream begin = new ByteArrayInputStream("[1,2".getBytes(UTF_8));

            @Override
            public int read() throws IOException {
                int b = begin.read();
                if (b < 0) {
                    throw reset;
                }
                return b;
            }
        };
        try (ItemSource source = open(broken, new TestApi())) {
            assertThat(source.next().body()).isEqualTo("1");
            assertThatThrownBy(source::next)
                    .hasMessage("the body cannot be read at item 1: connection reset")
                    .hasCause(reset);
        }
    }

    // ---- Reading as it is sent

    @Test
    void readsNoFurtherThanItIsAsked() throws Exception {
        AtomicInteger taken = new AtomicInteger();
        Stream<Integer> stream = Stream.iterate(0, i -> i + 1).peek(i -> taken.incrementAndGet());

        try (ItemSource source = open(stream, new TestApi())) {
            assertThat(taken).hasValue(0);
            assertThat(source.next().body()).isEqualTo(0);
            assertThat(source.exhausted()).isFalse();
            assertThat(taken).hasValue(1);
        }
    }

    @Test
    void knowsTheEndOfWhatIsAtHandWithoutBeingAsked() throws Exception {
        Path file = Files.writeString(folder.resolve("one"), "[1 ] ");
        List<Object> bodies = List.of(
                List.of("1"), new Object[] {"1"}, " 1\n", "[ 1 ]", "1".getBytes(UTF_8), file, file.toFile(), Map.of());
        for (Object body : bodies) {
            try (ItemSource source = open(body, new TestApi())) {
                assertThat(source.exhausted()).as("%s", body.getClass()).isFalse();
                assertThat(source.next()).isNotNull();
                assertThat(source.exhausted()).as("%s", body.getClass()).isTrue();
                assertThat(source.next()).isNull();
            }
        }
        List<Object> mayWait = List.of(
                List.of("1").iterator(),
                Stream.of("1"),
                new ByteArrayInputStream(new byte[] {'1'}),
                new StringReader("1"));
        for (Object body : mayWait) {
            try (ItemSource source = open(body, new TestApi())) {
                assertThat(source.next()).isNotNull();
                assertThat(source.exhausted()).as("%s", body.getClass()).isFalse();
                assertThat(source.next()).isNull();
                assertThat(source.exhausted()).as("%s", body.getClass()).isTrue();
            }
        }
    }

    @Test
    void knowsWhatIsInMemoryAndWhatCanBeReadOnce() throws Exception {
        Path file = Files.writeString(folder.resolve("empty"), "");
        Iterable<String> iterable = List.<String>of()::iterator;
        InputStream in = InputStream.nullInputStream();

        for (Object body :
                List.of(List.of(), new Object[0], "", new byte[0], Map.of(), JsonNodeFactory.instance.arrayNode())) {
            assertTraits(body, true, false);
        }
        for (Object body :
                List.of(file, file.toFile(), iterable, new InputStreamCache(new byte[0]), new ReaderCache(""))) {
            assertTraits(body, false, false);
        }
        for (Object body : List.of(List.of().iterator(), Stream.of(), in, new StringReader(""))) {
            assertTraits(body, false, true);
        }
    }

    private void assertTraits(Object body, boolean inMemory, boolean readOnce) throws IOException {
        try (ItemSource source = open(body, new TestApi())) {
            assertThat(source.isInMemory()).as("%s in memory", body.getClass()).isEqualTo(inMemory);
            assertThat(source.isReadOnce()).as("%s read once", body.getClass()).isEqualTo(readOnce);
        }
    }

    // ---- Closing

    @Test
    void leavesAStreamCacheAsItWas() throws Exception {
        context.getStreamCachingStrategy().setSpoolEnabled(true);
        context.getStreamCachingStrategy().setSpoolThreshold(1);
        context.getStreamCachingStrategy().setSpoolDirectory(folder.toFile());
        context.setStreamCaching(true);
        context.start();
        CachedOutputStream spooled = new CachedOutputStream(exchange);
        spooled.write(LINES.getBytes(UTF_8));
        StreamCache inFile = spooled.newStreamCache();
        spooled.close();
        assertThat(inFile.inMemory()).isFalse();

        for (StreamCache cache : List.of(inFile, new InputStreamCache(LINES.getBytes(UTF_8)), new ReaderCache(LINES))) {
            try (ItemSource source = open(cache, new TestApi())) {
                source.next();
            }
            assertThat(bodies(cache)).isEqualTo(BODIES);
            assertThat(context.getTypeConverter().convertTo(String.class, exchange, cache))
                    .isEqualTo(LINES);
            assertThat(bodies(cache)).as("after somebody has read it").isEqualTo(BODIES);
        }
    }

    @Test
    void closesWhatTheCallerHandsInOnceAndAtTheEnd() throws Exception {
        CloseableIterator iterator = new CloseableIterator(List.of("1"));
        AtomicInteger streamClosed = new AtomicInteger();
        AtomicInteger inClosed = new AtomicInteger();
        InputStream in = new ByteArrayInputStream("1".getBytes(UTF_8)) {
            @Override
            public void close() {
                inClosed.incrementAndGet();
            }
        };
        for (Object body : List.of(iterator, Stream.of("1").onClose(streamClosed::incrementAndGet), in)) {
            ItemSource source = open(body, new TestApi());
            source.next();
            assertThat(source.next()).isNull();
            source.close();
            source.close();
        }
        assertThat(iterator.closed).isEqualTo(1);
        assertThat(streamClosed).hasValue(1);
        assertThat(inClosed).hasValue(1);
    }

    @Test
    void closesWhatIsNotReadToItsEnd() throws Exception {
        CloseableIterator iterator = new CloseableIterator(List.of("1", "2"));
        try (ItemSource source = open(iterator, new TestApi())) {
            source.next();
            assertThat(iterator.closed).isZero();
        }
        assertThat(iterator.closed).isEqualTo(1);
    }

    @Test
    void survivesWhatCannotBeClosed() throws Exception {
        Stream<String> stream = Stream.of("1").onClose(() -> {
            throw new IllegalStateException("cannot close");
        });
        try (ItemSource source = open(stream, new TestApi())) {
            assertThat(source.next()).isNotNull();
            assertThat(source.next()).isNull();
        }
    }

    @Test
    void leavesACallersCollectionOpen() throws Exception {
        class CloseableList extends ArrayList<String> implements Closeable {
            private static final long serialVersionUID = 1L;
            private boolean closed;

            @Override
            public void close() {
                closed = true;
            }
        }
        CloseableList list = new CloseableList();
        list.add("1");

        assertThat(bodies(list)).containsExactly("1");
        assertThat(list.closed).isFalse();
    }

    // ---- Files of the file component

    @Test
    void readsTheFilesOfTheFileComponent() throws Exception {
        Files.write(folder.resolve("utf8.json"), ARRAY.getBytes(UTF_8));
        Files.write(folder.resolve("latin1.json"), ARRAY.getBytes(ISO_8859_1));
        context.start();

        assertThat(readByFileComponent("utf8.json", UTF_8, "")).isEqualTo(BODIES);
        assertThat(readByFileComponent("latin1.json", ISO_8859_1, "&charset=iso-8859-1"))
                .isEqualTo(BODIES);
    }

    private List<Object> readByFileComponent(String name, Charset charset, String options) throws Exception {
        Exchange polled = context.createConsumerTemplate()
                .receive("file:" + folder + "?noop=true&fileName=" + name + options, 10_000);
        assertThat(polled.getIn().getBody().getClass().getSimpleName()).isEqualTo("GenericFile");
        try (ItemSource source = ItemSource.of(polled.getIn().getBody(), polled, new TestApi(), polled)) {
            assertThat(source.isReadOnce()).as("%s", charset).isFalse();
            return rest(source).stream().map(Content::body).toList();
        }
    }

    // ---- Memory

    @Test
    void readsAMillionItemsInASmallHeap() throws Exception {
        assertThat(SmallHeapJvm.run(64, MillionItems.class)).contains("1000000 lines, 1000000 items of an array");
    }

    /** Runs in a process of its own, whose heap is small. */
    static final class MillionItems {

        public static void main(String[] args) throws Exception {
            System.out.println(count("", "\n", "") + " lines, " + count("[0", ",", "]") + " items of an array");
        }

        private static long count(String open, String separator, String close) throws Exception {
            String item = "{\"id\":\"order\",\"text\":\"" + "x".repeat(100) + "\"}";
            Iterator<String> pieces = Stream.concat(
                            Stream.concat(
                                    Stream.of(open),
                                    Stream.generate(() -> separator + item)
                                            .limit(open.isEmpty() ? 1_000_000 : 999_999)),
                            Stream.of(close))
                    .iterator();
            InputStream text = new InputStream() {
                private byte[] piece = {};
                private int at;

                @Override
                public int read() {
                    while (at == piece.length) {
                        if (!pieces.hasNext()) {
                            return -1;
                        }
                        piece = pieces.next().getBytes(UTF_8);
                        at = 0;
                    }
                    return piece[at++] & 0xFF;
                }
            };
            long count = 0;
            try (DefaultCamelContext context = new DefaultCamelContext();
                    ItemSource source = ItemSource.of(text, new DefaultExchange(context), new TestApi(), null)) {
                while (source.next() != null) {
                    count++;
                }
            }
            return count;
        }
    }

    // ---- Helpers

    private List<Object> bodies(Object body) throws Exception {
        return bodies(body, new TestApi());
    }

    private List<Object> bodies(Object body, BulkApi api) throws Exception {
        try (ItemSource source = open(body, api)) {
            return rest(source).stream().map(Content::body).toList();
        }
    }

    private List<Content> all(Object body) throws Exception {
        try (ItemSource source = open(body, new TestApi())) {
            return rest(source);
        }
    }

    @Test
    void anElementAtWhichTheJvmFailsIsAnItemThatFailsTheRun() throws Exception {
        ItemSource source = open(List.of("a", "b"), new TestApi() {
            @Override
            public BulkItem item(Object element) throws InvalidItemException {
                if (element.equals("b")) {
                    throw new AssertionError("broken");
                }
                return super.item(element);
            }
        });

        assertThat(source.next().body()).isEqualTo("a");
        Content taken = source.next();
        assertThat(taken.body()).isEqualTo("b");
        assertThatThrownBy(taken::bytes).isInstanceOf(AssertionError.class).hasMessage("broken");
    }

    private static List<Content> rest(ItemSource source) throws Exception {
        List<Content> items = new ArrayList<>();
        for (Content item = source.next(); item != null; item = source.next()) {
            items.add(item);
        }
        return items;
    }

    private ItemSource open(Object body, BulkApi api) throws IOException {
        return ItemSource.of(body, exchange, api, exchange);
    }

    private static final class CloseableIterator implements Iterator<String>, Closeable {

        private final Iterator<String> elements;
        private int closed;

        CloseableIterator(List<String> elements) {
            this.elements = elements.iterator();
        }

        @Override
        public boolean hasNext() {
            return elements.hasNext();
        }

        @Override
        public String next() {
            return elements.next();
        }

        @Override
        public void close() {
            closed++;
        }
    }

    private record TestItem(Object body) implements BulkItem {
        @Override
        public long bytes() {
            return 1;
        }
    }

    /** Takes everything but what calls itself bad. */
    private static class TestApi implements BulkApi {

        @Override
        public Limits limits() {
            return new Limits(Limits.NONE, Limits.NONE, 0);
        }

        @Override
        public BulkItem item(Object element) throws InvalidItemException {
            Object body = RawJson.body(element);
            if (body.toString().contains("bad")) {
                throw new InvalidItemException("it is bad");
            }
            return new TestItem(body);
        }

        @Override
        public void write(List<BulkItem> items, Exchange exchange) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Reply read(List<BulkItem> items, Exchange exchange) {
            throw new UnsupportedOperationException();
        }
    }
}
