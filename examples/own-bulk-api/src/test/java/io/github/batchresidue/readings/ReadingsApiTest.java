/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.readings;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.bulkapi.BulkItem;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the page says that a bulk API of one's own has to do, of the one that it shows. */
class ReadingsApiTest {

    private final ReadingsApi api = new ReadingsApi();

    @Test
    void twoReadingsThatTheAnswerCannotTellApartHaveOneKey() throws Exception {
        assertThat(reading("r-1", 1).key())
                .isNotNull()
                .isEqualTo(reading("r-1", 2).key());
        assertThat(reading("r-1", 1).key()).isNotEqualTo(reading("r-2", 1).key());
    }

    @Test
    void itCountsTheBytesThatItSends() throws Exception {
        List<BulkItem> items = List.of(reading("é", 1), reading("b", 2));
        Exchange request = exchange();
        api.write(items, request);

        // The last one has no comma behind it.
        assertThat(api.limits().envelopeBytes()
                        + items.get(0).bytes()
                        + items.get(1).bytes()
                        - 1)
                .isEqualTo(request.getMessage().getBody(String.class).getBytes(StandardCharsets.UTF_8).length);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<html>",
                "{}",
                "{'results':{}}",
                "{'results':{'r-1':'stored'}}<html>",
                "{'results':{'r-1':'busy','r-1':'stored'}}",
                "{'results':{'r-1':'stored'"
            })
    void anAnswerThatIsNoneOfTheServicesTellsNothing(String text) throws Exception {
        Exchange answer = exchange();
        answer.getMessage().setBody(text.replace('\'', '"'));

        assertThat(((Reply.Verdicts) api.read(List.of(reading("r-1", 1)), answer)).verdicts())
                .extracting(Verdict::kind)
                .containsExactly(Verdict.Kind.UNKNOWN);
    }

    private BulkItem reading(String ref, int value) throws Exception {
        return api.item(Map.of("ref", ref, "value", value));
    }

    private static Exchange exchange() {
        return new DefaultExchange(new DefaultCamelContext());
    }
}
