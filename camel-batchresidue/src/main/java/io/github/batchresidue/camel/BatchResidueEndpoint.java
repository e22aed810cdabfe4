/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import org.apache.camel.Category;
import org.apache.camel.Component;
import org.apache.camel.Consumer;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.UriEndpoint;
import org.apache.camel.spi.UriParam;
import org.apache.camel.spi.UriPath;
import org.apache.camel.support.DefaultEndpoint;

/** Send a batch to another endpoint, and resend only the items that were not accepted. */
@UriEndpoint(
        firstVersion = "0.1.0",
        scheme = "batchresidue",
        title = "Batch Residue",
        syntax = "batchresidue:delegateUri",
        producerOnly = true,
        lenientProperties = true,
        category = {Category.MESSAGING})
public class BatchResidueEndpoint extends DefaultEndpoint {

    @UriPath(description = "The endpoint the batch is sent to.")
    @Metadata(required = true)
    private String delegateUri;

    @UriParam(
            label = "producer",
            defaultValue = "1000",
            javaType = "java.time.Duration",
            description = "How long to wait before items that were not accepted are sent again.")
    private long redeliveryDelay = 1000;

    public BatchResidueEndpoint(String uri, Component component) {
        super(uri, component);
    }

    @Override
    public Producer createProducer() {
        return new BatchResidueProducer(this);
    }

    @Override
    public Consumer createConsumer(Processor processor) {
        throw new UnsupportedOperationException("Cannot consume from a batchresidue endpoint");
    }

    @Override
    public boolean isLenientProperties() {
        return true;
    }

    public String getDelegateUri() {
        return delegateUri;
    }

    public void setDelegateUri(String delegateUri) {
        this.delegateUri = delegateUri;
    }

    public long getRedeliveryDelay() {
        return redeliveryDelay;
    }

    public void setRedeliveryDelay(long redeliveryDelay) {
        this.redeliveryDelay = redeliveryDelay;
    }
}
