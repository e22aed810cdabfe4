/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.cases;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.batchresidue.salesforce.SalesforceComponents;
import io.github.batchresidue.simulators.CollectionRequest;
import io.github.batchresidue.simulators.SalesforceOrg;
import io.github.batchresidue.simulators.ScriptedReply;
import java.util.List;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bug reports about writers to Salesforce, each as a test. */
class SalesforceCasesTest {

    static Stream<BugCase> cases() {
        return BugCase.of("salesforce");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void comesOutRight(BugCase bugCase) throws Exception {
        CaseRunner.run(bugCase, new ScriptedOrg(bugCase));
    }

    private static final class ScriptedOrg implements ScriptedService {

        private final SalesforceOrg org = new SalesforceOrg();

        ScriptedOrg(BugCase bugCase) {
            org.script(bugCase.replies().stream().map(ScriptedOrg::scripted).toList());
        }

        private static ScriptedReply scripted(JsonNode reply) {
            return ScriptedReply.of(
                    reply.get("status").asInt(), reply.get("json").toString());
        }

        @Override
        public void bind(CamelContext context) {
            SalesforceComponents.add(context, org);
        }

        @Override
        public String delegateUri(BugCase bugCase) {
            return "salesforce:compositeCreateSObjectCollections";
        }

        @Override
        public List<String> delegateOptions(BugCase bugCase) {
            return List.of();
        }

        @Override
        public List<JsonNode> wireItems(BugCase bugCase) {
            return bugCase.items();
        }

        @Override
        public List<List<JsonNode>> received() {
            return org.collectionRequests().stream()
                    .map(CollectionRequest::records)
                    .toList();
        }

        @Override
        public void close() {
            org.close();
        }
    }
}
