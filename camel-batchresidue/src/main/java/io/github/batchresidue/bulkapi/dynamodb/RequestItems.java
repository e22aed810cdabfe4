/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import io.github.batchresidue.bulkapi.RawJson;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * Takes a whole BatchWriteItem request apart: of any number of operations, in its own order. A text or stream is read
 * as its operations are asked for. What else a request says is kept of the SDK's own request only, which may carry
 * credentials; what a text or map asks to be told of consumed capacity nobody would see.
 */
final class RequestItems {

    private static final String REQUEST_ITEMS = "RequestItems";
    private static final Set<String> ENVELOPE = Set.of("ReturnConsumedCapacity", "ReturnItemCollectionMetrics");
    /** What a stream that is no whole request can be taken back by. */
    private static final int LOOK_AHEAD = 8192;

    private RequestItems() {}

    /** The operations of a body; null if it is no whole request. */
    static Iterator<TableOperation> of(Object body, JsonFactory factory) {
        if (body instanceof BatchWriteItemRequest request) {
            return ofTables(
                    request.requestItems(),
                    request.toBuilder()
                            .requestItems((Map<String, List<WriteRequest>>) null)
                            .build());
        }
        if (body instanceof JsonNode node) {
            JsonNode tables = node.path(REQUEST_ITEMS);
            boolean isRequest = tables.isObject() && isEnvelope(node.propertyStream(), holdsOperation(tables));
            return isRequest ? ofTree(tables) : null;
        }
        if (body instanceof Map<?, ?> map) {
            if (map.get(REQUEST_ITEMS) instanceof Map<?, ?> tables
                    && isEnvelope(map.entrySet().stream(), isTables(tables))) {
                return ofTables(tables, null);
            }
            return isTables(map) ? ofTables(map, null) : null;
        }
        if (body instanceof InputStream stream) {
            return ofStream(stream, factory);
        }
        return null;
    }

    /**
     * Whether an object with {@code RequestItems} is a request. One with members that no request has is a record with a
     * field of that name, unless it holds operations.
     *
     * @throws IllegalArgumentException if it is a request of which these members would be passed over
     */
    private static boolean isEnvelope(Stream<? extends Map.Entry<?, ?>> members, boolean holdsOperation) {
        Optional<String> unknown = members.map(member -> String.valueOf(member.getKey()))
                .filter(member -> !member.equals(REQUEST_ITEMS) && !ENVELOPE.contains(member))
                .findFirst();
        if (unknown.isPresent() && holdsOperation) {
            throw new IllegalArgumentException(unknownMember(unknown.get()));
        }
        return unknown.isEmpty();
    }

    private static String unknownMember(String name) {
        return "a BatchWriteItem request has no member " + name + ": expected " + REQUEST_ITEMS + " and perhaps "
                + String.join(", ", ENVELOPE);
    }

    private static boolean holdsOperation(JsonNode tables) {
        return tables.valueStream()
                .anyMatch(list -> list.path(0).has("PutRequest") || list.path(0).has("DeleteRequest"));
    }

    /** Whether a map is one of tables. A map that holds no operation may be anything: it is taken for a record. */
    private static boolean isTables(Map<?, ?> map) {
        return map.entrySet().stream().allMatch(RequestItems::isTable)
                && map.values().stream().anyMatch(operations -> !((Collection<?>) operations).isEmpty());
    }

    private static boolean isTable(Map.Entry<?, ?> entry) {
        return entry.getKey() instanceof String
                && entry.getValue() instanceof Collection<?> operations
                && operations.stream()
                        .limit(1)
                        .allMatch(operation -> operation instanceof WriteRequest
                                || operation instanceof Map<?, ?> map
                                        && (map.containsKey("PutRequest") || map.containsKey("DeleteRequest")));
    }

    private static Iterator<TableOperation> ofTables(Map<?, ?> tables, BatchWriteItemRequest envelope) {
        List<TableOperation> operations = new ArrayList<>();
        tables.forEach((table, list) -> {
            if (!(list instanceof Collection<?> elements)) {
                throw notAList(String.valueOf(table));
            }
            elements.forEach(element -> operations.add(new TableOperation(String.valueOf(table), element, envelope)));
        });
        return operations.iterator();
    }

    private static Iterator<TableOperation> ofTree(JsonNode tables) {
        List<TableOperation> operations = new ArrayList<>();
        tables.forEachEntry((table, list) -> {
            if (!list.isArray()) {
                throw notAList(table);
            }
            list.forEach(element -> operations.add(new TableOperation(table, element, null)));
        });
        return operations.iterator();
    }

    private static IllegalArgumentException notAList(String table) {
        return new IllegalArgumentException("RequestItems must hold a list of operations for table " + table);
    }

    // ---- Text and streams

    private static Iterator<TableOperation> ofStream(InputStream stream, JsonFactory factory) {
        try {
            return begins(stream, factory, ENVELOPE, JsonToken.START_ARRAY)
                    ? new Streamed(factory.createParser(stream))
                    : null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Whether a stream begins with a request, up to its first table. It is left as it was found.
     *
     * @param envelope what else a request may have
     * @param table how the value of a table begins
     */
    static boolean begins(InputStream stream, JsonFactory factory, Set<String> envelope, JsonToken table)
            throws IOException {
        stream.mark(LOOK_AHEAD);
        boolean begins = beginsHere(stream, factory, envelope, table);
        stream.reset();
        return begins;
    }

    private static boolean beginsHere(InputStream stream, JsonFactory factory, Set<String> envelope, JsonToken table) {
        try (JsonParser parser = factory.createParser(new LookAhead(stream))) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return false;
            }
            String unknown = null;
            for (String member = parser.nextFieldName(); member != null; member = parser.nextFieldName()) {
                JsonToken value = parser.nextToken();
                if (member.equals(REQUEST_ITEMS)) {
                    boolean isRequest = value == JsonToken.START_OBJECT
                            && (parser.nextToken() == JsonToken.END_OBJECT || parser.nextToken() == table);
                    if (isRequest && unknown != null && isBeforeOperation(parser)) {
                        throw new IllegalArgumentException(unknownMember(unknown));
                    }
                    return isRequest && unknown == null;
                }
                if (!envelope.contains(member)) {
                    unknown = member;
                }
                parser.skipChildren();
            }
            return false;
        } catch (IOException e) {
            return false; // No JSON, or not enough of it to say so.
        }
    }

    private static boolean isBeforeOperation(JsonParser parser) throws IOException {
        if (parser.currentToken() != JsonToken.START_ARRAY || parser.nextToken() != JsonToken.START_OBJECT) {
            return false;
        }
        String member = parser.nextFieldName();
        return "PutRequest".equals(member) || "DeleteRequest".equals(member);
    }

    /** As much of a stream as may be taken back; does not close it. */
    private static final class LookAhead extends FilterInputStream {

        private int left = LOOK_AHEAD;

        LookAhead(InputStream stream) {
            super(stream);
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            if (left == 0) {
                return -1;
            }
            int count = super.read(buffer, offset, Math.min(length, left));
            left -= Math.max(count, 0);
            return count;
        }

        @Override
        public void close() {}
    }

    /** The operations of a text. What is not a whole request to its end is an error at the place where it goes wrong. */
    private static final class Streamed implements Iterator<TableOperation>, AutoCloseable {

        private final JsonParser parser;
        /** The table whose list the parser is in; null outside of the lists. */
        private String table;

        private TableOperation next;
        private boolean exhausted;

        Streamed(JsonParser parser) throws IOException {
            this.parser = parser;
            expect(JsonToken.START_OBJECT);
        }

        @Override
        public boolean hasNext() {
            try {
                if (next == null && !exhausted) {
                    next = advance();
                }
                return next != null;
            } catch (IOException e) {
                throw new UncheckedIOException("the request cannot be read any further", e);
            }
        }

        @Override
        public TableOperation next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            TableOperation operation = next;
            next = null;
            return operation;
        }

        @Override
        public void close() throws IOException {
            parser.close();
        }

        private TableOperation advance() throws IOException {
            while (true) {
                JsonToken token = parser.nextToken();
                if (token == null) {
                    throw new IOException("the request is cut off");
                } else if (table != null && token != JsonToken.END_ARRAY) {
                    return new TableOperation(table, copy(), null);
                } else if (token == JsonToken.END_ARRAY) {
                    table = null;
                } else if (token == JsonToken.FIELD_NAME) {
                    enter();
                } else if (token == JsonToken.END_OBJECT
                        && parser.getParsingContext().inRoot()) {
                    expect(null);
                    exhausted = true;
                    return null;
                }
            }
        }

        /** Goes into a member of the request or of its tables. */
        private void enter() throws IOException {
            String member = parser.currentName();
            boolean isTable = !parser.getParsingContext().getParent().inRoot();
            if (isTable) {
                expect(JsonToken.START_ARRAY);
                table = member;
            } else if (member.equals(REQUEST_ITEMS)) {
                expect(JsonToken.START_OBJECT);
            } else if (ENVELOPE.contains(member)) {
                parser.nextToken();
                parser.skipChildren();
            } else {
                throw new IOException(unknownMember(member));
            }
        }

        private void expect(JsonToken token) throws IOException {
            if (parser.nextToken() != token) {
                throw new IOException("expected a BatchWriteItem request, {\"RequestItems\":{\"table\":[…]}},"
                        + " found something else at line "
                        + parser.currentLocation().getLineNr() + ", column "
                        + parser.currentLocation().getColumnNr());
            }
        }

        private RawJson copy() throws IOException {
            ByteArrayOutputStream utf8 = new ByteArrayOutputStream();
            try (JsonGenerator generator = parser.getCodec() == null
                    ? new JsonFactory().createGenerator(utf8)
                    : parser.getCodec().getFactory().createGenerator(utf8)) {
                generator.copyCurrentStructure(parser);
            }
            return new RawJson(utf8.toByteArray());
        }
    }
}
