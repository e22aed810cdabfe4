/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Item;
import io.github.batchresidue.engine.Ledger;
import io.github.batchresidue.engine.Round;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.telemetry.Span;
import org.apache.camel.telemetry.SpanLifecycleManager;
import org.apache.camel.telemetry.SpanStorageManager;
import org.apache.camel.telemetry.SpanStorageManagerExchange;
import org.apache.camel.telemetry.TagConstants;
import org.apache.camel.telemetry.propagation.CamelHeadersSpanContextPropagationExtractor;

/**
 * The spans of one run: one for each request, under that of the step and above that of the delegate. Camel ends the
 * delegate's as soon as there is an answer, when nobody knows yet what it says.
 *
 * <p>They are never made current on a thread: a request may end on another thread than it began, and the delegate's own span
 * is made current anyway.
 */
final class RoundSpans implements RunObserver {

    private static final String NAME = "batchresidue-round";
    private static final String PREFIX = "camel.batchresidue.";

    private final SpanLifecycleManager spans;
    private final SpanStorageManager storage = new SpanStorageManagerExchange();
    private final Exchange exchange;
    private final String delegate;
    private final Span step;

    // Both guarded by open, which goes by identity: a request is known by its very list.
    private final Map<List<Item>, Span> open = new IdentityHashMap<>();
    private boolean isFinished;

    RoundSpans(SpanLifecycleManager spans, Exchange exchange, String delegate) {
        this.spans = spans;
        this.exchange = exchange;
        this.delegate = delegate;
        this.step = storage.peek(exchange);
    }

    @Override
    public boolean seesLanded() {
        return false;
    }

    @Override
    public void requesting(List<Item> items, Exchange request) {
        Span span;
        synchronized (open) {
            if (isFinished) {
                return; // Too late: the run ended while the request waited for a thread, and nobody would end the span.
            }
            span = spans.create(
                    NAME,
                    step,
                    new CamelHeadersSpanContextPropagationExtractor(
                            exchange.getMessage().getHeaders()));
            open.put(items, span);
        }
        span.setComponent("camel-" + BatchResidueComponent.SCHEME);
        span.setTag(TagConstants.EXCHANGE_ID, exchange.getExchangeId());
        tag(span, "delegate", delegate);
        tag(span, "items", items.size());
        storage.push(request, span);
    }

    @Override
    public void settled(List<Item> items, Round round, Failure failure, long nextWaitMillis) {
        Span span;
        synchronized (open) {
            span = open.remove(items);
        }
        if (span == null) {
            return; // It never began: an exchange could not be made of it.
        }
        tag(span, "landed", round.landed());
        tag(span, "terminal", round.terminal());
        tag(span, "residue", round.residue());
        tag(span, "unknown", round.unknown());
        tag(span, "waitMillis", round.waitMillis());
        if (nextWaitMillis >= 0) {
            tag(span, "nextWaitMillis", nextWaitMillis);
        }
        if (failure != null && failure.code() != null) {
            tag(span, "errorCode", failure.code());
        }
        if (failure != null && failure.status() != 0) {
            tag(span, "errorStatus", failure.status());
        }
        end(span);
    }

    @Override
    public void finished(Ledger ledger) {
        List<Span> unanswered;
        synchronized (open) {
            isFinished = true;
            unanswered = new ArrayList<>(open.values());
            open.clear();
        }
        for (Span span : unanswered) {
            span.setError(true);
            end(span);
        }
        if (step != null) {
            tag(step, "items", ledger.items());
            tag(step, "landed", ledger.landed());
            tag(step, "terminal", ledger.terminal());
            tag(step, "givenUp", ledger.givenUp());
            tag(step, "pending", ledger.pending());
            tag(step, "rounds", ledger.rounds());
            tag(step, "requests", ledger.requests());
            tag(step, "waitedMillis", ledger.waitedMillis());
        }
    }

    private void end(Span span) {
        spans.deactivate(span);
        spans.close(span);
    }

    private static void tag(Span span, String name, Object value) {
        span.setTag(PREFIX + name, String.valueOf(value));
    }
}
