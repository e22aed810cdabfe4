/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.cases;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.batchresidue.bulkapi.sqs.ScriptedQueues;
import java.util.List;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Bug reports about senders to SQS, each as a test. */
class SqsCasesTest {

    static Stream<BugCase> cases() {
        return BugCase.of("sqs");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void comesOutRight(BugCase bugCase) throws Exception {
        CaseRunner.run(bugCase, new ScriptedQueue(bugCase));
    }

    private static final class ScriptedQueue implements ScriptedService {

        private final ScriptedQueues queues = new ScriptedQueues();
        private final SqsClient client = queues.client();
        private final boolean isFifo;

        ScriptedQueue(BugCase bugCase) {
            isFifo = bugCase.items().stream().anyMatch(item -> item.has("MessageGroupId"));
            for (JsonNode reply : bugCase.replies()) {
                if (reply.has("fault")) {
                    queues.reset();
                } else {
                    queues.answer(reply.get("status").asInt(), reply.get("json").toString());
                }
            }
        }

        @Override
        public void bind(CamelContext context) {
            context.getRegistry().bind("client", client);
        }

        @Override
        public String delegateUri(BugCase bugCase) {
            return isFifo ? "aws2-sqs:orders.fifo" : "aws2-sqs:orders";
        }

        /** The delegate's producer wants a strategy for a FIFO queue whether or not it is used. */
        @Override
        public List<String> delegateOptions(BugCase bugCase) {
            return isFifo
                    ? List.of("amazonSQSClient=#client", "messageGroupIdStrategy=usePropertyValue")
                    : List.of("amazonSQSClient=#client");
        }

        @Override
        public List<JsonNode> wireItems(BugCase bugCase) {
            return bugCase.items();
        }

        @Override
        public List<List<JsonNode>> received() {
            return queues.batches().stream()
                    .map(batch -> BugCase.list(batch.get("Entries")).stream()
                            .map(ScriptedQueue::withoutId)
                            .toList())
                    .toList();
        }

        private static JsonNode withoutId(JsonNode entry) {
            ObjectNode rest = entry.deepCopy();
            rest.remove("Id");
            return rest;
        }

        @Override
        public void close() {
            client.close();
            queues.close();
        }
    }
}
