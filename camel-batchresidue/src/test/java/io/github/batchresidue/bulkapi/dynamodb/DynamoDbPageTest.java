/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.bulkapi.ItemKey;
import io.github.batchresidue.docs.PageTable;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

/** Keeps the guide's page in step with what the code makes of errors. */
class DynamoDbPageTest {

    static Stream<Map.Entry<String, String>> meanings() {
        return PageTable.meanings("dynamodb", "requests").entrySet().stream();
    }

    @ParameterizedTest
    @MethodSource("meanings")
    void thePageSaysWhatErrorsMean(Map.Entry<String, String> row) throws Exception {
        try (SimulatedDelegate delegate = new SimulatedDelegate()) {
            DynamoDbApi api = delegate.api(ItemKey.NONE);
            List<BulkItem> items = List.of(api.item(Map.of("pk", "a")));
            Exchange exchange = new DefaultExchange(delegate.context);
            exchange.setException(DynamoDbException.builder()
                    .statusCode(400)
                    .awsErrorDetails(AwsErrorDetails.builder()
                            .errorCode(row.getKey())
                            .errorMessage("said so")
                            .build())
                    .build());

            assertThat(api.read(items, exchange).getClass().getSimpleName()).isEqualToIgnoringCase(row.getValue());
        }
    }
}
