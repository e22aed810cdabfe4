/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import io.github.batchresidue.bulkapi.BulkItem;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.component.http.HttpEndpoint;
import org.apache.camel.component.http.HttpMethods;
import org.apache.hc.client5.http.entity.GzipCompressingEntity;

/** The component {@code camel-http}: it takes a body with its length and without a copy, and a query of ours. */
final class CamelHttpTarget extends HttpTarget {

    /** Of the answer, what tells the verdict on each item; every item keeps at least its status. */
    private static final String FILTER_PATH = "filter_path=errors,items.*.status,items.*.error,items.*.failure_store";

    private static final Pattern OWN_FILTER_PATH = Pattern.compile("(^|&)filter_path=");
    private static final Pattern INDEX = Pattern.compile("/([^/]+)/_bulk/?$");

    private final String query;
    private final String defaultIndex;

    private CamelHttpTarget(String query, String defaultIndex) {
        this.query = query;
        this.defaultIndex = defaultIndex;
    }

    static CamelHttpTarget of(Endpoint delegate, boolean isFilteringPath) {
        HttpEndpoint http = (HttpEndpoint) delegate;
        String own = http.getHttpUri().getRawQuery();
        Matcher index = INDEX.matcher(http.getHttpUri().getPath());
        return new CamelHttpTarget(isFilteringPath ? withFilterPath(own) : own, index.find() ? index.group(1) : null);
    }

    private static String withFilterPath(String own) {
        if (own == null || own.isEmpty()) {
            return FILTER_PATH;
        }
        return OWN_FILTER_PATH.matcher(own).find() ? own : own + "&" + FILTER_PATH;
    }

    @Override
    public String defaultIndex() {
        return defaultIndex;
    }

    @Override
    public void write(List<BulkItem> items, Message message) {
        // As camel-http's own type: of a text it would look for a converter, in vain and for each request anew.
        message.setHeader(Exchange.HTTP_METHOD, HttpMethods.POST);
        message.setHeader(Exchange.CONTENT_TYPE, CONTENT_TYPE);
        if (query != null) {
            message.setHeader(Exchange.HTTP_RAW_QUERY, query);
        }
        HttpBulkBody body = new HttpBulkBody(items);
        boolean isGzip = "gzip".equalsIgnoreCase(message.getHeader(Exchange.CONTENT_ENCODING, String.class));
        message.setBody(isGzip ? new GzipCompressingEntity(body) : body);
    }
}
