/*
 * Licensed under the Apache License, Version 2.0: see the file LICENSE.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The {@code _bulk} API of Elasticsearch and OpenSearch. An operation is written from the bytes it came in
 * ({@link io.github.batchresidue.bulkapi.elasticsearch.BulkOperation}); how a request is put and its answer read depends
 * on the delegate ({@link io.github.batchresidue.bulkapi.elasticsearch.BulkTarget}); what a result says of its operation
 * ({@link io.github.batchresidue.bulkapi.elasticsearch.Results}) and what an error means
 * ({@link io.github.batchresidue.bulkapi.elasticsearch.BulkErrors}) does not.
 */
package io.github.batchresidue.bulkapi.elasticsearch;
