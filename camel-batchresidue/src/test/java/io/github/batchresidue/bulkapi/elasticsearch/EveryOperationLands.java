/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import com.github.tomakehurst.wiremock.extension.ResponseTransformerV2;
import com.github.tomakehurst.wiremock.http.Response;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import io.github.batchresidue.bulkapi.BulkItem;
import java.util.stream.Collectors;

/** Answers a bulk request with a success for each of its operations. */
final class EveryOperationLands implements ResponseTransformerV2 {

    static final String NAME = "every-operation-lands";

    @Override
    public Response transform(Response response, ServeEvent event) {
        String items = BulkTexts.operations(event.getRequest().getBodyAsString()).stream()
                .map(BulkItem::operation)
                .map(word -> "{\"" + word + "\":{\"_index\":\"books\",\"status\":200}}")
                .collect(Collectors.joining(","));
        return Response.Builder.like(response)
                .but()
                .body("{\"took\":1,\"errors\":false,\"items\":[" + items + "]}")
                .build();
    }

    @Override
    public String getName() {
        return NAME;
    }

    @Override
    public boolean applyGlobally() {
        return false;
    }
}
