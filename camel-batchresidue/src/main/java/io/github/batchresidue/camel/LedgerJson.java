/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.LedgerItem;
import io.github.batchresidue.engine.Round;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Writes a ledger as JSON. Thread-safe. */
final class LedgerJson {

    /** The mapper of an application may write YAML, or read what is no JSON. */
    private static final JsonFactory FACTORY = new JsonFactory();

    private final ObjectMapper mapper;
    private final ObjectWriter itemWriter;

    /** @param mapper makes JSON of items that are objects */
    LedgerJson(ObjectMapper mapper) {
        this.mapper = mapper;
        // An SDK's type without getters would be an empty object, which tells less than its own text.
        this.itemWriter = mapper.writer()
                .with(SerializationFeature.FAIL_ON_EMPTY_BEANS)
                .without(SerializationFeature.INDENT_OUTPUT);
    }

    /** Writes it, one item after the other, and closes the writer. */
    void write(Ledger ledger, Writer out) throws IOException {
        try (JsonGenerator json = FACTORY.createGenerator(out)) {
            json.writeStartObject();
            json.writeNumberField("items", ledger.items());
            json.writeNumberField("landed", ledger.landed());
            json.writeNumberField("terminal", ledger.terminal());
            json.writeNumberField("givenUp", ledger.givenUp());
            json.writeNumberField("pending", ledger.pending());
            json.writeBooleanField("gaveUp", ledger.gaveUp());
            json.writeBooleanField("inputExhausted", ledger.inputExhausted());
            json.writeNumberField("rounds", ledger.rounds());
            json.writeNumberField("requests", ledger.requests());
            json.writeNumberField("waitedMillis", ledger.waitedMillis());
            json.writeNumberField("elapsedMillis", ledger.elapsedMillis());
            if (ledger.landed() == 0 || !ledger.landedItems().isEmpty()) { // Else they were not retained.
                writeLanded(ledger.landedItems(), json);
            }
            writeItems("terminalItems", ledger.terminalItems(), json);
            writeItems("givenUpItems", ledger.givenUpItems(), json);
            writeItems("pendingItems", ledger.pendingItems(), json);
            writeTimeline(ledger.timeline(), json);
            json.writeEndObject();
        }
    }

    /** Its members as the JSON has them. */
    Map<String, Object> toMap(Ledger ledger) throws IOException {
        StringWriter text = new StringWriter();
        write(ledger, text);
        try (JsonParser parser = FACTORY.createParser(text.toString())) {
            return mapper.readValue(parser, new TypeReference<Map<String, Object>>() {});
        }
    }

    private void writeLanded(List<LedgerItem> items, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("landedItems");
        for (LedgerItem item : items) {
            json.writeStartObject();
            json.writeNumberField("index", item.index());
            if (item.result() != null) {
                json.writeFieldName("result");
                writeBody(item.result(), json);
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void writeItems(String name, List<LedgerItem> items, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart(name);
        for (LedgerItem item : items) {
            json.writeStartObject();
            json.writeNumberField("index", item.index());
            json.writeNumberField("attempts", item.attempts());
            if (item.reason() != null) {
                json.writeStringField("reason", item.reason().name());
            }
            writeFailure(item.failure(), json);
            json.writeBooleanField("delivered", item.delivered());
            json.writeFieldName("item");
            writeBody(item.body(), json);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void writeFailure(Failure failure, JsonGenerator json) throws IOException {
        if (failure.status() != 0) {
            json.writeNumberField("status", failure.status());
        }
        if (failure.code() != null) {
            json.writeStringField("code", failure.code());
        }
        if (failure.message() != null) {
            json.writeStringField("message", failure.message());
        }
    }

    private static void writeTimeline(List<Round> rounds, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("timeline");
        for (Round round : rounds) {
            json.writeStartObject();
            json.writeNumberField("atMillis", round.atMillis());
            json.writeNumberField("waitMillis", round.waitMillis());
            json.writeNumberField("items", round.items());
            json.writeNumberField("landed", round.landed());
            json.writeNumberField("terminal", round.terminal());
            json.writeNumberField("residue", round.residue());
            json.writeNumberField("unknown", round.unknown());
            if (round.requests() > 1) {
                json.writeNumberField("requests", round.requests());
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void writeBody(Object body, JsonGenerator json) throws IOException {
        if (body instanceof CharSequence text) {
            writeText(text.toString(), json);
        } else if (body instanceof byte[] bytes) {
            String text = utf8(bytes);
            if (text != null && isJson(text)) {
                json.writeRawValue(text);
            } else {
                json.writeBinary(bytes);
            }
        } else {
            writeObject(body, json);
        }
    }

    private void writeText(String text, JsonGenerator json) throws IOException {
        if (isJson(text)) {
            json.writeRawValue(text); // As it is: a parsed number might come out as another one.
        } else {
            json.writeString(text);
        }
    }

    private void writeObject(Object body, JsonGenerator json) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator item = FACTORY.createGenerator(text)) {
            itemWriter.writeValue(item, body);
        } catch (IOException | RuntimeException e) {
            json.writeString(body.toString()); // A type of somebody's own: its text is all that can be told.
            return;
        }
        json.writeRawValue(text.toString());
    }

    private static boolean isJson(String text) {
        try (JsonParser parser = FACTORY.createParser(text)) {
            JsonToken first = parser.nextToken();
            if (first == null) {
                return false;
            }
            parser.skipChildren();
            return parser.nextToken() == null;
        } catch (IOException e) {
            return false;
        }
    }

    private static String utf8(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
