/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.github.batchresidue.bulkapi.elasticsearch;

import static io.github.batchresidue.bulkapi.elasticsearch.BulkTexts.operations;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchresidue.engine.Failure;
import io.github.batchresidue.engine.Reply;
import io.github.batchresidue.engine.Verdict.Kind;
import java.net.ConnectException;
import java.net.SocketException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BulkErrorsTest {

    private static final String OVERSIZED = "Request contains an operation of size [60000000] bytes, which exceeds the"
            + " maximum allowed limit of [53687091] bytes";

    @ParameterizedTest
    @CsvSource({
        "429, es_rejected_execution_exception, RESIDUE",
        "429, rejected_execution_exception, RESIDUE",
        "429, circuit_breaking_exception, RESIDUE",
        "429, cluster_block_exception, RESIDUE",
        "429, process_cluster_event_timeout_exception, RESIDUE",
        "503, process_cluster_event_timeout_exception, RESIDUE",
        "503, unavailable_shards_exception, RESIDUE",
        "503, no_shard_available_action_exception, RESIDUE",
        "503, master_not_discovered_exception, RESIDUE",
        "503, cluster_manager_not_discovered_exception, RESIDUE",
        "502, connect_transport_exception, RESIDUE",
        "502, node_not_connected_exception, RESIDUE",
        "404, illegal_index_shard_state_exception, RESIDUE",
        "424, node_decommissioned_exception, RESIDUE",
        "421, node_weighed_away_exception, RESIDUE",
        "429, timeout_exception, UNKNOWN",
        "504, timeout_exception, UNKNOWN",
        "429, receive_timeout_transport_exception, UNKNOWN",
        "502, node_disconnected_exception, UNKNOWN",
        "500, node_closed_exception, UNKNOWN",
        "500, anything, UNKNOWN",
        "408, , UNKNOWN",
        "0, , UNKNOWN",
        "400, document_parsing_exception, TERMINAL",
        "400, mapper_parsing_exception, TERMINAL",
        "400, index_closed_exception, TERMINAL",
        "404, document_missing_exception, TERMINAL",
        "404, index_not_found_exception, TERMINAL",
        "403, cluster_block_exception, TERMINAL",
        "403, security_exception, TERMINAL",
        "413, , TOO_LARGE",
        "409, strange_exception, TERMINAL"
    })
    void anErrorOfOneOperationIsReadFromTheTable(int status, String type, Kind kind) {
        assertThat(kind("{\"index\":{\"_id\":\"1\"}}\n{}\n", status, type)).isEqualTo(kind);
    }

    @ParameterizedTest
    @CsvSource({
        "'{\"create\":{\"_id\":\"1\"}}', {}, ALREADY",
        "'{\"index\":{\"_id\":\"1\",\"op_type\":\"create\"}}', {}, ALREADY",
        "'{\"index\":{\"_id\":\"1\"}}', {}, TERMINAL",
        "'{\"index\":{\"_id\":\"1\",\"if_seq_no\":1,\"if_primary_term\":1}}', {}, TERMINAL",
        "'{\"index\":{\"_id\":\"1\",\"version\":2,\"version_type\":\"external\"}}', {}, ALREADY",
        "'{\"delete\":{\"_id\":\"1\",\"version\":2,\"version_type\":\"external\"}}', , ALREADY",
        "'{\"update\":{\"_id\":\"1\"}}', '{\"doc\":{}}', TERMINAL"
    })
    void aConflictMayBeOursOnlyWhereAnEarlierAttemptCanCauseIt(String line, String source, Kind kind) {
        String text = line + "\n" + (source == null ? "" : source + "\n");

        assertThat(kind(text, 409, "version_conflict_engine_exception")).isEqualTo(kind);
    }

    private static Kind kind(String operation, int status, String type) {
        BulkOperation first = (BulkOperation) operations(operation).get(0);
        return BulkErrors.verdict(first, new Failure(status, type, "because")).kind();
    }

    @Test
    void anOperationBeyondTheLargestNeverHeals() {
        BulkOperation operation =
                (BulkOperation) operations("{\"index\":{}}\n{}\n").get(0);
        Failure failure = new Failure(429, "es_rejected_execution_exception", OVERSIZED);

        assertThat(BulkErrors.verdict(operation, failure).kind()).isEqualTo(Kind.TOO_LARGE);
    }

    @ParameterizedTest
    @CsvSource({
        "429, es_rejected_execution_exception, Throttled",
        "429, , Throttled",
        "429, timeout_exception, TransportFailed",
        "503, cluster_block_exception, Throttled",
        "503, unavailable_shards_exception, Throttled",
        "503, , TransportFailed",
        "500, , TransportFailed",
        "502, , TransportFailed",
        "504, timeout_exception, TransportFailed",
        "408, , TransportFailed",
        "413, , TooLarge",
        "400, parse_exception, Rejected",
        "401, security_exception, Refused",
        "403, security_exception, Refused",
        "404, index_not_found_exception, Refused",
        "405, , Refused",
        "406, , Refused",
        "301, , Refused"
    })
    void aRefusedRequestIsClassified(int status, String type, String reply) {
        Reply read = BulkErrors.reply(new Failure(status, type, null), new IllegalStateException(), 7);

        assertThat(read.getClass().getSimpleName()).isEqualTo(reply);
    }

    @Test
    void hintsGoWithTheReply() {
        Exception exception = new IllegalStateException();

        assertThat(BulkErrors.reply(new Failure(429, null, null), exception, 7))
                .isEqualTo(new Reply.Throttled(new Failure(429, null, null), 7));
        assertThat(BulkErrors.reply(new Failure(502, null, null), exception, 7))
                .isEqualTo(new Reply.TransportFailed(exception, new Failure(502, null, null), false, 7));
    }

    @ParameterizedTest
    @CsvSource({
        "action_request_validation_exception, true",
        "illegal_argument_exception, true",
        "parse_exception, false",
        ", false"
    })
    void onlyWhatIsValidatedBeforeIsCertainNotToHaveLanded(String type, boolean isNothingLanded) {
        Reply reply = BulkErrors.reply(new Failure(400, type, null), new IllegalStateException(), 0);

        assertThat(((Reply.Rejected) reply).nothingLanded()).isEqualTo(isNothingLanded);
    }

    @Test
    void withoutAnAnswerOnlyARefusedConnectionIsCertain() {
        assertThat(BulkErrors.noAnswer(new ConnectException("refused")))
                .isInstanceOfSatisfying(Reply.TransportFailed.class, reply -> assertThat(reply.nothingLanded())
                        .isTrue());
        assertThat(BulkErrors.noAnswer(new SocketException("reset")))
                .isInstanceOfSatisfying(Reply.TransportFailed.class, reply -> assertThat(reply.nothingLanded())
                        .isFalse());
    }
}
