/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.cases;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What the caller hands in, what the service answers and what must come out, taken from a public bug report. */
record BugCase(String name, JsonNode json, boolean isText) {

    static final ObjectMapper MAPPER = new ObjectMapper();

    /** All cases of a folder below {@code cases}; a list of items also as the text of a JSON array, which changes nothing. */
    static Stream<BugCase> of(String folder) {
        try (Stream<Path> files =
                Files.list(Path.of(BugCase.class.getResource("/cases/" + folder).toURI()))) {
            List<BugCase> cases = new ArrayList<>();
            for (Path file : files.sorted().toList()) {
                JsonNode json = MAPPER.readTree(file.toFile());
                String name = json.get("name").asText();
                cases.add(new BugCase(name, json, false));
                if (json.has("items")) {
                    cases.add(new BugCase(name + ", as JSON text", json, true));
                }
            }
            return cases.stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    String protocol() {
        return json.get("protocol").asText();
    }

    /** The body: a text, or the items as lists and maps. */
    Object body() {
        if (isText) {
            return json.get("items").toString();
        }
        return json.has("body") ? json.get("body").asText() : MAPPER.convertValue(json.get("items"), List.class);
    }

    List<JsonNode> items() {
        return list(json.path("items"));
    }

    Map<String, String> options() {
        Map<String, String> options = new LinkedHashMap<>();
        json.path("options")
                .properties()
                .forEach(o -> options.put(o.getKey(), o.getValue().asText()));
        return options;
    }

    Map<String, Object> headers() {
        Map<String, Object> headers = new LinkedHashMap<>();
        json.path("headers")
                .properties()
                .forEach(h -> headers.put(h.getKey(), h.getValue().asText()));
        return headers;
    }

    boolean hasDeadLetters() {
        return json.path("deadLetters").asBoolean(true);
    }

    List<JsonNode> replies() {
        return list(json.path("replies"));
    }

    String failure() {
        return json.get("expect").get("failure").asText();
    }

    List<Long> indexes(String column) {
        return list(json.get("expect").path(column)).stream()
                .map(JsonNode::asLong)
                .toList();
    }

    List<List<Long>> requests() {
        return list(json.get("expect").path("requests")).stream()
                .map(request -> list(request).stream().map(JsonNode::asLong).toList())
                .toList();
    }

    List<Long> minimumWaitsMillis() {
        return indexes("minimumWaitsMs");
    }

    Map<Long, JsonNode> errors() {
        Map<Long, JsonNode> errors = new LinkedHashMap<>();
        json.get("expect").path("errors").properties().forEach(e -> errors.put(Long.valueOf(e.getKey()), e.getValue()));
        return errors;
    }

    static List<JsonNode> list(JsonNode array) {
        List<JsonNode> list = new ArrayList<>();
        for (Iterator<JsonNode> elements = array.elements(); elements.hasNext(); ) {
            list.add(elements.next());
        }
        return list;
    }

    @Override
    public String toString() {
        return name;
    }
}
