/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.camel;

import java.util.Map;
import org.apache.camel.Endpoint;
import org.apache.camel.spi.annotations.Component;
import org.apache.camel.support.DefaultComponent;
import org.apache.camel.util.URISupport;

/** Makes the endpoints of the scheme {@code batchresidue}. */
@Component("batchresidue")
public class BatchResidueComponent extends DefaultComponent {

    @Override
    protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters) throws Exception {
        BatchResidueEndpoint endpoint = new BatchResidueEndpoint(uri, this);
        setProperties(endpoint, parameters);
        // What is not an option of ours is an option of the delegate
        endpoint.setDelegateUri(URISupport.appendParametersToURI(remaining, parameters));
        return endpoint;
    }
}
