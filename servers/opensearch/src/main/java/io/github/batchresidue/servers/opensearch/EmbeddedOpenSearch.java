/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.servers.opensearch;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.opensearch.analysis.common.CommonAnalysisPlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.node.NodeValidationException;
import org.opensearch.transport.Netty4Plugin;

/**
 * A node of OpenSearch on 127.0.0.1 and a free port, with its data in a temporary folder. Its write queue is as small as
 * it can be, so that a few clients at once meet rejections.
 */
public final class EmbeddedOpenSearch implements AutoCloseable {

    private final Path home;
    private final Node node;
    private final int port;
    private final HttpClient client = HttpClient.newHttpClient();

    /**
     * Starts a node, which takes some seconds.
     *
     * @param settings in addition to what makes it small
     */
    public EmbeddedOpenSearch(Map<String, String> settings) throws IOException, NodeValidationException {
        home = Files.createTempDirectory("opensearch");
        Settings.Builder all = Settings.builder()
                .put("path.home", home)
                .put("cluster.name", "embedded")
                .put("node.name", "embedded")
                .put("discovery.type", "single-node")
                .put("http.type", Netty4Plugin.NETTY_HTTP_TRANSPORT_NAME)
                .put("transport.type", Netty4Plugin.NETTY_TRANSPORT_NAME)
                .put("network.host", "127.0.0.1")
                .put("http.port", "0")
                .put("transport.port", "0")
                .put("cluster.routing.allocation.disk.threshold_enabled", false)
                .put("node.processors", 1)
                .put("thread_pool.write.queue_size", 1);
        settings.forEach(all::put);
        node = new EmbeddedNode(all.build());
        node.start();
        port = node.injector()
                .getInstance(HttpServerTransport.class)
                .boundAddress()
                .publishAddress()
                .getPort();
    }

    /** Host and port of its REST interface. */
    public String address() {
        return "127.0.0.1:" + port;
    }

    /**
     * Calls the REST interface.
     *
     * @param json the body; null for none
     * @return the body of the answer
     * @throws IOException with the answer if it is no success
     */
    public String call(String method, String path, String json) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address() + path))
                .header("Content-Type", "application/json")
                .method(method, json == null ? BodyPublishers.noBody() : BodyPublishers.ofString(json))
                .build();
        HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
        if (response.statusCode() >= 300) {
            throw new IOException(method + " " + path + ": " + response.statusCode() + " " + response.body());
        }
        return response.body();
    }

    @Override
    public void close() throws IOException {
        node.close();
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
                Files.delete(file);
            }
        }
    }

    /** With plugins from the class path, where a node of its own looks for them in a folder. */
    private static final class EmbeddedNode extends Node {

        EmbeddedNode(Settings settings) {
            super(
                    InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), null, () -> "embedded"),
                    List.of(Netty4Plugin.class, CommonAnalysisPlugin.class),
                    true);
        }
    }
}
