/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import io.github.batchresidue.bulkapi.BulkItem;
import java.util.List;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.component.http.HttpEndpoint;
import org.apache.camel.component.http.HttpMethods;
import org.apache.hc.client5.http.entity.GzipCompressingEntity;

/** How requests are put for the delegate. */
class HttpTarget {

    /** For a delegate of which nothing is known: it is told to POST what can be read as a stream. */
    private static final HttpTarget ANY = new HttpTarget();

    /**
     * @param filterPath what to ask of the answer as a query parameter; null for all of it
     */
    static HttpTarget of(Endpoint delegate, String filterPath) {
        boolean isCamelHttp = delegate.getClass().getName().equals("org.apache.camel.component.http.HttpEndpoint");
        return isCamelHttp ? CamelHttp.of(delegate, filterPath) : ANY;
    }

    void address(Message message) {
        message.setHeader(Exchange.HTTP_METHOD, "POST");
    }

    Object body(List<BulkItem> items, Message message) {
        return new BulkBody(items);
    }

    /** The component {@code camel-http}. Apart, because it need not be there. */
    private static final class CamelHttp extends HttpTarget {

        private final String query;

        private CamelHttp(String query) {
            this.query = query;
        }

        static HttpTarget of(Endpoint delegate, String filterPath) {
            String own = ((HttpEndpoint) delegate).getHttpUri().getRawQuery();
            if (filterPath == null || own != null && own.contains("filter_path=")) {
                return new CamelHttp(own);
            }
            return new CamelHttp(own == null ? filterPath : own + "&" + filterPath);
        }

        @Override
        void address(Message message) {
            // As camel-http's own type: of a text it would look for a converter, in vain and for each request anew.
            message.setHeader(Exchange.HTTP_METHOD, HttpMethods.POST);
            if (query != null) {
                message.setHeader(Exchange.HTTP_RAW_QUERY, query);
            }
        }

        @Override
        Object body(List<BulkItem> items, Message message) {
            HttpBulkBody body = new HttpBulkBody(items);
            boolean isGzip = "gzip".equalsIgnoreCase(message.getHeader(Exchange.CONTENT_ENCODING, String.class));
            return isGzip ? new GzipCompressingEntity(body) : body;
        }
    }
}
