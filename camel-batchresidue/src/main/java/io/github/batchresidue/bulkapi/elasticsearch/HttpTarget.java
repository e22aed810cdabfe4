/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.http.HttpAnswer;
import io.github.batchresidue.engine.Reply;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.Message;

/** A delegate that speaks HTTP: it is told to POST what can be read as a stream. */
class HttpTarget implements BulkTarget {

    static final String CONTENT_TYPE = "application/x-ndjson";

    @Override
    public String defaultIndex() {
        return null;
    }

    @Override
    public void write(List<BulkItem> items, Message message) {
        message.setHeader(Exchange.HTTP_METHOD, "POST");
        message.setHeader(Exchange.CONTENT_TYPE, CONTENT_TYPE);
        message.setBody(new BulkBody(items));
    }

    @Override
    public final Reply read(List<BulkItem> items, Exchange exchange) {
        HttpAnswer answer = HttpAnswer.of(exchange);
        if (answer.isSuccess()) {
            return BulkAnswer.read(items, answer.body(), answer.status(), answer.retryAfterMillis());
        }
        return answer.status() == 0
                ? BulkErrors.noAnswer(answer.cause())
                : BulkErrors.reply(
                        BulkAnswer.failure(answer.body(), answer.status()),
                        answer.exception(),
                        answer.retryAfterMillis());
    }
}
