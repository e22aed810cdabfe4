/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.aws;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.node.TextNode;
import io.github.batchresidue.bulkapi.InvalidItemException;
import io.github.batchresidue.bulkapi.ItemKey;
import io.github.batchresidue.bulkapi.JsonProblem;
import io.github.batchresidue.bulkapi.RawJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import software.amazon.awssdk.core.SdkPojo;

/**
 * Reads messages: an object with the member that holds a message's text is an entry as the service knows it; of anything
 * else the whole is the text, a text as it is and an object as JSON. Safe for use by many threads.
 */
public final class MessageReader {

    private static final TypeReference<Map<String, Object>> MEMBERS = new TypeReference<>() {};
    private static final List<List<String>> BY_GROUP = List.of(List.of("MessageGroupId"));

    private final ObjectMapper mapper;
    private final ObjectReader treeReader;
    private final RecordData data;
    private final String textMember;

    /**
     * @param entryType what the SDK has for an entry
     * @param textMember the member of an entry that holds the text
     */
    public MessageReader(ObjectMapper mapper, Class<? extends SdkPojo> entryType, String textMember) {
        this.mapper = mapper;
        // Decimals keep the digits they are written with.
        this.treeReader = mapper.reader().with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
        this.data = new RecordData(mapper, entryType);
        this.textMember = textMember;
    }

    /** The members of the entry that an element of a body stands for. */
    public Map<?, ?> members(Object element) throws InvalidItemException {
        Map<?, ?> entry = entryOrText(element);
        return entry != null ? entry : Map.of(textMember, text(element));
    }

    /** The same of an element that is an entry or a text; null if it is neither. */
    public Map<?, ?> entryOrText(Object element) throws InvalidItemException {
        if (element instanceof Map<?, ?> map && map.containsKey(textMember)) {
            return map;
        }
        JsonNode tree = element instanceof JsonNode node ? node : null;
        try {
            tree = element instanceof RawJson json ? treeReader.readTree(json.utf8()) : tree;
        } catch (IOException e) {
            throw new InvalidItemException("it is no JSON: " + JsonProblem.of(e));
        }
        if (tree != null && tree.has(textMember)) {
            return mapper.convertValue(tree, MEMBERS);
        }
        if (tree instanceof TextNode text) {
            return Map.of(textMember, text.textValue());
        }
        return element instanceof CharSequence || element instanceof byte[] ? Map.of(textMember, text(element)) : null;
    }

    private String text(Object element) throws InvalidItemException {
        try {
            return data.of(element).asUtf8String();
        } catch (UncheckedIOException e) {
            throw new InvalidItemException("its bytes are no text in UTF-8", e);
        }
    }

    /** The exchange with one message as its body, for a strategy of the user's own that may look at it. */
    public static Exchange withText(Exchange exchange, String text) {
        Exchange ofMessage = exchange.copy();
        ofMessage.setExchangeId(exchange.getExchangeId());
        ofMessage.getMessage().setBody(text);
        return ofMessage;
    }

    /**
     * What makes two messages the same record: their group, unless the user says otherwise.
     *
     * @param body what the caller handed in
     * @param group null if there is none
     * @param keepsOrder whether the service keeps the order of a group
     * @return null if there is no key
     */
    public Object key(ItemKey itemKey, Object body, String text, String group, boolean keepsOrder) {
        return switch (itemKey.source()) {
            case API -> keepsOrder ? group : null;
            case NONE -> null;
            case FIELDS -> itemKey.paths().equals(BY_GROUP) ? group : itemKey.valuesIn(tree(text));
            case FUNCTION -> itemKey.function().apply(body);
        };
    }

    private JsonNode tree(String text) {
        try {
            return mapper.readTree(text);
        } catch (JsonProcessingException e) {
            return mapper.missingNode(); // Not every message is JSON: it lacks every field then.
        }
    }
}
