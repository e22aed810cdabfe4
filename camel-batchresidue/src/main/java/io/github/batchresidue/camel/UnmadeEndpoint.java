/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import org.apache.camel.Consumer;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.support.DefaultEndpoint;

/** Stands for an endpoint whose component is not there, so that bulk APIs can be asked whether they are spoken by it. */
final class UnmadeEndpoint extends DefaultEndpoint {

    UnmadeEndpoint(String uri) {
        setEndpointUri(uri);
    }

    @Override
    public Producer createProducer() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Consumer createConsumer(Processor processor) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isSingleton() {
        return true;
    }
}
